import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import sharp from 'sharp';
import { getDocumentProxy } from 'unpdf';
import { openTool } from './extraction-page.ts';
import { becomeMember, open, PATIENT, REFUSALS } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT, expectedConsole: REFUSALS });

const FREE = {
  CSV: /^extracted-text-[\d-]+\.csv$/,
  Markdown: /^extracted-text-[\d-]+\.md$/,
  JSON: /^extracted-text-[\d-]+\.json$/,
  hOCR: /^extracted-text-[\d-]+\.hocr$/,
  ALTO: /^extracted-text-[\d-]+\.alto\.xml$/,
} as const;

/** A price list: a table of three columns. */
async function priceList(): Promise<Buffer> {
  const rows = [
    ['Loaf', 'small', '2.40'],
    ['Loaf', 'large', '3.90'],
    ['Honey', 'glass', '6.50'],
    ['Cheese', 'piece', '4.80'],
  ];
  const cells = rows.flatMap((row, y) =>
    row.map(
      (text, x) =>
        `<text x="${60 + 260 * x}" y="${90 + 80 * y}" font-family="DejaVu Sans" font-size="36">${text}</text>`,
    ),
  );
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><rect width="800" height="400" fill="white"/>${cells.join('')}</svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}

/** Reads the list and corrects its first word. */
async function readList(page: Page) {
  const tool = await openTool(page);
  await tool.file.setInputFiles({ name: 'list.png', mimeType: 'image/png', buffer: await priceList() });
  await tool.read();
  await tool.text.press('Control+Home');
  for (let letter = 0; letter < 'Loaf'.length; letter += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.type('Bread');
  await expect(tool.text).toHaveValue(/^Bread small 2\.40/);
  return tool;
}

const more = (page: Page) => page.getByRole('button', { name: 'More formats' });
const item = (page: Page, name: string) =>
  page.getByRole('menu', { name: 'More formats' }).getByRole('menuitem', { name: new RegExp(`^${name}`) });

async function bytesOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

test('an edited text is taken away in every free format, by mouse and by keyboard @every-width', async ({
  page,
  expectAccessible,
}) => {
  const tool = await readList(page);
  await more(page).click();
  await expect(item(page, 'Searchable PDF')).toContainText('Premium');
  await expectAccessible();
  await page.keyboard.press('Escape');
  await expect(more(page)).toBeFocused();

  for (const [name, fileName] of Object.entries(FREE)) {
    const downloading = page.waitForEvent('download');
    await more(page).click();
    await item(page, name).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(fileName);
    expect((await bytesOf(download)).toString('utf8'), name).toContain('Bread');
    await expect(tool.toast).toContainText('Downloaded!');
  }

  await more(page).press('ArrowDown');
  await expect(item(page, 'Searchable PDF')).toBeFocused();
  await page.keyboard.press('m');
  await expect(item(page, 'Markdown')).toBeFocused();
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await bytesOf(await downloading)).toString('utf8')).toMatch(/^\| Bread {2}\| small \| 2\.40 \|$/m);
  await expect(more(page)).toBeFocused();
});

test('whoever is free is told what is premium, led there, and loses nothing', async ({ page }) => {
  const tool = await readList(page);
  await more(page).click();
  await item(page, 'Word').click();
  const note = page.getByRole('status').filter({ hasText: 'Word is part of Premium' });
  await expect(note).toContainText('Your text stays here as it is.');
  await note.getByRole('button', { name: 'Join the waitlist' }).click();
  await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tool.text).toHaveValue(/^Bread small 2\.40/);
  await note.getByRole('button', { name: 'Close' }).click();
  await expect(note).toHaveCount(0);
});

test('premium takes a searchable PDF, Word and Excel files, of a recent result as well', async ({ page }) => {
  await becomeMember(page, 'exporter');
  await open(page);
  await readList(page);
  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('The text above is kept');
  await page.reload();
  await page.getByRole('button', { name: /^Open list\.png/ }).click();
  await expect(page.getByRole('textbox', { name: 'Extracted text' })).toHaveValue(/^Bread/);
  const take = async (name: string) => {
    const downloading = page.waitForEvent('download');
    await more(page).click();
    await item(page, name).click();
    return bytesOf(await downloading);
  };
  const pdf = await getDocumentProxy(new Uint8Array(await take('Searchable PDF')));
  const { items }: { items: readonly { str?: string }[] } = await (await pdf.getPage(1)).getTextContent();
  const text = items.map(({ str = '' }) => str).join('');
  expect(text).toContain('Bread');
  expect(text).not.toContain('Loafsmall');
  for (const name of ['Word', 'Excel']) expect((await take(name)).subarray(0, 2).toString(), name).toBe('PK');
});

test('a text without a table is not offered as one', async ({ page }) => {
  const tool = await readList(page);
  await tool.text.fill('All written anew');
  await more(page).click();
  await expect(item(page, 'Markdown')).toBeVisible();
  await expect(item(page, 'CSV')).toHaveCount(0);
  await expect(item(page, 'Excel')).toHaveCount(0);
});

test('a writer that cannot be fetched says so and keeps everything; trying again helps', async ({ page }) => {
  const tool = await readList(page);
  await page.route(/\/assets\/markdown-/, (route) => route.abort());
  await more(page).click();
  await item(page, 'Markdown').click();
  const problem = page.getByRole('alert').filter({ hasText: 'The Markdown file could not be made' });
  await expect(problem).toContainText('Your text is still here.');
  await expect(tool.text).toHaveValue(/^Bread small 2\.40/);
  await page.unroute(/\/assets\/markdown-/);
  const downloading = page.waitForEvent('download');
  await problem.getByRole('button', { name: 'Try again' }).click();
  expect((await bytesOf(await downloading)).toString('utf8')).toMatch(/^\| Bread /m);
  await expect(problem).toHaveCount(0);
});

test('no writer is fetched before it is asked for', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await readList(page);
  const writers = () =>
    loaded.filter((path) => /\/(pdf|docx|xlsx|csv|markdown|json|hocr|alto|export-text)-/.test(path));
  expect(writers()).toEqual([]);
  await more(page).click();
  await expect(item(page, 'JSON')).toBeVisible();
  expect(writers()).toEqual([expect.stringContaining('/export-text-')]);
});

test('on paper stand the text and the picture, without advertisements and controls', async ({ page }) => {
  await readList(page);
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('.print-sheet');
  await expect(sheet).toContainText('Bread small 2.40');
  await expect(sheet.locator('img')).toBeVisible();
  for (const hidden of ['header', 'footer', '[data-ad-format]', 'button', 'textarea', 'a'])
    await expect(page.locator(hidden).filter({ visible: true }), hidden).toHaveCount(0);
});
