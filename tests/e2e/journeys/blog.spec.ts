import { urlOf } from '#contract/call';
import { listArticles, readArticle } from '#contract/calls/content';
import { articlePage, PAGES } from '#contract/paths';
import { open } from '../people.ts';
import { expect, test } from '../test.ts';

test('blog: the list leads to an article, to a related one, back to the list and home', async ({
  page,
  request,
}) => {
  const { articles } = listArticles.answers[200].parse(await (await request.get(listArticles.path)).json());
  const [lead] = articles;
  const heading = page.getByRole('heading', { level: 1 });
  await open(page, PAGES.blog);
  await expect(page.getByRole('article')).toHaveCount(articles.length);
  const featured = page.getByRole('article').first();
  await expect(featured).toContainText(lead!.excerpt);
  await featured.getByRole('link', { name: lead!.title }).click();
  await expect(page).toHaveURL(articlePage(lead!.slug));
  await expect(heading).toHaveText(lead!.title);
  await expect(page).toHaveTitle(new RegExp(lead!.title.slice(0, 20)));

  const related = page.getByRole('region', { name: 'Related Articles' }).getByRole('article');
  const other = related.first().getByRole('link');
  const title = (await other.textContent()) ?? '';
  await other.click();
  await expect(heading).toHaveText(title);

  // The content policy allows no parser that sets markup, and a character reference is easily read with one.
  const unread = articles.find((article) => ![lead!.title, title].includes(article.title))!;
  await page.route(`**${urlOf(readArticle, { slug: unread.slug })}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: { ...(await answer.json()), content: 'Fish &amp; chips &copy; &hellip;' },
    });
  });
  await page.getByRole('link', { name: 'Back to Blog' }).click();
  await expect(page).toHaveURL(PAGES.blog);
  await page.getByRole('article').getByRole('link', { name: unread.title }).click();
  await expect(page.getByText('Fish & chips © …')).toBeVisible();

  await page.getByRole('link', { name: 'Glyphlift OCR' }).click();
  await expect(page).toHaveURL(PAGES.home);
});

test('blog: an article is read without scripts', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.url}${articlePage('how-text-recognition-works')}`);
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  const text = (await page.locator('.prose').allInnerTexts()).join(' ');
  expect(text.split(/\s+/).length).toBeGreaterThan(700);
  await context.close();
});
