import type { Locator, Page } from '@playwright/test';
import { halfBrokenTiff, scanPage, twoPageTiff } from '../../support/documents.ts';
import { lockedPdf, pdfOf } from '../../support/pdf.ts';
import { dropFiles, note, openTool, pasteFiles } from '../extraction-page.ts';
import { PATIENT } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

const rows = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const names = (page: Page) => rows(page).locator('p.font-medium').allTextContents();
const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const OPEN = 'Open its pages as pictures';
const FREE = 'Text from the PDF, nothing was counted';
const READ = /Read: \d+ words, \d+% confidence/;

const file = (name: string, type: string, bytes: Uint8Array) => ({
  name,
  mimeType: type,
  buffer: Buffer.from(bytes),
});
const pdfFile = (name: string, bytes: Uint8Array) => file(name, 'application/pdf', bytes);

/** A page with its text, of so many words, and a scanned one. */
const letter = async (words: string) => pdfOf([{ width: 400, height: 300, words }, await scanPage()]);

const imageCount = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/usage')).json()).imageCount;

/** What the page sends and asks for from now on. */
function watch(page: Page) {
  const sent: string[] = [];
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'POST' && url.pathname.startsWith('/api/')) sent.push(url.pathname);
    if (url.protocol.startsWith('http') && url.host !== new URL(page.url()).host) elsewhere.push(url.href);
  });
  return { sent, elsewhere };
}

test('a PDF is refused in the specified words, and its pages open from the toast: text at no cost, a scan to be read', async ({
  page,
  expectAccessible,
}) => {
  const tool = await openTool(page);
  const { sent, elsewhere } = watch(page);
  await tool.file.setInputFiles(pdfFile('letter.pdf', await letter('Paid in full on Tuesday')));
  await expect(tool.toast).toContainText('Invalid file type');
  await expect(tool.toast).toContainText('Please select an image file (PNG, JPG, WebP)');
  await expect(page.getByRole('alert').getByRole('button', { name: OPEN })).toBeVisible();
  await tool.toast.getByRole('button', { name: OPEN }).click();

  await expect(row(page, 'letter-page-1.png')).toContainText(`${FREE}: 5 words`, { timeout: 15_000 });
  await expect(row(page, 'letter-page-2.jpg')).toContainText('Waiting', { timeout: 15_000 });
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, 'letter-page-1.png').locator('img')).toBeVisible();
  await expect(row(page, 'letter-page-2.jpg').locator('img')).toBeVisible();
  await page.getByRole('button', { name: 'Open letter-page-1.png', exact: true }).click();
  await expect(text(page)).toHaveValue('Paid in full on Tuesday');
  await expect(page.getByText(`${FREE}. It is as the PDF holds it`)).toBeVisible();
  await expect(page.getByText('% confidence')).toHaveCount(0);
  // Words lie where the page has them.
  await page.locator('.word-boxes rect[data-piece="2"]').hover();
  await expect(page.locator('.text-editor [data-state=hovered]')).toHaveText('full');
  await expectAccessible();
  expect(sent).toEqual([]);
  expect(await imageCount(page)).toBe(0);

  await tool.extract.click();
  await expect(row(page, 'letter-page-2.jpg')).toContainText(READ, { timeout: 30_000 });
  expect(sent.filter((path) => path === '/api/extract-text')).toHaveLength(1);
  expect(await imageCount(page)).toBe(1);
  await page.getByRole('button', { name: 'All together' }).click();
  await expect(page.getByRole('textbox', { name: 'All texts together' })).toHaveValue(
    /==> letter-page-1\.png <==\n\nPaid in full on Tuesday\n\n==> letter-page-2\.jpg <==\n\nHarbour lights/,
  );
  expect(elsewhere).toEqual([]);
});

