import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openTool } from './extraction-page.ts';
import { PATIENT } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT, permissions: ['clipboard-read', 'clipboard-write'] });

const picture = (name: string) => join(import.meta.dirname, 'fixtures', name);

async function readPage(page: Page, name: string) {
  const tool = await openTool(page);
  await tool.choose(picture(name));
  await tool.read();
  return tool;
}

const view = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Text as' }).getByText(name, { exact: true });

const copied = (page: Page, type: string) =>
  page.evaluate(async (wanted) => {
    const [item] = await navigator.clipboard.read();
    return (await item!.getType(wanted)).text();
  }, type);

/** What is left of the clipboard where it is pasted with its form: the text of each such element. */
async function pastedAs(page: Page, selector: string): Promise<(string | null)[]> {
  await page.evaluate(() => {
    const paper = document.createElement('div');
    paper.contentEditable = 'true';
    paper.id = 'paper';
    document.body.prepend(paper);
    paper.focus();
  });
  await page.keyboard.press('Control+V');
  const paper = page.locator('#paper');
  await expect(paper).not.toBeEmpty();
  const found = await paper.locator(selector).evaluateAll((all) => all.map(({ textContent }) => textContent));
  await paper.evaluate((element) => element.remove());
  return found;
}

test('code keeps its indentation in the third view, and what is typed there is there in the others @every-width', async ({
  page,
  expectAccessible,
}) => {
  const tool = await readPage(page, 'code.png');
  const lines = await tool.text.inputValue();
  expect(lines).toContain('\nreturn sum;');
  await view(page, 'Layout').click();
  await expect(tool.text).toHaveValue(
    /\n {2}for \(const item of items\) \{\n {4}if \(item\.price > 0\) \{\n {6}sum \+=/,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectAccessible();

  await tool.text.press('Control+End');
  await page.keyboard.type(' // done');
  await view(page, 'Lines').click();
  await expect(tool.text).toHaveValue(`${lines} // done`);
  await view(page, 'Layout').click();
  await expect(tool.text).toHaveValue(/\n {2}return sum;\n\} \/\/ done$/);

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(tool.toast).toContainText('Text copied to clipboard');
  expect(await copied(page, 'text/plain')).toBe(await tool.text.inputValue());
  expect((await pastedAs(page, 'pre')).join('\n')).toContain('\n  let sum = 0;\n');
});

test('a page is copied with its headings, its list and its table', async ({ page }) => {
  const tool = await readPage(page, 'order.png');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(tool.toast).toContainText('Text copied to clipboard');
  expect(await copied(page, 'text/plain')).toBe(await tool.text.inputValue());
  expect(await pastedAs(page, 'h1, h2')).toEqual(['Order for the kitchen', 'Bring along']);
  expect(await pastedAs(page, 'tr:nth-child(4) td')).toEqual(['Sugar', '', '0.95', 'cane']);
  expect(await pastedAs(page, 'li')).toHaveLength(3);
});

test('a table is corrected by its cells, filled, taken back and pasted as cells, by keyboard alone', async ({
  page,
  expectAccessible,
}) => {
  const tool = await readPage(page, 'order.png');
  const table = page.getByRole('region', { name: /^Table/ }).first();
  const cell = (name: string) => table.getByRole('textbox', { name, exact: true });
  await expect(cell('Article, row 4')).toHaveValue('Sugar');
  await expect(cell('Packs, row 4')).toHaveValue('');
  await expectAccessible();

  await cell('Article, row 4').focus();
  await expect(page.locator('.word-boxes .outlined')).toHaveCount(1);
  await page.keyboard.press('End');
  await page.keyboard.type(' cubes');
  await page.keyboard.press('Enter');
  await expect(cell('Article, row 5')).toBeFocused();
  await expect(tool.text).toHaveValue(/^Sugar cubes 0\.95 cane$/m);

  await cell('Packs, row 4').focus();
  await page.keyboard.type('6');
  await page.keyboard.press('Tab');
  await expect(tool.text).toHaveValue(/^Sugar cubes 6 0\.95 cane$/m);
  await view(page, 'Layout').click();
  await expect(tool.text).toHaveValue(/^Sugar cubes {2,}6 {2,}0\.95 {2,}cane$/m);
  await view(page, 'Lines').click();
  await expect(cell('Packs, row 4')).toHaveValue('6');

  const copy = table.getByRole('button', { name: 'Copy table' });
  await copy.focus();
  await page.keyboard.press('Enter');
  await expect(tool.toast).toContainText('Table copied to clipboard');
  const rows = (await copied(page, 'text/plain')).split('\n').map((row) => row.split('\t'));
  expect(rows[3]).toEqual(['Sugar cubes', '6', '0.95', 'cane']);
  expect(rows[2]).toEqual(['Coffee beans', '140', '18.90', '']);
  expect(await pastedAs(page, 'tr:nth-child(4) td')).toEqual(['Sugar cubes', '6', '0.95', 'cane']);
  expect(await pastedAs(page, 'td')).toHaveLength(20);

  // Two views and two cells.
  for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tool.text).toHaveValue(/^Sugar 0\.95 cane$/m);

  await table.getByRole('button', { name: 'This is no table' }).click();
  await expect(table).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cell('Article, row 4')).toHaveValue('Sugar');
});

for (const look of [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
  test(`a table and its page can be told apart with ${JSON.stringify(look)}`, async ({
    page,
    expectAccessible,
  }) => {
    await page.emulateMedia(look);
    await readPage(page, 'order.png');
    const field = page.getByRole('textbox', { name: 'Price, row 2' });
    await field.focus();
    await view(page, 'Layout').click();
    await expectAccessible();
    const edge = await field.evaluate((element) => getComputedStyle(element.parentElement!).borderTopStyle);
    expect(edge).toBe('solid');
  });
}
