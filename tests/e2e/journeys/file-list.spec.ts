import { copyOfNote, dropFiles, openTool, payloadOf } from '../extraction-page.ts';
import { imageCount, names, pictures, READ, row, rows } from '../file-list.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

test('file list: several dropped pictures are read one after another, and open with their edits', async ({
  page,
}) => {
  const tool = await openTool(page);
  await dropFiles(page.getByText('Drop a picture here'), pictures(2));
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, 'page-1.png')).toContainText('Waiting');
  await expect(row(page, 'page-2.png')).toContainText('0.01 MB');
  await expect(row(page, 'page-2.png').locator('img')).toBeVisible();
  await tool.extract.click();
  await expect(page.getByRole('button', { name: /^Processing\.\.\. \d+%$/ })).toBeDisabled();
  await expect(row(page, 'page-1.png')).toContainText(READ, { timeout: 30_000 });
  await expect(row(page, 'page-2.png')).toContainText(READ, { timeout: 30_000 });
  await expect(tool.toast).toContainText(/Extracted \d+ words with \d+% confidence from 2 pictures/);
  expect(await imageCount(page)).toBe(2);

  const open = (number: number) =>
    page.getByRole('button', { name: `Open page-${number}.png`, exact: true }).click();
  await open(1);
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  await tool.text.press('Control+Home');
  await page.keyboard.type('First: ');
  await open(2);
  await expect(tool.text).toHaveValue(/^Harbour Lane/);
  await open(1);
  await expect(tool.text).toHaveValue(/^First: Harbour Lane/);
  await expect(page.getByRole('img', { name: 'The original: page-1.png' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent results' }).getByText('page-2.png')).toBeVisible();

  await page.getByRole('button', { name: 'Copy or download all' }).click();
  await expect(page.getByRole('textbox', { name: 'All texts together' })).toHaveValue(
    /^==> page-1\.png <==\n\nFirst: Harbour Lane[\s\S]+\n==> page-2\.png <==\n\nHarbour Lane/,
  );
});

test('file list: pictures beyond the daily limit are announced, are not read, and are kept after a reload', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.choose(copyOfNote(20));
  await tool.read();
  await tool.file.setInputFiles(pictures(5, 21).map(payloadOf));
  const ahead = page.getByRole('status').filter({ hasText: '2 of these 5 can be read today' });
  await expect(ahead).toContainText('The others stay here');
  await expect(ahead.getByRole('button', { name: 'Join the waitlist' })).toBeVisible();
  await tool.extract.click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(2, { timeout: 40_000 });
  await expect(rows(page).filter({ hasText: 'Waiting' })).toHaveCount(3);
  await expect(page.getByText('None of these 3 can be read today')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await imageCount(page)).toBe(3);

  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('page-22.png');
  await page.reload();
  await expect(page.getByText('3 pictures of your last list wait to be read')).toBeVisible();
  await expect(page.getByText('page-23.png, page-24.png, page-25.png')).toBeVisible();
  await page.getByRole('button', { name: 'Open the list' }).click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(2);
  await expect.poll(() => names(page)).toEqual([21, 22, 23, 24, 25].map((number) => `page-${number}.png`));
  await expect(row(page, 'page-25.png').locator('img')).toBeVisible();
  await page.getByRole('button', { name: 'Open page-21.png', exact: true }).click();
  await expect(tool.text).toHaveValue(/^Harbour Lane/);
});
