import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { listArticles, readArticle } from '#contract/calls/content';
import { articlePage, PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openApplication } from '../../../../tests/component/application.tsx';
import { ARTICLES, blogHandlers } from '../../../../tests/component/articles.ts';
import { gate } from '../../../../tests/component/extraction.ts';
import { respondsWithError, worker } from '../../../../tests/component/server.ts';

const [lead] = ARTICLES as [(typeof ARTICLES)[0]];
const cards = () => page.getByRole('article');
const heading = () => page.getByRole('heading', { level: 1 });

beforeEach(() => worker.use(...blogHandlers()));

describe('article list', () => {
  test('article list: shows every article, the newest first with its excerpt, date and reading time', async () => {
    await openApplication(PAGES.blog);
    await expect.element(cards().first()).toBeVisible();
    expect(cards().elements()).toHaveLength(ARTICLES.length);
    const first = cards().first();
    await expect.element(first).toHaveTextContent(lead.excerpt);
    await expect.element(first).toHaveTextContent(lead.readingTime);
    expect(first.element().querySelector('time')?.textContent).toBe('November 18, 2026');
    await expectAccessible();
    await commands.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
  });

  test('article list: shows "Blog Unavailable" on an error', async () => {
    worker.use(respondsWithError(listArticles, 500, { error: 'x', code: 'server.error' }));
    await openApplication(PAGES.blog);
    await expect.element(page.getByRole('alert')).toHaveTextContent('Blog Unavailable');
    await expect
      .element(page.getByText('Unable to load blog articles. Please try again later.'))
      .toBeVisible();
    await expectAccessible();
  });
});

describe('article', () => {
  test('article: shows breadcrumbs, reading time, two sponsored slots and at most three related articles', async () => {
    await openApplication(articlePage(lead.slug));
    await expect.element(heading()).toHaveTextContent(/^Reading receipts$/);
    await expect.poll(() => document.title).toContain('Reading receipts');
    await expect.element(page.getByText('4 min read')).toBeVisible();
    const trail = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem');
    expect(trail.elements().map(({ textContent }) => textContent)).toEqual(['Home', 'Blog', lead.title]);
    expect(page.getByRole('figure', { name: 'Sponsored content' }).elements()).toHaveLength(2);
    const related = page.getByRole('region', { name: 'Related Articles' }).getByRole('article');
    await expect.poll(() => related.elements()).toHaveLength(3);
    await expectAccessible();
    await commands.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
  });

  test('article: a related article replaces it, and "Back to Blog" leads to the list', async () => {
    const { router } = await openApplication(articlePage(lead.slug));
    const related = page.getByRole('region', { name: 'Related Articles' });
    await related.getByRole('link', { name: 'Light for a page' }).click();
    await expect.element(heading()).toHaveTextContent(/^Light for a page$/);
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await expect.element(heading()).toHaveTextContent('Notes on reading pictures');
    expect(router.current().location.pathname).toBe(PAGES.blog);
  });

  test('article: shows a skeleton while loading and "Article Not Found" on an error', async () => {
    const { opened, open } = gate();
    worker.use(
      http.get(readArticle.path, async () => {
        await opened;
        return HttpResponse.json({ error: 'x' }, { status: 500 });
      }),
    );
    await openApplication(PAGES.blog);
    await cards().nth(1).getByRole('link').click();
    await expect.element(page.getByRole('status', { name: 'Loading the article' })).toBeVisible();
    open();
    await expect.element(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
  });

  test('article: a missing article shows "Article Not Found" and links to the list', async () => {
    const { router } = await openApplication(articlePage('no-such-article'));
    await expect.element(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
    await expect
      .element(page.getByText("The article you're looking for doesn't exist or has been moved."))
      .toBeVisible();
    await expect.poll(() => document.title).toContain('Article Not Found');
    await expectAccessible();
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await expect.element(cards().first()).toBeVisible();
    expect(router.current().location.pathname).toBe(PAGES.blog);
  });
});
