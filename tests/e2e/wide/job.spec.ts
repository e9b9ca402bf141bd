import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { copyOfNote, dropFiles, openTool, pasteFiles, payloadOf, SKY } from '../extraction-page.ts';
import { gate, PATIENT } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

const rows = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const names = (page: Page) => rows(page).locator('p.font-medium').allTextContents();
const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const READ = /Read: \d+ words, \d+% confidence/;

/** Pictures of their own, called `page-1.png` and so on. */
const pictures = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => ({ ...copyOfNote(from + at), name: `page-${from + at}.png` }));

const imageCount = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/usage')).json()).imageCount;

test('several dropped pictures are a list, are read one after another and open in the workspace, edits and all', async ({
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
  await expect(tool.toast).toContainText(/Extracted \d+ words from 2 pictures/);
  expect(await imageCount(page)).toBe(2);

  await page.getByRole('button', { name: 'Open page-1.png', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  await text(page).press('Control+Home');
  await page.keyboard.type('First: ');
  await page.getByRole('button', { name: 'Open page-2.png', exact: true }).click();
  await expect(text(page)).toHaveValue(/^Harbour Lane/);
  await page.getByRole('button', { name: 'Open page-1.png', exact: true }).click();
  await expect(text(page)).toHaveValue(/^First: Harbour Lane/);
  await expect(page.getByRole('img', { name: 'The original: page-1.png' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent results' }).getByText('page-2.png')).toBeVisible();

  await page.getByRole('button', { name: 'All together' }).click();
  await expect(page.getByRole('textbox', { name: 'All texts together' })).toHaveValue(
    /^==> page-1\.png <==\n\nFirst: Harbour Lane[\s\S]+\n==> page-2\.png <==\n\nHarbour Lane/,
  );
});

test('one picture stays one picture, however it comes', async ({ page }) => {
  const tool = await openTool(page);
  await dropFiles(page.getByText('Drop a picture here'), pictures(1));
  await expect(page.getByRole('img', { name: 'Preview of page-1.png' })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await tool.choose(copyOfNote(2));
  await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test('pictures that are chosen or pasted later join the list, and wrong ones are told by what they are', async ({
  page,
}) => {
  const tool = await openTool(page);
  const [one, two, three] = pictures(3);
  await tool.file.setInputFiles([
    payloadOf(one!),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') },
    payloadOf({ ...two!, name: 'scan', type: 'application/x-scan' }),
  ]);
  await expect(rows(page)).toHaveCount(3);
  await expect(row(page, 'notes.txt')).toContainText('Invalid file type. This is a text file.');
  await expect(row(page, 'scan')).toContainText('this is a PNG picture');
  await row(page, 'scan').getByRole('button', { name: 'Take it as a picture' }).click();
  await expect(row(page, 'scan')).toContainText('Waiting');
  await pasteFiles(page, [three!]);
  await expect(rows(page)).toHaveCount(4);
  await tool.extract.click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(3, { timeout: 40_000 });
  await expect(row(page, 'notes.txt')).toContainText('This is a text file');
});

test('a used-up count is told before it is met, what is within it is read, and the rest waits through a reload', async ({
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
  expect(await names(page)).toEqual([21, 22, 23, 24, 25].map((number) => `page-${number}.png`));
  await expect(row(page, 'page-25.png').locator('img')).toBeVisible();
  await page.getByRole('button', { name: 'Open page-21.png', exact: true }).click();
  await expect(text(page)).toHaveValue(/^Harbour Lane/);
});

test('each is stopped, tried again and removed alone, and a removal is taken back', async ({ page }) => {
  const tool = await openTool(page);
  const held = gate();
  await page.route('**/api/extract-text', async (route) => {
    await held.opened;
    await route.continue().catch(() => {});
  });
  await tool.file.setInputFiles(pictures(3).map(payloadOf));
  await tool.extract.click();
  await page.getByRole('button', { name: 'Stop page-1.png' }).click();
  await expect(row(page, 'page-1.png')).toContainText('Stopped');
  await expect(page.getByRole('button', { name: 'Try page-1.png again' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove page-2.png' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.locator(':focus')).toHaveAccessibleName('Move page-3.png, 2 of 2');
  await tool.toast.getByRole('button', { name: 'Undo' }).click();
  expect(await names(page)).toEqual(['page-1.png', 'page-2.png', 'page-3.png']);
  held.open();
  await expect(row(page, 'page-3.png')).toContainText(READ, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Try page-1.png again' }).click();
  await expect(row(page, 'page-1.png')).toContainText(READ, { timeout: 30_000 });
  expect(await names(page)).toEqual(['page-1.png', 'page-2.png', 'page-3.png']);
});

test('all are stopped at once and go on', async ({ page }) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(pictures(3).map(payloadOf));
  await tool.extract.click();
  await expect(row(page, 'page-1.png')).toContainText(READ, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop all' }).click();
  await expect(page.getByRole('button', { name: 'Go on' })).toBeFocused();
  await expect(tool.extract).toBeEnabled();
  await expect(rows(page).filter({ hasText: 'Waiting' })).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(3, { timeout: 30_000 });
});

test.describe('without an answer', () => {
  test.use({ expectedConsole: [/net::ERR/] });

  test('the list stands still, and what is tried again goes under the same key', async ({ page }) => {
    const tool = await openTool(page);
    const keys: string[] = [];
    let fails = true;
    await page.route('**/api/extract-text', (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '');
      return fails ? route.abort() : route.continue();
    });
    await tool.file.setInputFiles(pictures(2).map(payloadOf));
    await tool.extract.click();
    await expect(row(page, 'page-1.png')).toContainText('The connection was lost before an answer came.');
    await expect(row(page, 'page-2.png')).toContainText('Waiting');
    fails = false;
    await page.getByRole('button', { name: 'Try page-1.png again' }).click();
    await expect(row(page, 'page-1.png')).toContainText(READ, { timeout: 30_000 });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    await tool.extract.click();
    await expect(row(page, 'page-2.png')).toContainText(READ, { timeout: 30_000 });
  });
});

test('the order is changed by dragging, by arrow keys and by buttons, and the focus stays', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(pictures(3).map(payloadOf));
  const handle = (number: number) => page.getByRole('button', { name: `Move page-${number}.png,` });
  await handle(1).focus();
  await page.keyboard.press('ArrowDown');
  expect(await names(page)).toEqual(['page-2.png', 'page-1.png', 'page-3.png']);
  await expect(handle(1)).toBeFocused();
  await expect(page.getByText('page-1.png is now 2 of 3')).toBeAttached();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect(handle(1)).toBeFocused();
  expect(await names(page)).toEqual(['page-1.png', 'page-2.png', 'page-3.png']);

  const [from, to] = [await handle(3).boundingBox(), await handle(1).boundingBox()];
  await page.mouse.move(from!.x + 8, from!.y + 20);
  await page.mouse.down();
  await page.mouse.move(from!.x + 8, from!.y - 20, { steps: 4 });
  await page.mouse.move(to!.x + 8, to!.y + 2, { steps: 8 });
  expect(await names(page)).toEqual(['page-3.png', 'page-1.png', 'page-2.png']);
  await page.mouse.up();

  await handle(2).click();
  await page.getByRole('button', { name: 'Move page-2.png up' }).click();
  expect(await names(page)).toEqual(['page-3.png', 'page-2.png', 'page-1.png']);
  await expect(page.getByRole('button', { name: 'Move page-2.png up' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Move page-1.png down' })).toHaveCount(0);
});

test.describe('under a finger', () => {
  test.use({ hasTouch: true });

  test('the order is changed by dragging a handle, and the page stays where it is', async ({ page }) => {
    const tool = await openTool(page);
    await tool.file.setInputFiles(pictures(3).map(payloadOf));
    const handle = (number: number) => page.getByRole('button', { name: `Move page-${number}.png,` });
    await handle(3).scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => window.scrollY);
    const [from, to] = [await handle(3).boundingBox(), await handle(1).boundingBox()];
    const touches = await page.context().newCDPSession(page);
    const x = from!.x + 8;
    const [begin, end] = [from!.y + 20, to!.y + 2];
    await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: begin }] });
    for (let step = 1; step <= 12; step += 1) {
      const y = begin + ((end - begin) * step) / 12;
      await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] });
    }
    await expect.poll(() => names(page)).toEqual(['page-3.png', 'page-1.png', 'page-2.png']);
    await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await names(page)).toEqual(['page-3.png', 'page-1.png', 'page-2.png']);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  });
});

test('all texts are taken away as one file, in the order of the list, or as a file each', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(
    [...pictures(2), { ...pictures(1, 3)[0]!, name: 'page-1.jpg' }].map(payloadOf),
  );
  await page.getByRole('button', { name: 'Move page-1.jpg,' }).press('Home');
  await tool.extract.click();
  await expect(rows(page).filter({ hasText: READ })).toHaveCount(3, { timeout: 40_000 });
  await page.getByRole('button', { name: 'All together' }).click();
  await expect(page.getByRole('heading', { name: 'All together' })).toBeFocused();
  const saved = async (press: () => Promise<void>) => {
    const downloading = page.waitForEvent('download');
    await press();
    const download = await downloading;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const format = async (name: string | RegExp) => {
    await page.getByRole('button', { name: 'More formats' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const plain = await saved(() => page.getByRole('button', { name: 'Download' }).click());
  expect(plain.name).toMatch(/^extracted-text-.*\.txt$/);
  expect([...plain.bytes.toString().matchAll(/^==> (.*) <==$/gm)].map(([, name]) => name)).toEqual([
    'page-1.jpg',
    'page-1.png',
    'page-2.png',
  ]);
  const hocr = await saved(() => format(/hOCR/));
  expect(hocr.bytes.toString().match(/class=.ocr_page/g)).toHaveLength(3);
  const zip = await saved(() => format(/ZIP/));
  const files = unzipSync(zip.bytes);
  expect(Object.keys(files)).toEqual(['page-1.txt', 'page-1 (2).txt', 'page-2.txt']);
  expect(strFromU8(files['page-2.txt']!)).toMatch(/^Harbour Lane/);
});

test('a picture without text says so in its row, and costs nothing', async ({ page }) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles([
    payloadOf(pictures(1)[0]!),
    { name: 'sky.png', mimeType: 'image/png', buffer: readFileSync(SKY) },
  ]);
  await tool.extract.click();
  await expect(row(page, 'sky.png')).toContainText('No text was found in this picture.', { timeout: 30_000 });
  expect(await imageCount(page)).toBe(1);
});

test('pictures that are dropped on another page open the page with the tool as a list', async ({ page }) => {
  await page.goto('/blog');
  await page.mouse.move(10, 10);
  await page.mouse.down();
  await page.mouse.up();
  await expect(async () => {
    await dropFiles(page.locator('body'), pictures(2));
    await expect(rows(page)).toHaveCount(2, { timeout: 2000 });
  }).toPass();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the list and its texts hold at every width and can be used by everybody in the ${colorScheme} theme @every-width`, async ({
    page,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme });
    const tool = await openTool(page);
    await tool.file.setInputFiles([
      ...pictures(2).map(payloadOf),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') },
    ]);
    await expect(row(page, 'notes.txt')).toContainText('This is a text file');
    await page.getByRole('button', { name: 'Move page-1.png,' }).click();
    await expectAccessible();
    await tool.extract.click();
    await expect(rows(page).filter({ hasText: READ })).toHaveCount(2, { timeout: 40_000 });
    await page.getByRole('button', { name: 'Open page-1.png', exact: true }).click();
    await expect(text(page)).toHaveValue(/^Harbour Lane/);
    const isTooWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await isTooWide()).toBe(false);
    await expectAccessible();
    await page.getByRole('button', { name: 'All together' }).click();
    await expectAccessible();
    expect(await isTooWide()).toBe(false);
  });
}
