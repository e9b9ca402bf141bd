import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NOTE } from './extraction-page.ts';
import { becomeMember, boxesOf, open, PATIENT, REFUSALS, toastOf } from './people.ts';
import { test as base, expect } from './test.ts';

const FRENCH = join(import.meta.dirname, '../fixtures/languages/fra.png');

/** A server that reads a second language: English under another name, so that no machine needs more installed. */
const test = base.extend<object, { languages: string }>({
  languages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'glyphlift-languages-'));
      const english = createRequire(import.meta.url).resolve(
        '@tesseract.js-data/eng/4.0.0/eng.traineddata.gz',
      );
      writeFileSync(join(folder, 'fra.traineddata'), gunzipSync(readFileSync(english)));
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  settings: async ({ languages }, use) => {
    await use({ ...PATIENT, OCR_LANG_DIRS: languages });
  },
});

test.use({ expectedConsole: REFUSALS });

test('premium chooses languages, which are remembered, and keeps the text', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'polyglot');
  await open(page);
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('checkbox', { name: 'French' }).check();
  await expectAccessible();
  const chosen = page.getByRole('button', { name: 'Languages: English, French' });
  await expect(chosen).toBeVisible();
  await open(page);
  await expect(chosen).toBeVisible();

  await page.locator('input[type=file]').setInputFiles(NOTE);
  const answer = page.waitForResponse('**/api/extract-text');
  await page.getByRole('button', { name: 'Extract Text' }).click();
  expect(await (await answer).json()).toMatchObject({ language: 'eng+fra' });
  await page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Save text' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this text' });
  await expect(dialog.getByLabel('Name')).toHaveValue('note');
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Saved');
  await open(page, '/account');
  await expect(page.getByRole('heading', { name: 'note', exact: true })).toBeVisible();
  await expect(page.getByText(/Harbour Lane Bakery/)).toBeVisible();
});

test('a French picture that was read as English says so, and is read in French for nothing', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'lecteur');
  await open(page);
  await page.locator('input[type=file]').setInputFiles(FRENCH);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await expect(page.getByText('This looks French. It was read as English')).toBeVisible({ timeout: 30_000 });
  await expectAccessible();
  const answer = page.waitForResponse('**/api/extract-text');
  await page.getByRole('button', { name: 'Read it in French' }).press('Enter');
  expect(await (await answer).json()).toMatchObject({ language: 'fra+eng' });
  await expect(page.getByText('This looks French.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Languages: French, English' })).toBeVisible();
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 1 });
});

test('a visitor whose picture is French is told so, and that premium reads it', async ({ page }) => {
  await open(page);
  await page.locator('input[type=file]').setInputFiles(FRENCH);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  const alert = page.getByRole('status').filter({ hasText: 'This looks French.' });
  await expect(alert).toContainText('Premium reads French', { timeout: 30_000 });
  await alert.getByRole('button', { name: 'Join the waitlist' }).click();
  await expect(page.getByRole('dialog')).toContainText('Coming Soon - Premium Features');
});

for (const width of [1440, 768, 375]) {
  test(`above a result the languages stand in a row of their own at ${width} px, opened or not`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    await becomeMember(page, `barred-${width}`);
    await open(page);
    await page.locator('input[type=file]').setInputFiles(NOTE);
    await page.getByRole('button', { name: 'Extract Text' }).click();
    await page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: 30_000 });
    const languages = page.getByRole('button', { name: /^Languages?:/ });
    for (const opens of [false, true]) {
      if (opens) await languages.click();
      const [row, extract, filter] = await boxesOf(
        languages,
        page.getByRole('button', { name: 'Extract Text' }),
        page.getByLabel('Smart Text Filtering'),
      );
      expect(Math.abs(extract.y + extract.height / 2 - filter.y - filter.height / 2)).toBeLessThan(12);
      expect(row.y).toBeGreaterThanOrEqual(extract.y + extract.height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
}

test('a visitor reads English and is offered no other choice', async ({ page }) => {
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  const answer = page.waitForResponse('**/api/extract-text');
  await page.getByRole('button', { name: 'Extract Text' }).click();
  expect(await (await answer).json()).toMatchObject({ language: 'eng' });
  await page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: /^Languages?:/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save text' })).toHaveCount(0);
});
