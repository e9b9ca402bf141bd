import { readFileSync } from 'node:fs';
import { sheet } from '../../support/pictures.ts';
import {
  chooseInDialog,
  copyOfNote,
  dropFiles,
  NOTE,
  NOTE_TIFF,
  note,
  openTool,
  pasteFiles,
  recordPercentages,
  SKY,
} from '../extraction-page.ts';
import { gate, PATIENT } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

test('a dropped picture becomes text', async ({ page }) => {
  const tool = await openTool(page);
  await dropFiles(page.getByText('Drop a picture here'), [note]);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await tool.read();
  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
});

test('a picture chosen by a click shows name, size and preview, then its text, confidence and word count', async ({
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
  await expect(tool.toast).toContainText(/Extracted \d+ words with \d+% confidence/);
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

test('until more is known, progress climbs by ten to ninety and waits there for the answer', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  // Nothing is heard of the stages, and the picture has left at once.
  await page.route('**/api/extractions/*/events', () => {});
  const held = gate();
  await page.route('**/api/extract-text', async (route) => {
    await held.opened;
    await route.continue();
  });
  const percentages = await recordPercentages(page);
  await tool.extract.click();
  await expect(page.getByRole('button', { name: 'Processing... 90%' })).toBeVisible();
  held.open();
  await expect(tool.toast).toContainText('Success!', { timeout: 30_000 });
  expect(await percentages()).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
});

test('a picture is pasted anywhere on the page', async ({ page }) => {
  const tool = await openTool(page);
  await pasteFiles(page, [note]);
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(tool.extract).toBeEnabled();
});

test('the keyboard alone leads from the empty page to the text', async ({ page }) => {
  const tool = await openTool(page);
  for (let tabs = 0; tabs < 30; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await tool.file.evaluate((input) => input === document.activeElement)) break;
  }
  await expect(tool.file).toBeFocused();
  await chooseInDialog(page, () => page.keyboard.press('Enter'), NOTE);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused({ timeout: 30_000 });
  await expect(tool.text).toHaveValue(/plum jam/);
});

test('a format that browsers cannot show gets its preview from the server', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE_TIFF);
  const preview = page.getByRole('img', { name: 'Preview of note.tif' });
  await expect(preview).toBeVisible();
  expect(await preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test('a picture without text ends in a notice, not in a success, and costs nothing', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(SKY);
  await tool.read();
  await expect(page.getByText('No text was found in this picture.')).toBeVisible();
  await expect(tool.text).toHaveValue('');
  await expect(page.getByText('Success!')).toHaveCount(0);
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 0 });
});

test('cancelling keeps the picture and gives the extraction back', async ({ page }) => {
  const tool = await openTool(page);
  // Large enough that it is still being read when the button is pressed.
  await tool.file.setInputFiles({ name: 'sheet.png', mimeType: 'image/png', buffer: await sheet(240) });
  await tool.extract.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(tool.extract).toBeFocused();
  await expect(page.getByText('sheet.png', { exact: true })).toBeVisible();
  await expect
    .poll(async () => (await page.request.get('/api/usage')).json())
    .toMatchObject({ imageCount: 0 });
});

test('the text is copied as it was edited, the badges stay with what was read', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  const badge = await page.getByText(/^\d+ words$/).textContent();
  await tool.text.fill('Something else entirely');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(tool.toast).toContainText('Copied!');
  await expect(tool.toast).toContainText('Text copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Something else entirely');
  await expect(page.getByText(/^\d+ words$/)).toHaveText(badge ?? '');
});

test('where copying is forbidden the text is selected, to be copied by hand', async ({ page, context }) => {
  await context.grantPermissions([]);
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(tool.toast).toContainText('Copy failed');
  await expect(tool.toast).toContainText('Please select and copy the text manually');
  const selected = await tool.text.evaluate(
    (area: HTMLTextAreaElement) => area.selectionEnd - area.selectionStart === area.value.length,
  );
  expect(selected).toBe(true);
});

test('the text is saved as a plain text file in UTF-8', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await tool.text.fill('Grüße — 東京\nzweite Zeile');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^extracted-text-\d{4}-\d{2}-\d{2}-\d{6}\.txt$/);
  expect(readFileSync(await download.path(), 'utf8')).toBe('Grüße — 東京\nzweite Zeile');
  await expect(tool.toast).toContainText('Downloaded!');
});

test('"Upload Another Image" clears everything and says so', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await page.getByRole('button', { name: 'Upload Another Image' }).click();
  await expect(tool.toast).toContainText('Form Reset');
  await expect(tool.toast).toContainText('Ready for your next image extraction');
  await expect(page.getByText('Drop a picture here')).toBeVisible();
  await expect(tool.extract).toBeDisabled();
  await expect(tool.text).toHaveCount(0);
});

test('choosing a new file clears the text and the result', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await tool.choose(SKY);
  await expect(tool.text).toHaveCount(0);
  await expect(page.getByText('sky.png', { exact: true })).toBeVisible();
});

test('the limit is warned of before it is reached, and named when it is', async ({ page }) => {
  const tool = await openTool(page);
  await expect(page.getByText('Free users get 3 extractions daily.')).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Upgrade for upto 1500 extractions per month' }),
  ).toHaveAttribute('href', '/premium');
  await tool.choose(copyOfNote(1));
  const warning = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Upgrade Now' }) });
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
});

test.describe('when the quota is used up', () => {
  test.use({ expectedConsole: [/429/] });

  test('the refusal stays in place with the picture, and is not offered to be tried again', async ({
    page,
  }) => {
    const tool = await openTool(page);
    for (let press = 0; press < 3; press += 1) {
      await tool.choose(copyOfNote(press));
      await tool.read();
    }
    await tool.choose(copyOfNote(3));
    await tool.extract.click();
    // Behind the dialog that offers more, so hidden from assistive technology until that is closed.
    const refusal = page.getByRole('alert', { includeHidden: true }).filter({ hasText: 'Extraction failed' });
    await expect(refusal).toContainText('Daily limit reached');
    await expect(refusal).toContainText(
      /You have read 3 of 3 pictures today\. Your count starts anew in \d+ (h|min)\./,
    );
    await expect(refusal.getByRole('button', { name: 'Try again', includeHidden: true })).toHaveCount(0);
    await expect(page.getByText('You have used 3 of 3 free extractions today')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await refusal.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
    const form = page.getByRole('region', { name: 'Extract text from a picture', includeHidden: true });
    await expect(form.getByText('note.png', { exact: true })).toBeVisible();
  });
});
