import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, toastOf } from '../people.ts';
import { test as base, expect } from '../test.ts';

const FRENCH = join(import.meta.dirname, '../../fixtures/languages/fra.png');

/** A server with a second language: the English data under the code of French, so that no other data is needed. */
const test = base.extend<object, { languages: string }>({
  languages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'glyphlift-languages-'));
      const english = createRequire(import.meta.url).resolve(
        '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
      );
      writeFileSync(join(folder, 'fra.traineddata'), gunzipSync(readFileSync(english)));
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  settings: async ({ languages }, use) => {
    await use({ ...HIGH_RATE_LIMITS, OCR_LANG_DIRS: languages });
  },
});

test.use({ expectedConsole: FAILED_REQUESTS });

test('languages: a member chooses two, which are stored over a reload, reads a picture in them and saves its text', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'polyglot');
  await open(page);
  await page.getByRole('button', { name: 'Language: Found automatically' }).click();
  await page.getByRole('checkbox', { name: 'English' }).check();
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

test('languages: a French picture is automatically read again in French, and counts once', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'lecteur');
  await open(page);
  await page.locator('input[type=file]').setInputFiles(FRENCH);
  const answer = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/api/extract-text') && (await response.json()).language === 'fra+eng',
  );
  await page.getByRole('button', { name: 'Extract Text' }).click();
  const { confidence } = await (await answer).json();
  await expect(page.getByText(`${confidence}% confidence`, { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Language: French, found' })).toBeVisible();
  await expect(page.getByText('This looks French.')).toHaveCount(0);
  await expectAccessible();
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 1 });
});
