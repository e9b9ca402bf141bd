import { articlePage, PAGES } from '#contract/paths';
import { open } from '../people.ts';
import { expect, test } from '../test.ts';

const ARTICLE = articlePage('how-text-recognition-works');

test('navigation: links change the page within the document, and Back restores the scroll position', async ({
  page,
}) => {
  const scrolled = () => page.evaluate(() => window.scrollY);
  await open(page, PAGES.blog);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.evaluate(() => window.scrollTo(0, 700));
  const before = await scrolled();
  expect(before).toBeGreaterThan(300);
  await page.getByRole('article').nth(4).getByRole('link').first().click();
  await expect(page.locator('.prose').first()).toBeVisible();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(PAGES.blog);
  await expect.poll(scrolled).toBe(before);
  await page.goForward();
  await expect(page.locator('.prose').first()).toBeVisible();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  // A link in server-rendered text that is not hydrated.
  await open(page, ARTICLE);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.locator('.prose a[href^="/"]').first().click();
  await expect(page).not.toHaveURL(ARTICLE);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test.describe('unknown URLs', () => {
  test.use({ expectedConsole: [/404/] });

  test('missing page: unknown paths and articles get 404 with a link back, malformed URLs 400 or 414', async ({
    page,
    request,
  }) => {
    expect((await page.goto('/no/such/page?with=query'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();

    expect((await page.goto(articlePage('no-such-article')))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await expect(page).toHaveURL(PAGES.blog);

    for (const [slug, status] of [
      ['..%2f..%2fetc%2fpasswd', 400],
      ['a%2fb', 400],
      ['%2e%2e%2f', 400],
      ['x'.repeat(1_000), 404],
      ['x'.repeat(10_000), 414],
    ] as const) {
      const response = await request.get(`${PAGES.blog}/${slug}`);
      expect(response.status(), slug.slice(0, 24)).toBe(status);
      expect(response.headers()['content-type'], slug.slice(0, 24)).toContain('text/html');
    }
  });
});
