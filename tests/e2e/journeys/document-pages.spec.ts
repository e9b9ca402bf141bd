import type { Locator, Page } from '@playwright/test';
import { scanPage, twoPageTiff } from '../../support/documents.ts';
import { pdfOf } from '../../support/pdf.ts';
import { openTool } from '../extraction-page.ts';
import { imageCount, names, READ, row, rows } from '../file-list.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

const FREE = 'Text from the PDF, nothing was counted';

/** Records calls of the API, requests to other hosts and started workers. */
function recordRequests(page: Page) {
  const sent: string[] = [];
  const elsewhere: string[] = [];
  const workers: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'POST' && url.pathname.startsWith('/api/')) sent.push(url.pathname);
    if (url.protocol.startsWith('http') && url.host !== new URL(page.url()).host) elsewhere.push(url.href);
  });
  page.on('worker', (worker) => workers.push(worker.url()));
  return { sent, elsewhere, workers };
}

test('document pages: a PDF opens when it is chosen, its text is free, and a scan is read; only its worker may compile WebAssembly', async ({
  page,
  request,
  expectAccessible,
}) => {
  const tool = await openTool(page);
  const { sent, elsewhere, workers } = recordRequests(page);
  const letter = pdfOf([{ width: 400, height: 300, words: 'Paid in full on Tuesday' }, await scanPage()]);
  await tool.file.setInputFiles({
    name: 'letter.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(letter),
  });
  await expect(row(page, 'letter-page-1.png')).toContainText(`${FREE}: 5 words`);
  await expect(row(page, 'letter-page-2.jpg')).toContainText('Waiting');
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, 'letter-page-1.png').locator('img')).toBeVisible();
  await expect(row(page, 'letter-page-2.jpg').locator('img')).toBeVisible();
  await page.getByRole('button', { name: 'Open letter-page-1.png', exact: true }).click();
  await expect(tool.text).toHaveValue('Paid in full on Tuesday');
  await expect(page.getByText(`${FREE}. It is as the PDF holds it`)).toBeVisible();
  await expect(page.getByText('% confidence')).toHaveCount(0);
  // The words have their positions on the page.
  await page.locator('.word-boxes rect[data-piece="2"]').hover();
  await expect(page.locator('.text-editor [data-state=hovered]')).toHaveText('full');
  await expectAccessible();
  expect(sent).toEqual([]);
  expect(await imageCount(page)).toBe(0);

  await tool.extract.click();
  await expect(row(page, 'letter-page-2.jpg')).toContainText(READ, { timeout: 30_000 });
  expect(sent.filter((path) => path === '/api/extract-text')).toHaveLength(1);
  expect(await imageCount(page)).toBe(1);
  await page.getByRole('button', { name: 'Copy or download all' }).click();
  await expect(page.getByRole('textbox', { name: 'All texts together' })).toHaveValue(
    /^Paid in full on Tuesday\n\nHarbour lights/,
  );
  expect(elsewhere).toEqual([]);

  const address = workers.find((url) => url.includes('pdf-worker'))!;
  const policyOf = async (path: string) => (await request.get(path)).headers()['content-security-policy'];
  expect(await policyOf(address)).toContain(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'",
  );
  for (const other of ['/', address.replace('pdf-worker', 'tiff-worker'), `${address}?x`])
    expect(await policyOf(other), other).not.toContain('wasm');
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('document pages: a TIFF of two pages opens when it is chosen, and both are read by keyboard', async ({
  page,
}) => {
  const tool = await openTool(page);
  const { sent } = recordRequests(page);
  const buffer = await twoPageTiff();
  await tool.file.setInputFiles({ name: 'fax.tif', mimeType: 'image/tiff', buffer });
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('heading', { name: /^2 pages/ })).toBeFocused();
  await expect.poll(() => names(page)).toEqual(['fax-page-1.png', 'fax-page-2.png']);
  await expect(row(page, 'fax-page-2.png').locator('img')).toBeVisible();
  expect(sent).not.toContain('/api/extract-text');
  await tabTo(page, tool.extract);
  await page.keyboard.press('Enter');
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(2, { timeout: 30_000 });
  await tabTo(page, page.getByRole('button', { name: 'Open fax-page-2.png', exact: true }));
  await page.keyboard.press('Enter');
  await expect(tool.text).toHaveValue(/harbour lights/i);
});
