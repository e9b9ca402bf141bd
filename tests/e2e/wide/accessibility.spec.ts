import type { Page } from '@playwright/test';
import { articlePage, PAGES, savedTextPage } from '#contract/paths';
import { copyOfNote, openTool, payloadOf } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, PASSWORD } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

const APPEARANCES = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

const isDesktop = () => test.info().project.name === 'desktop';

/** Forced colors do not change the layout, so one width is enough. */
const appearances = () => APPEARANCES.filter(({ forcedColors }) => forcedColors === 'none' || isDesktop());

async function expectAccessibleInEveryAppearance(
  page: Page,
  expectAccessible: () => Promise<void>,
): Promise<void> {
  for (const appearance of appearances()) {
    await page.emulateMedia(appearance);
    await test.step(JSON.stringify(appearance), expectAccessible);
  }
}

async function expectPathsAccessible(
  page: Page,
  expectAccessible: () => Promise<void>,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    await test.step(path, async () => {
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        page.viewportSize()!.width,
      );
      await expectAccessibleInEveryAppearance(page, expectAccessible);
    });
  }
}

const READ = [PAGES.blog, articlePage('reading-receipts'), PAGES.terms, PAGES.privacy, PAGES.refund];
const FIRST = [PAGES.home, '/nowhere'];
const INFORMATION = [PAGES.premium, PAGES.developers, PAGES.languages, articlePage('no-such-article')];
/** All other pages, so that new pages are tested too. */
const OTHERS = Object.values(PAGES).filter((path) => ![...FIRST, ...READ, ...INFORMATION].includes(path));

test.describe('accessibility', () => {
  test.slow();

  test('accessibility: the start page and the not-found page fit and are accessible @every-width', ({
    page,
    expectAccessible,
  }) => expectPathsAccessible(page, expectAccessible, FIRST));

  test('accessibility: the blog, an article and the legal pages fit and are accessible @every-width', ({
    page,
    expectAccessible,
  }) => expectPathsAccessible(page, expectAccessible, READ));

  test('accessibility: premium, developers, languages and a missing article fit and are accessible', ({
    page,
    expectAccessible,
  }) => expectPathsAccessible(page, expectAccessible, INFORMATION));

  test('accessibility: the pages of accounts and of mailed links fit and are accessible to a visitor', ({
    page,
    expectAccessible,
  }) => expectPathsAccessible(page, expectAccessible, OTHERS));

  test('accessibility: the account with keys, a secret and all forms open is accessible', async ({
    page,
    expectAccessible,
  }) => {
    await becomeMember(page, 'every-form');
    const made = await page.request.post('/api/account/keys', {
      data: { name: 'Scanner in the hall', scopes: ['read'], currentPassword: PASSWORD },
    });
    expect(made.status()).toBe(201);
    await page.request.post('/api/account/webhook-secret', { data: { currentPassword: PASSWORD } });
    await open(page, PAGES.account);
    await expect(page.getByText('glyph_live_')).toBeVisible();
    for (const name of ['Change password', 'Turn on', 'Make a key', 'Renew the secret'])
      await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByLabel('Current password')).toHaveCount(4);
    await expectAccessibleInEveryAppearance(page, expectAccessible);
  });

  test('accessibility: a saved text and the list of several pictures are accessible', async ({
    page,
    expectAccessible,
  }) => {
    await becomeMember(page, 'every-list');
    const data = { name: 'Letter home', text: 'The weather here is fine.', language: 'eng' };
    const { text } = await (await page.request.post('/api/texts', { data })).json();
    await open(page, savedTextPage(text.id));
    await expect(page.getByRole('textbox', { name: 'Extracted text' })).toBeVisible();
    await expectAccessibleInEveryAppearance(page, expectAccessible);

    const tool = await openTool(page);
    await tool.file.setInputFiles([1, 2].map((n) => payloadOf({ ...copyOfNote(900 + n), name: `${n}.png` })));
    await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessibleInEveryAppearance(page, expectAccessible);
  });
});
