import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { getDocumentProxy } from 'unpdf';
import { openTool } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open } from '../people.ts';
import { expect, test } from '../test.ts';

/* Downloads of a corrected text in other formats. */

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

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

/** Downloads the text in this format. */
async function download(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More formats' }).click();
  const menu = page.getByRole('menu', { name: 'More formats' });
  await menu.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
  const file = await downloading;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('formats: a visitor opens a sample and downloads it, corrected, in every free format', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.openSample('Table');
  const cell = page.getByRole('textbox', { name: 'Month, row 3', exact: true });
  await cell.fill('Juno');
  await cell.press('Enter');
  await expect(tool.text).toHaveValue(/^Juno 3,874 2,640 48$/m);
  for (const [format, extension, holds] of [
    ['CSV', 'csv', /^Juno,"3,874","2,640",48,\r?$/m],
    ['Markdown', 'md', /^\| Juno +\| 3,874 +\| 2,640 +\| 48 +\|/m],
    ['JSON', 'json', /Juno/],
    ['hOCR', 'hocr', /Juno/],
    ['ALTO', 'alto.xml', /Juno/],
  ] as const) {
    const { name, bytes } = await download(page, format);
    expect(name).toMatch(new RegExp(`^extracted-text-[\\d-]+\\.${extension}$`));
    expect(bytes.toString('utf8'), format).toMatch(holds);
    await expect(tool.toast).toContainText('Downloaded!');
  }
});

test('formats: a member downloads a searchable PDF, a Word and an Excel file of a reopened result', async ({
  page,
}) => {
  await becomeMember(page, 'exporter');
  await open(page);
  await readList(page);
  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('The text above is kept');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Extracted text' })).toHaveValue(/^Bread/);

  const { bytes } = await download(page, 'Searchable PDF');
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { items }: { items: readonly { str?: string }[] } = await (await pdf.getPage(1)).getTextContent();
  const text = items.map(({ str = '' }) => str).join('');
  expect(text).toContain('Bread');
  expect(text).not.toContain('Loafsmall');
  for (const format of ['Word', 'Excel'])
    expect((await download(page, format)).bytes.subarray(0, 2).toString(), format).toBe('PK');
});