test('by keyboard too: from the toast to the text of a page, and to reading its picture instead', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(pdfFile('note.pdf', await letter('Harbour lights')));
  await expect(tool.toast.getByRole('button', { name: OPEN })).toBeVisible();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(tool.toast.getByRole('button', { name: OPEN })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /files?$|file/ }).first()).toBeFocused();
  await expect(rows(page)).toHaveCount(2, { timeout: 15_000 });
  const open = page.getByRole('button', { name: 'Open note-page-1.png', exact: true });
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    if (await open.evaluate((button) => button === document.activeElement)) break;
  }
  await expect(open).toBeFocused();
  await page.keyboard.press('Tab');
  const instead = page.getByRole('button', { name: 'Read note-page-1.png as a picture' });
  await expect(instead).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 'note-page-1.png')).toContainText(READ, { timeout: 30_000 });
  await expect(row(page, 'note-page-2.jpg')).toContainText('Waiting');
  expect(await imageCount(page)).toBe(1);
  await page.keyboard.press('Enter');
  await expect(text(page)).toHaveValue('Harbour lights');
  await expect(page.getByText(FREE)).toHaveCount(0);
});

test('a PDF that is pasted is offered alike, what was chosen before comes along, and all of it outlives a reload', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.choose({ ...note, name: 'before.png' });
  await expect(page.getByRole('img', { name: 'Preview of before.png' })).toBeVisible();
  const bytes = Buffer.from(await letter('Kept for later'));
  await pasteFiles(page, [{ name: 'letter.pdf', type: 'application/pdf', bytes }]);
  await expect(tool.toast).toContainText('Please select an image file (PNG, JPG, WebP)');
  await expect(page.getByRole('img', { name: 'Preview of before.png' })).toBeVisible();
  await tool.toast.getByRole('button', { name: OPEN }).click();
  await expect(rows(page)).toHaveCount(3, { timeout: 15_000 });
  const all = ['before.png', 'letter-page-1.png', 'letter-page-2.jpg'];
  await expect.poll(() => names(page), { timeout: 15_000 }).toEqual(all);
  await page.getByRole('button', { name: 'Open letter-page-1.png', exact: true }).click();
  await text(page).press('Control+Home');
  await page.keyboard.type('Still ');
  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('The text above is kept');

  await page.reload();
  await expect(page.getByText('2 pictures of your last list wait to be read')).toBeVisible();
  await page.getByRole('button', { name: 'Open the list' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect.poll(() => names(page), { timeout: 15_000 }).toEqual(all);
  await expect(row(page, 'letter-page-1.png')).toContainText(FREE);
  await page.getByRole('button', { name: 'Open letter-page-1.png', exact: true }).click();
  await expect(text(page)).toHaveValue('Still Kept for later');
});

test('the pages of a PDF among pictures take its place in the list, and each is removed alone', async ({
  page,
}) => {
  await openTool(page);
  await dropFiles(page.getByText('Drop a picture here'), [
    { ...note, name: 'first.png' },
    { name: 'between.pdf', type: 'application/pdf', bytes: Buffer.from(await letter('One of two')) },
    { ...note, name: 'last.png' },
  ]);
  await expect(row(page, 'between.pdf')).toContainText('This is a PDF');
  await page.getByRole('button', { name: OPEN }).click();
  await expect(rows(page)).toHaveCount(4, { timeout: 15_000 });
  await expect
    .poll(() => names(page), { timeout: 15_000 })
    .toEqual(['first.png', 'between-page-1.png', 'between-page-2.jpg', 'last.png']);
  await page.getByRole('button', { name: 'Remove between-page-1.png' }).click();
  await expect
    .poll(() => names(page), { timeout: 15_000 })
    .toEqual(['first.png', 'between-page-2.jpg', 'last.png']);
});

test('a TIFF of two pages is one picture as it is, and opens as two', async ({ page }) => {
  const tool = await openTool(page);
  const { sent } = watch(page);
  await tool.file.setInputFiles(file('fax.tif', 'image/tiff', await twoPageTiff()));
  await expect(tool.toast).toContainText('This TIFF has 2 pages');
  await expect(tool.extract).toBeEnabled();
  await tool.toast.getByRole('button', { name: OPEN }).click();
  await expect(rows(page)).toHaveCount(2, { timeout: 15_000 });
  await expect.poll(() => names(page), { timeout: 15_000 }).toEqual(['fax-page-1.png', 'fax-page-2.png']);
  await expect(row(page, 'fax-page-2.png').locator('img')).toBeVisible();
  expect(sent).not.toContain('/api/extract-text');
  await tool.extract.click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(2, { timeout: 30_000 });
});

/** Goes on by Tab, around the page if need be. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('a TIFF opens by keyboard alone, from choosing it to the texts of its pages', async ({ page }) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(file('fax.tif', 'image/tiff', await twoPageTiff()));
  const open = tool.toast.getByRole('button', { name: OPEN });
  await expect(open).toBeVisible();
  await page.keyboard.press('F8');
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2, { timeout: 15_000 });
  await expect(page.getByRole('heading', { name: /files?$|file/ }).first()).toBeFocused();
  await tabTo(page, tool.extract);
  await page.keyboard.press('Enter');
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(2, { timeout: 30_000 });
  await tabTo(page, page.getByRole('button', { name: 'Open fax-page-2.png', exact: true }));
  await page.keyboard.press('Enter');
  await expect(text(page)).toHaveValue(/harbour lights/i);
});

test('a document of more pages than a list takes says which are open, and the others are had in their place', async ({
  page,
}) => {
  const tool = await openTool(page);
  const pages = Array.from({ length: 102 }, (_, at) => ({ width: 160, height: 90, words: `Leaf ${at + 1}` }));
  await tool.file.setInputFiles(pdfFile('book.pdf', await pdfOf(pages)));
  await tool.toast.getByRole('button', { name: OPEN }).click();
  await expect(row(page, 'book.pdf')).toContainText('Pages 1 to 99 of 102 are open', { timeout: 50_000 });
  await expect(row(page, 'book.pdf')).toContainText('A list takes 100 files');
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole('button', { name: 'Open the next pages instead' }).click();
  await expect(rows(page)).toHaveCount(3, { timeout: 15_000 });
  await expect
    .poll(() => names(page), { timeout: 15_000 })
    .toEqual([100, 101, 102].map((number) => `book-page-${number}.png`));
  await page.getByRole('button', { name: 'Open book-page-102.png', exact: true }).click();
  await expect(text(page)).toHaveValue('Leaf 102');
});

for (const [what, name, bytes, words] of [
  ['a locked PDF', 'locked.pdf', lockedPdf, 'It is locked with a password'],
  ['a broken PDF', 'broken.pdf', async () => Buffer.from('%PDF-1.7\n'), 'It is broken'],
] as const) {
  test(`${what} is told to be that, in words that lead on, and what was there stays`, async ({ page }) => {
    const tool = await openTool(page);
    await tool.choose({ ...note, name: 'before.png' });
    await tool.file.setInputFiles(pdfFile(name, await bytes()));
    await tool.toast.getByRole('button', { name: OPEN }).click();
    await expect(row(page, name)).toContainText(words, { timeout: 15_000 });
    await expect(row(page, 'before.png')).toContainText('Waiting');
    await page.getByRole('button', { name: 'Close the list' }).click();
    await expect(page.getByText('Drop a picture here')).toBeVisible();
  });
}

test('a TIFF of which a page cannot be drawn has the others opened, and says which one is missing', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(file('torn.tif', 'image/tiff', await halfBrokenTiff()));
  await tool.toast.getByRole('button', { name: OPEN }).click();
  await expect(row(page, 'torn.tif')).toContainText('Could not be drawn: page 2.', { timeout: 15_000 });
  await expect(row(page, 'torn-page-1.png')).toContainText('Waiting');
});

test.describe('what opens a PDF', () => {
  test('may compile what draws it and reach nothing, and no page may', async ({ page, request }) => {
    const tool = await openTool(page);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    const pdf = await pdfOf([{ width: 300, height: 200, words: 'One alone' }]);
    await tool.file.setInputFiles(pdfFile('one.pdf', pdf));
    await tool.toast.getByRole('button', { name: OPEN }).click();
    await expect(row(page, 'one-page-1.png')).toBeVisible({ timeout: 15_000 });
    const address = workers.find((url) => url.includes('pdf-worker'));
    const policy = (await request.get(address!)).headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'");
    for (const other of ['/', address!.replace('pdf-worker', 'tiff-worker'), `${address}?x`]) {
      const answer = await request.get(other);
      expect(answer.headers()['content-security-policy'], other).not.toContain('wasm');
    }
  });
});
