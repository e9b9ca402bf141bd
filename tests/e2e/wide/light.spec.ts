import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { articlePage, PAGES } from '#contract/paths';
import { untilItListens } from '../people.ts';
import { expect, test } from '../test.ts';

const ARTICLE = articlePage('how-text-recognition-works');

/**
 * The most script that a page may load before the first action, in bytes as gzip packs them; a little more than was
 * measured. Raise a number here when a page must load more. The start page's ceiling is 110 kB.
 */
const MAX_SCRIPT: Readonly<Record<string, number>> = {
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

/** The scripts that the page asks for from now on, and what they weigh. */
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

async function openQuietly(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await untilItListens(page);
}

const isReactsOwn = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')));

test('script weight: no page loads more than its ceiling before the first action', async ({ context }) => {
  for (const [path, most] of Object.entries(MAX_SCRIPT)) {
    const page = await context.newPage();
    const scripts = watchScripts(page);
    await openQuietly(page, path);
    const bytes = await scripts.bytes();
    expect.soft(bytes, `${path} is too heavy`).toBeLessThanOrEqual(most);
    expect.soft(bytes, `the ceiling of ${path} is out of date`).toBeGreaterThan(most * 0.9);
    await page.close();
  }
});

test('script weight: the start page loads dialogs, schemas and the workspace only when they are needed', async ({
  page,
}) => {
  const scripts = watchScripts(page);
  await page.goto(PAGES.home, { waitUntil: 'networkidle' });
  expect(scripts.names().filter((name) => /dialog|schema|workspace|toast|evidence|facts/.test(name))).toEqual(
    [],
  );
  await page.getByRole('button', { name: 'Premium Sign In' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(scripts.names().some((name) => name.includes('dialog-host'))).toBe(true);
});

test('read-only content: is in the document once, and React leaves it as the server drew it', async ({
  page,
  request,
}) => {
  const html = await (await request.get(ARTICLE)).text();
  await openQuietly(page, ARTICLE);
  const beginning = await page
    .locator('.prose p')
    .nth(2)
    .evaluate(({ firstChild }) => firstChild?.textContent ?? '');
  const [words = 'no words'] = /[a-zA-Z ,]{12,}/.exec(beginning) ?? [];
  expect(html.split(words), words).toHaveLength(2);
  expect(await isReactsOwn(page, '.prose p')).toBe(false);
  expect(await isReactsOwn(page, 'header button')).toBe(true);
  for (const path of [PAGES.terms, PAGES.blog]) {
    await openQuietly(page, path);
    expect(await isReactsOwn(page, 'article'), path).toBe(false);
  }
});

test('read-only content: the Markdown parser loads only with an article that is opened from another page', async ({
  page,
}) => {
  const scripts = watchScripts(page);
  const parsers = () => scripts.names().filter((name) => name.includes('parsed-article'));
  await page.goto(ARTICLE, { waitUntil: 'networkidle' });
  expect(parsers()).toEqual([]);
  const heading = page.getByRole('heading', { level: 1 });
  const title = (await heading.textContent()) ?? '';
  await page.getByRole('region', { name: 'Related Articles' }).getByRole('link').first().click();
  await expect(heading).not.toHaveText(title);
  await expect(page.locator('.prose h2').first()).toBeVisible();
  expect(parsers()).toHaveLength(1);
});

test('link: pointing at it loads the script of its page, and a press with Control opens that page in a new tab', async ({
  page,
  context,
}) => {
  const scripts = watchScripts(page);
  await openQuietly(page, PAGES.home);
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
