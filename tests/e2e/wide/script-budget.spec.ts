import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { articlePage, PAGES } from '#contract/paths';
import { waitForHydration } from '../people.ts';
import { expect, test } from '../test.ts';

const ARTICLE = articlePage('how-text-recognition-works');

/**
 * Maximum size of the scripts that a page loads before the first action, in bytes with gzip; a little more than measured.
 * Raise a number here if a page must load more. The limit of the start page is 110 kB.
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

/** Records the scripts that the page requests, and their sizes. */
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

async function openUntilIdle(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await waitForHydration(page);
}

const isHydratedElement = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')));

test('script budget: no page loads more than its limit before the first action', async ({ context }) => {
  for (const [path, most] of Object.entries(MAX_SCRIPT)) {
    const page = await context.newPage();
    const scripts = watchScripts(page);
    await openUntilIdle(page, path);
    const bytes = await scripts.bytes();
    expect.soft(bytes, `${path} is too heavy`).toBeLessThanOrEqual(most);
    expect.soft(bytes, `the ceiling of ${path} is out of date`).toBeGreaterThan(most * 0.9);
    await page.close();
  }
});

test('script budget: the start page loads dialogs, schemas and the workspace only when they are needed', async ({
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

test('read-only content: is in the document once, and React keeps the server-rendered markup', async ({
  page,
  request,
}) => {
  const html = await (await request.get(ARTICLE)).text();
  await openUntilIdle(page, ARTICLE);
  const beginning = await page
    .locator('.prose p')
    .nth(2)
    .evaluate(({ firstChild }) => firstChild?.textContent ?? '');
  const [words = 'no words'] = /[a-zA-Z ,]{12,}/.exec(beginning) ?? [];
  expect(html.split(words), words).toHaveLength(2);
  expect(await isHydratedElement(page, '.prose p')).toBe(false);
  expect(await isHydratedElement(page, 'header button')).toBe(true);
  for (const path of [PAGES.terms, PAGES.blog]) {
    await openUntilIdle(page, path);
    expect(await isHydratedElement(page, 'article'), path).toBe(false);
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

test('link: hovering loads the script of its page, and a click with Control opens the page in a new tab', async ({
  page,
  context,
}) => {
  const scripts = watchScripts(page);
  await openUntilIdle(page, PAGES.home);
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
