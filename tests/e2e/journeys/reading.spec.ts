import { readFileSync } from 'node:fs';
import { sheet } from '../../support/pictures.ts';
import {
  chooseInDialog,
  copyOfNote,
  dropFiles,
  NOTE,
  note,
  openTool,
  recordPercentages,
} from '../extraction-page.ts';
import { imageCount } from '../file-list.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

test('reading: a dropped picture becomes text', async ({ page }) => {
  const tool = await openTool(page);
  await dropFiles(page.getByText('Drop a picture here'), [note]);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await tool.read();
  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
});

test('reading: a picture chosen with a click shows name, size and preview, then progress, text, confidence and word count', async ({
  page,
}) => {
  const tool = await openTool(page);
  await expect(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeVisible();
  await expect(tool.extract).toBeDisabled();
  await expect(page.getByRole('switch', { name: 'Smart Text Filtering' })).toBeChecked();

  await chooseInDialog(page, () => page.getByText('click to browse').click(), NOTE);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(page.getByText('0.01 MB')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();

  const percentages = await recordPercentages(page);
  await tool.extract.click();
  await expect(page.getByText('Processing your image...')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Processing\.\.\. \d+%$/ })).toBeDisabled();
  await expect(tool.toast).toContainText(/Extracted \d+ words with \d+% confidence/, { timeout: 30_000 });
  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
  await expect(page.getByText(/^\d+% confidence$/)).toBeVisible();
  await expect(page.getByText(/^\d+ words$/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  await expect(page.getByText('0.01 MB')).toBeVisible();

  const shown = await percentages();
  expect(shown.at(-1)).toBe(100);
  const before = shown.slice(0, -1);
  expect(before).toEqual([...before].sort((a, b) => a - b));
  expect(Math.max(...before)).toBeLessThanOrEqual(90);
});

test('reading: works from the empty page to the text by keyboard', async ({ page }) => {
  const tool = await openTool(page);
  for (let tabs = 0; tabs < 30; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await tool.file.evaluate((input) => input === document.activeElement)) break;
  }
  await expect(tool.file).toBeFocused();
  await chooseInDialog(page, () => page.keyboard.press('Enter'), NOTE);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused({ timeout: 30_000 });
  await expect(tool.text).toHaveValue(/plum jam/);
});

test('reading: Cancel keeps the picture, and the extraction is not counted', async ({ page }) => {
  const tool = await openTool(page);
  // Reading this picture takes longer than clicking the button.
  await tool.file.setInputFiles({ name: 'sheet.png', mimeType: 'image/png', buffer: await sheet(240) });
  await tool.extract.click();
  await expect.poll(() => imageCount(page)).toBe(1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(tool.extract).toBeFocused();
  await expect(page.getByText('sheet.png', { exact: true })).toBeVisible();
  await expect.poll(() => imageCount(page)).toBe(0);
});

test('reading: an edited text is copied and saved as a UTF-8 file, and the badges still describe the original result', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  const badge = await page.getByText(/^\d+ words$/).textContent();
  const edited = 'Grüße — 東京\nzweite Zeile';
  await tool.text.fill(edited);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(tool.toast).toContainText('Copied!');
  await expect(tool.toast).toContainText('Text copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(edited);
  await expect(page.getByText(/^\d+ words$/)).toHaveText(badge ?? '');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^extracted-text-\d{4}-\d{2}-\d{2}-\d{6}\.txt$/);
  expect(readFileSync(await download.path(), 'utf8')).toBe(edited);
  await expect(tool.toast).toContainText('Downloaded!');
});

test.describe('daily limit', () => {
  test.use({ expectedConsole: [/429/] });

  test('reading: the daily limit is announced before it is reached, and a further picture is rejected with an alternative', async ({
    page,
  }) => {
    const tool = await openTool(page);
    await expect(page.getByText('Free users get 3 extractions daily.')).toBeVisible();
    await expect(
      page.getByRole('link', { name: 'Upgrade for upto 1500 extractions per month' }),
    ).toHaveAttribute('href', '/premium');
    const upgrade = page.getByRole('button', { name: 'Upgrade Now' });
    const warning = page.getByRole('status').filter({ has: upgrade });
    await tool.choose(copyOfNote(1));
    await tool.read();
    await expect(warning).toHaveCount(0);
    await tool.choose(copyOfNote(2));
    await tool.read();
    await expect(warning).toContainText(
      'Only 1 extraction remaining today. Upgrade to Premium for unlimited access!',
    );
    await tool.choose(copyOfNote(3));
    await tool.read();
    await expect(warning).toContainText('Daily limit reached. Upgrade to Premium for unlimited extractions!');

    await tool.choose(copyOfNote(4));
    await tool.extract.click();
    // The open dialog hides the message from assistive technology.
    const refusal = page.getByRole('alert', { includeHidden: true }).filter({ hasText: 'Extraction failed' });
    await expect(refusal).toContainText('Daily limit reached');
    await expect(refusal).toContainText(
      /You have read 3 of 3 pictures today\. Your count resets in \d+ (h|min)\./,
    );
    await expect(refusal.getByRole('button', { name: 'Try again', includeHidden: true })).toHaveCount(0);
    await expect(page.getByText('You have used 3 of 3 free extractions today')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await refusal.getByRole('button', { name: 'Upgrade Now' }).click();
    await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
    const form = page.getByRole('region', { name: 'Extract text from a picture', includeHidden: true });
    await expect(form.getByText('note.png', { exact: true })).toBeVisible();
  });
});
