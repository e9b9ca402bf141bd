import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { openApplication } from '../../../tests/component/application.tsx';

test('not-found page: shows the path without its query, a hint for developers and links to the tool and the blog', async () => {
  const { router } = await openApplication('/no/such/page?with=query');
  await expect.element(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await expect.element(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await expect.element(page.getByText('/no/such/page', { exact: true })).toBeVisible();
  expect(page.getByRole('main').element().textContent).not.toContain('with=query');
  await expectAccessible();
  await commands.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible();
  await expect.element(page.getByRole('link', { name: 'Read the blog' })).toHaveAttribute('href', PAGES.blog);
  await page.getByRole('link', { name: 'Back to the tool' }).click();
  await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeInTheDocument();
  expect(router.current().location.pathname).toBe(PAGES.home);
});

test('not-found page: wraps a long path on a phone', async () => {
  await page.viewport(375, 812);
  await openApplication(`/${'x'.repeat(300)}`);
  await expect.element(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(375);
});
