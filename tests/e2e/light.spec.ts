import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { articlePage, PAGES } from '#contract/paths';
import { expect, test } from './test.ts';

const ARTICLE = articlePage('how-text-recognition-works');

/**
 * The most script that a page may ask for until somebody does something, in bytes as gzip has them. A little more than was
 * measured; whoever needs more writes it here, and knows what it costs. The start page's ceiling is 110 kB.
 */
const MOST_SCRIPT: Readonly<Record<string, number>> = {
  [PAGES.home]: 110_000,
  [PAGES.premium]: 104_000,
  [PAGES.blog]: 98_000,
  [ARTICLE]: 98_000,
  [PAGES.terms]: 97_000,
  [PAGES.privacy]: 97_000,
  [PAGES.refund]: 97_000,
  [PAGES.developers]: 101_000,
  [PAGES.languages]: 101_000,
};

const isScript = (request: Request) => /\/assets\/.*\.js$/.test(new URL(request.url()).pathname);

/** What has been asked for since, and how much it weighs. */
function watchScripts(page: Page) {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (isScript(request)) requests.push(request);
  });
  return {
    names: () => requests.map((request) => new URL(request.url()).pathname),
    async bytes() {
      const bodies = await Promise.all(requests.map(async (request) => (await request.response())?.body()));
      return bodies.reduce((sum, body) => sum + (body ? gzipSync(body, { level: 9 }).length : 0), 0);
    },
  };
}

/** Until the page has taken over: the script in the document goes then. */
const takenOver = (page: Page) => page.waitForFunction(() => !('earlyWatch' in window));

const isReactsOwn = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')));

test.describe('the script of a page', () => {
  for (const [path, most] of Object.entries(MOST_SCRIPT)) {
    test(`${path} is at most ${most} bytes until somebody does something`, async ({ page }) => {
      const scripts = watchScripts(page);
      await page.goto(path, { waitUntil: 'networkidle' });
      await takenOver(page);
      const bytes = await scripts.bytes();
      expect(bytes).toBeLessThanOrEqual(most);
      expect(bytes, 'the ceiling is out of date').toBeGreaterThan(most * 0.9);
    });
  }

  test('of the start page holds no dialog, no schema and no workspace', async ({ page }) => {
    const scripts = watchScripts(page);
    await page.goto(PAGES.home, { waitUntil: 'networkidle' });
    expect(
      scripts.names().filter((name) => /dialog|schema|workspace|toast|evidence|facts/.test(name)),
    ).toEqual([]);
    await page.getByRole('button', { name: 'Premium Sign In' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(scripts.names().some((name) => name.includes('dialog-host'))).toBe(true);
  });
});

test.describe('what is only read', () => {
  test('is in the document once, and is left as the server drew it', async ({ page, request }) => {
    const html = await (await request.get(ARTICLE)).text();
    await page.goto(ARTICLE, { waitUntil: 'networkidle' });
    await takenOver(page);
    const beginning = await page
      .locator('.prose p')
      .nth(2)
      .evaluate(({ firstChild }) => firstChild?.textContent ?? '');
    const [words = 'no words'] = /[a-zA-Z ,]{12,}/.exec(beginning) ?? [];
    expect(html.split(words), words).toHaveLength(2);
    expect(await isReactsOwn(page, '.prose p')).toBe(false);
    expect(await isReactsOwn(page, 'header button')).toBe(true);
  });

  for (const path of [PAGES.terms, PAGES.blog]) {
    test(`is left alone on ${path} too`, async ({ page }) => {
      await page.goto(path, { waitUntil: 'networkidle' });
      await takenOver(page);
      expect(await isReactsOwn(page, 'article')).toBe(false);
    });
  }
});

test.describe('a link', () => {
  test('in a text that is only read leads on without another document', async ({ page }) => {
    await page.goto(ARTICLE);
    await takenOver(page);
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await page.locator('.prose a[href^="/"]').first().click();
    await expect(page).not.toHaveURL(ARTICLE);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  });

  test('that somebody points at has its page’s code fetched, and opens it elsewhere with a key held', async ({
    page,
    context,
  }) => {
    const scripts = watchScripts(page);
    await page.goto(PAGES.home, { waitUntil: 'networkidle' });
    await takenOver(page);
    const link = page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Premium' });
    await link.hover();
    await expect.poll(() => scripts.names().some((name) => name.includes('premium-page'))).toBe(true);
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await expect(tab).toHaveURL(PAGES.premium);
    await expect(page).toHaveURL(PAGES.home);
  });

  test('brings back to where one was', async ({ page }) => {
    await page.goto(PAGES.blog);
    await takenOver(page);
    await page.evaluate(() => window.scrollTo(0, 700));
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(300);
    await page.getByRole('article').nth(4).getByRole('link').first().click();
    await expect(page.locator('.prose').first()).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(PAGES.blog);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    await page.goForward();
    await expect(page.locator('.prose').first()).toBeVisible();
  });

  test('to a place on the page leaves the way back in the history', async ({ page }) => {
    await page.goto(PAGES.developers);
    await takenOver(page);
    const link = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' });
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    await link.click();
    await expect(page).toHaveURL(`${PAGES.developers}#errors`);
    await expect(page.getByRole('heading', { name: 'Errors', exact: true })).toBeInViewport();
    await page.goBack();
    await expect(page).toHaveURL(PAGES.developers);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  });
});

test.describe('a page whose code cannot be had', () => {
  test.use({ expectedConsole: [/Failed to load resource|net::ERR_FAILED/] });

  test('says so, and the rest of the site goes on', async ({ page }) => {
    await page.goto(PAGES.home);
    await takenOver(page);
    await page.route('**/assets/premium-page-*.js', (route) => route.abort());
    const bar = page.getByRole('navigation', { name: 'Main', exact: true });
    await bar.getByRole('link', { name: 'Premium' }).click();
    await expect(page.getByRole('heading', { name: 'This page did not come out right' })).toBeVisible();
    await bar.getByRole('link', { name: 'Blog' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
  });
});
