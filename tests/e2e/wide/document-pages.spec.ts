import { pdfOf } from '../../support/pdf.ts';
import { openTool } from '../extraction-page.ts';
import { names, row, rows } from '../file-list.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

test('document pages: of more than a hundred pages the first ones open, and the others replace them on request', async ({
  page,
}) => {
  const tool = await openTool(page);
  const pages = Array.from({ length: 102 }, (_, at) => ({ width: 160, height: 90, words: `Leaf ${at + 1}` }));
  await tool.file.setInputFiles({
    name: 'book.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdfOf(pages)),
  });
  await expect(row(page, 'book.pdf')).toContainText('Pages 1 to 99 of 102 are open', { timeout: 50_000 });
  await expect(row(page, 'book.pdf')).toContainText('A list can have 100 files');
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole('button', { name: 'Open the next pages instead' }).click();
  await expect.poll(() => names(page)).toEqual([100, 101, 102].map((number) => `book-page-${number}.png`));
  await page.getByRole('button', { name: 'Open book-page-102.png', exact: true }).click();
  await expect(tool.text).toHaveValue('Leaf 102');
});
