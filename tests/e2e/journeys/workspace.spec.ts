import type { Locator, Page } from '@playwright/test';
import { extractText } from '#contract/calls/recognition';
import { changeExtraction, NOTE, openTool } from '../extraction-page.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

/* The workspace, from choosing a picture to storing or copying the corrected text. */

test.use({ settings: HIGH_RATE_LIMITS, permissions: ['clipboard-read', 'clipboard-write'] });

const wordBox = (page: Page, piece: number) => page.locator(`.word-boxes rect[data-piece="${piece}"]`);
const marked = (page: Page, state: string) => page.locator(`.text-editor [data-state=${state}]`);
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const textView = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Text as' }).getByText(name, { exact: true });

const selected = (page: Page) =>
  page
    .getByRole('textbox', { name: 'Extracted text' })
    .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element has no box.');
  return box;
}

/** The box of an element after the page has stopped scrolling. */
async function boxAfterScrolling(locator: Locator) {
  const places: string[] = [];
  await expect
    .poll(async () => {
      places.push(JSON.stringify(await boxOf(locator)));
      return places.at(-1) === places.at(-2);
    })
    .toBe(true);
  return boxOf(locator);
}

test('doubtful words: the review steps through them, corrects, undoes and confirms, and a reload keeps confirmed words', async ({
  page,
  expectAccessible,
}) => {
  await changeExtraction(
    page,
    (reading) => {
      const others: Record<string, string[] | undefined> = { rye: ['eye', 'rue'], plum: ['plumb'] };
      for (const word of reading.lines.flatMap(({ words }) => words)) {
        if (!['Lane', 'rye', 'plum'].includes(word.text)) continue;
        word.confidence = 41;
        const readings = others[word.text];
        if (readings) word.readings = readings;
      }
    },
    null,
  );
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  const before = await tool.text.inputValue();
  const looksRight = page.getByRole('button', { name: 'Looks right' });
  await expect(page.getByText('3 doubtful words')).toBeVisible();
  await expect(page.locator('.word-boxes rect.doubt')).toHaveCount(3);

  await page.keyboard.press('F2');
  await expect(looksRight).toBeFocused();
  await expect.poll(() => selected(page)).toBe('Lane');
  await looksRight.click();
  await expect.poll(() => selected(page)).toBe('rye');
  await expect(page.locator('.word-crop img')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'eye', exact: true }).click();
  await expect(tool.text).toHaveValue(before.replace('rye', 'eye'));
  await expect.poll(() => selected(page)).toBe('plum');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tool.text).toHaveValue(before);
  await expect.poll(() => selected(page)).toBe('rye');
  await page.keyboard.type('spelt');
  await page.keyboard.press('Enter');
  await expect(tool.text).toHaveValue(before.replace('rye', 'spelt'));

  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('The text above is kept.');
  await page.reload();
  await expect(tool.text).toHaveValue(before.replace('rye', 'spelt'));
  await expect(marked(page, 'doubtful')).toHaveText(['plum']);
});

test('a part of the picture: is selected with the mouse, its words are copied, and only this part is read for one extraction', async ({
  page,
  expectAccessible,
}) => {
  // Otherwise the page would still scroll to the result while the test measures positions.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await page.getByRole('button', { name: 'Region' }).click();
  await boxAfterScrolling(wordBox(page, 0));
  const [first, last] = [await boxOf(wordBox(page, 0)), await boxOf(wordBox(page, 7))];
  await drag(
    page,
    { x: first.x - 8, y: first.y - 8 },
    { x: last.x + last.width + 40, y: last.y + last.height + 6 },
  );
  const partBar = page.getByRole('toolbar', { name: 'Part of the picture' });
  await expect(partBar).toContainText('Reading it counts as 1 extraction');
  await expectAccessible();
  await partBar.getByRole('button', { name: 'Copy text in it' }).click();
  await expect.poll(() => clipboard(page)).toMatch(/^Harbour Lane Bakery\n+Two loaves of rye bread$/);

  const used = async () => (await (await page.request.get('/api/usage')).json()).imageCount;
  const before = await used();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(extractText.path)) sent += 1;
  });
  const answer = page.waitForResponse(`**${extractText.path}`);
  await partBar.getByRole('button', { name: 'Read only this' }).click();
  // Visitors cannot choose a language.
  expect(await (await answer).json()).toMatchObject({ language: 'eng' });
  await expect(page.getByRole('img', { name: 'The original: note-part.png' })).toBeVisible({
    timeout: 30_000,
  });
  await expect(tool.text).toHaveValue(/^Harbour Lane Bakery\s+Two loaves of rye bread$/);
  expect(sent).toBe(1);
  expect(await used()).toBe(before + 1);
  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('note.png');
});

test('a table: its cells are corrected and filled, the text is updated, and the table is pasted as cells', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.openSample('Table');
  const table = page.getByRole('region', { name: /^Table/ }).first();
  const cell = (name: string) => table.getByRole('textbox', { name, exact: true });
  await expect(cell('Month, row 3')).toHaveValue('June');
  await cell('Month, row 3').focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' (first half)');
  await page.keyboard.press('Enter');
  await expect(cell('Month, row 4')).toBeFocused();
  await cell('Remark, row 3').focus();
  await page.keyboard.type('concert');
  await page.keyboard.press('Tab');
  await expect(tool.text).toHaveValue(/^June \(first half\) 3,874 2,640 48 concert$/m);
  await textView(page, 'Layout').click();
  await expect(tool.text).toHaveValue(/^ *June \(first half\) {2,}3,874 {2,}2,640 {2,}48 +concert$/m);

  await table.getByRole('button', { name: 'Copy table' }).click();
  await expect(tool.toast).toContainText('Table copied to clipboard');
  const rows = (await clipboard(page)).split('\n').map((row) => row.split('\t'));
  const june = ['June (first half)', '3,874', '2,640', '48', 'concert'];
  expect(rows[2]).toEqual(june);
  const elsewhere = await page.context().newPage();
  await elsewhere.setContent('<div contenteditable></div>');
  await elsewhere.locator('div').focus();
  await elsewhere.keyboard.press('Control+V');
  await expect(elsewhere.locator('tr').nth(2).locator('td')).toHaveText(june);
  await expect(elsewhere.locator('td')).toHaveCount(30);
  await expect(elsewhere.getByText('June (first half)')).toHaveAttribute('sdnum', '1033;0;@');
});

test('turn and crop: the displayed picture is read, and kept across a reload', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const tool = await openTool(page);
  await tool.choose(NOTE);
  const size = () =>
    page.locator('.crop-marks img').evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });
  const edit = page.getByRole('group', { name: 'Turn and crop' });
  await edit.getByRole('button', { name: 'Turn right' }).click();
  await expect.poll(size).toEqual([520, 900]);
  await edit.getByRole('button', { name: 'Turn left' }).click();
  await expect.poll(size).toEqual([900, 520]);

  await edit.getByRole('button', { name: 'Crop' }).click();
  const { x, y, width, height } = await boxAfterScrolling(
    page.getByRole('group', { name: 'The part to keep' }),
  );
  await drag(page, { x: x + width, y: y + height }, { x: x + width, y: y + height * 0.22 });
  // Extracting first applies the crop.
  await tool.read();
  await expect(tool.text).toHaveValue(/^Harbour Lane Bakery$/);
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('The text above is kept.');
  await page.reload();
  await expect(tool.text).toHaveValue(/^Harbour Lane Bakery$/);
});
