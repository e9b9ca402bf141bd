import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { articlePage } from '#contract/paths';
import { openApplication } from '../../../../tests/component/application.tsx';
import { blogHandlers } from '../../../../tests/component/articles.ts';
import { worker } from '../../../../tests/component/server.ts';
import { ATTACKS, forbiddenParts, HOSTILE_ARTICLE } from '../../../../tests/support/hostile-markdown.ts';

test('article: hostile Markdown runs no script and leaves only allowed elements, without a content security policy', async () => {
  const attacked = vi.fn();
  vi.stubGlobal('attacked', attacked);
  worker.use(...blogHandlers([HOSTILE_ARTICLE]));
  await openApplication(articlePage(HOSTILE_ARTICLE.slug));
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent(HOSTILE_ARTICLE.title);
  const address = location.href;

  for (const target of document.querySelectorAll<HTMLElement>('.prose :is(summary, button, input)'))
    target.click();
  for (const link of document.querySelectorAll('.prose a'))
    link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));

  const kept = [...document.querySelectorAll('.prose *')].map(({ localName, attributes }) => ({
    tag: localName,
    attributes: Object.fromEntries([...attributes].map(({ name, value }) => [name, value])),
  }));
  expect(kept.length).toBeGreaterThan(ATTACKS.length / 2);
  expect(forbiddenParts(kept)).toEqual([]);

  // A picture that fails to load would run an `onerror` attack.
  const pictures = [...document.querySelectorAll<HTMLImageElement>('.prose img')];
  for (const picture of pictures) picture.loading = 'eager';
  await expect.poll(() => pictures.every(({ complete }) => complete)).toBe(true);
  expect(location.href).toBe(address);
  expect(attacked).not.toHaveBeenCalled();
});
