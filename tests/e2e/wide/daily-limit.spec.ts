import { sheet } from '../../support/pictures.ts';
import { NOTE, NOTE_TIFF } from '../extraction-page.ts';
import { open, PATIENT, REFUSALS, signInButton } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, FREE_DAILY_LIMIT: '2' }, expectedConsole: REFUSALS });

test('every page and dialog that states the daily limit follows the setting', async ({ page }) => {
  await open(page);
  await expect(page.getByText('Free users get 2 extractions daily.')).toBeVisible();
  await expect(page.getByText('Two pictures a day without an account')).toBeVisible();
  await signInButton(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('two pictures a day are free');
  await dialog.getByRole('button', { name: 'Notify Me When Ready' }).click();
  await expect(dialog).toContainText('1,500 pictures a month instead of two a day.');

  await open(page, '/premium');
  await expect(page.getByText('more than two pictures a day')).toBeVisible();
  await expect(page.getByRole('cell', { name: '2 per day' })).toBeVisible();
  expect(await page.content()).not.toMatch(/three (pictures )?a day|3 per day/i);
});

test('what a visitor may still read stays in sight beside a result, and at the limit when the count starts anew', async ({
  page,
}) => {
  const reset = /Your count starts anew in \d+ (h|min)\./;
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await expect(page.getByText(reset)).toHaveCount(0);
  const extract = page.getByRole('button', { name: 'Extract Text' });
  const limit = page.getByRole('status').filter({ hasText: 'Daily limit reached.' });
  const read = async () => {
    await extract.click();
    await expect(page.getByText('Success!', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeVisible();
    await expect(page.getByText('Free users get 2 extractions daily.')).toBeVisible();
  };
  await read();
  await expect(limit).toHaveCount(0);
  await page.locator('input[type=file]').setInputFiles(NOTE_TIFF);
  await read();
  await expect(limit).toHaveText(reset);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'third.png', mimeType: 'image/png', buffer: await sheet(16) });
  await extract.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert').filter({ hasText: 'Daily limit reached.' })).toHaveText(reset);

  // What is paid for is there all the same, whichever way the switch is.
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.getByRole('switch', { name: 'Smart Text Filtering' }).click();
  await read();
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 2 });
});
