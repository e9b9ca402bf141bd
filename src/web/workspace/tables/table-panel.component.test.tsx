import { expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { clipboard, openResult, readingOf } from '../../../../tests/component/extraction.ts';
import {
  copiedElements,
  copiedHtml,
  countOnPicture,
  textView,
} from '../../../../tests/component/workspace.ts';

const table = () => page.getByRole('region', { name: /^Table/ }).first();
const cell = (name: string) => table().getByRole('textbox', { name, exact: true });
const focus = (name: string) => (cell(name).element() as HTMLElement).focus();

test('table: cells are corrected and filled by keyboard, the text is updated, and the table is copied as cells with their formats', async () => {
  await commands.holdClipboard();
  const tool = await openResult('order');
  const text = () => tool.area().value;
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  await expect.element(cell('Packs, row 4')).toHaveValue('');
  // The comma makes screen readers pause. Without it, "Table 6 rows" could be the sixth table.
  await expect.element(page.getByRole('heading', { name: /^Table ?, 6 rows, 4 columns$/ })).toBeVisible();
  await expectAccessible();

  focus('Article, row 4');
  await expect.poll(() => countOnPicture('.outlined')).toBe(1);
  await userEvent.keyboard('{End} cubes{Enter}');
  await expect.element(cell('Article, row 5')).toHaveFocus();
  await expect.poll(text).toMatch(/^Sugar cubes 0\.95 cane$/m);

  focus('Packs, row 4');
  await userEvent.keyboard('6{Tab}');
  await expect.poll(text).toMatch(/^Sugar cubes 6 0\.95 cane$/m);
  await textView('Layout').click();
  await expect.poll(text).toMatch(/^Sugar cubes {2,}6 {2,}0\.95 {2,}cane$/m);
  await textView('Lines').click();
  await expect.element(cell('Packs, row 4')).toHaveValue('6');

  const copy = table().getByRole('button', { name: 'Copy table' });
  (copy.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(toast()).toHaveTextContent(/Table copied to clipboard/);
  const rows = (await clipboard()).split('\n').map((row) => row.split('\t'));
  expect(rows[3]).toEqual(['Sugar cubes', '6', '0.95', 'cane']);
  expect(rows[2]).toEqual(['Coffee beans', '140', '18.90', '']);
  expect(await copiedElements('tr:nth-child(4) td')).toEqual(['Sugar cubes', '6', '0.95', 'cane']);
  expect(await copiedElements('td')).toHaveLength(20);
  // The clipboard keeps the attributes by which spreadsheets distinguish text from numbers.
  const [name, packs] = (await copiedHtml()).querySelectorAll('tr:nth-child(4) td');
  expect(name?.outerHTML).toContain("mso-number-format:'\\@'");
  expect(name?.getAttribute('sdnum')).toBe('1033;0;@');
  expect(packs?.outerHTML).toContain("mso-number-format:'0'");
  expect(packs?.getAttribute('sdval')).toBe('6');
});

test('table: Undo reverts cells and layouts step by step, and "This is no table" in one step', async () => {
  const tool = await openResult('order');
  const text = () => tool.area().value;
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  focus('Article, row 4');
  await userEvent.keyboard('{End} cubes{Enter}');
  focus('Packs, row 4');
  await userEvent.keyboard('6{Tab}');
  await expect.poll(text).toMatch(/^Sugar cubes 6 0\.95 cane$/m);
  await textView('Layout').click();
  await expect.poll(text).toMatch(/^Sugar cubes {2,}6 /m);
  await textView('Lines').click();
  await expect.poll(text).toMatch(/^Sugar cubes 6 0\.95 cane$/m);

  // Two changes of the layout and two cells.
  await undo.click();
  await expect.poll(text).toMatch(/^Sugar cubes {2,}6 /m);
  await undo.click();
  await expect.poll(text).toMatch(/^Sugar cubes 6 0\.95 cane$/m);
  await undo.click();
  await expect.poll(text).toMatch(/^Sugar cubes 0\.95 cane$/m);
  await undo.click();
  await expect.poll(text).toMatch(/^Sugar 0\.95 cane$/m);

  await table().getByRole('button', { name: 'This is no table' }).click();
  await expect.element(table()).not.toBeInTheDocument();
  await undo.click();
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
});

const press = (name: string) =>
  page
    .getByRole('toolbar', { name: /^Cell:/ })
    .getByRole('button', { name })
    .click();
const expectSize = (rows: number, columns: number) =>
  expect
    .element(page.getByRole('heading', { name: new RegExp(`^Table ?, ${rows} rows, ${columns} columns$`) }))
    .toBeVisible();

test('table: rows are inserted, filled and deleted, each as an undoable step', async () => {
  const tool = await openResult('order');
  const text = () => tool.area().value;
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  const before = text();
  focus('Article, row 4');
  await expectAccessible();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(page.getByRole('button', { name: 'Insert row' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(cell('Article, row 4')).toHaveFocus();
  await press('Insert row');
  await expectSize(7, 4);
  focus('Article, row 5');
  await userEvent.keyboard('Salt{Tab}');
  await expect.poll(text).toMatch(/^Sugar 0\.95 cane\nSalt\nRice flour/m);
  await expect.element(cell('Article, row 5')).toHaveValue('Salt');
  focus('Price, row 5');
  await userEvent.keyboard('0.40{Tab}');
  await expect.poll(text).toMatch(/^Salt 0\.40$/m);
  await expect.element(cell('Price, row 5')).toHaveValue('0.40');
  await textView('Layout').click();
  await expect.poll(text).toMatch(/^Salt {2,}0\.40/m);
  await expect.element(cell('Price, row 5')).toHaveValue('0.40');
  await textView('Lines').click();
  await expect.poll(text).toMatch(/^Salt 0\.40$/m);

  focus('Article, row 5');
  await press('Delete row');
  await expectSize(6, 4);
  expect(text()).not.toContain('Salt');
  await undo.click();
  await expectSize(7, 4);
  await expect.element(cell('Price, row 5')).toHaveValue('0.40');
  for (let steps = 0; steps < 5 && text() !== before; steps += 1) await undo.click();
  await undo.click();
  await expectSize(6, 4);
});

test('table: columns are inserted, cells merged, split and marked as headings, and "Reset edits" reverts all of it', async () => {
  const tool = await openResult('order');
  const text = () => tool.area().value;
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  const before = text();
  focus('Article, row 2');
  await press('Insert column');
  await expectSize(6, 5);
  focus('Column 2, row 2');
  await userEvent.keyboard('kg{Tab}');
  await expect.poll(text).toMatch(/^Green tea kg 12 3\.20 loose$/m);
  await expect.element(cell('Column 2, row 2')).toHaveValue('kg');
  focus('Column 2, row 2');
  await expect.element(page.getByRole('button', { name: 'Split cell' })).toBeDisabled();
  await press('Merge right');
  await expect.element(cell('Column 2, row 2')).toHaveValue('kg 12');
  await press('Split cell');
  await expect.element(cell('Packs, row 2')).toHaveValue('12');
  await press('Mark as heading');
  await expect.element(page.getByRole('button', { name: 'Reset edits' })).toBeEnabled();
  await expect.poll(() => table().element().querySelectorAll('tr:nth-child(2) th')).toHaveLength(5);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expectSize(6, 4);
  await expect.element(tool.text).toHaveValue(before);
});

test('table: the view "Table" replaces the text, and the focused cell is outlined in the picture', async () => {
  const tool = await openResult('order');
  await expect.element(cell('Article, row 4')).toBeVisible();
  const below = table().element().getBoundingClientRect().top;
  await textView('Table').click();
  await expect.element(tool.text).not.toBeInTheDocument();
  await expect.poll(() => table().element().getBoundingClientRect().top).toBeLessThan(below);
  focus('Article, row 4');
  await expect.poll(() => countOnPicture('rect.active')).toBe(1);
  await expectAccessible();
  await textView('Lines').click();
  await expect.element(tool.text).toBeVisible();
  await expect.element(cell('Article, row 4')).toBeVisible();
});

test('table: in its view a long table fills the pane on a desktop and keeps its limited height on a phone', async () => {
  await openResult('order');
  await textView('Table').click();
  await cell('Article, row 4').click();
  const insert = page.getByRole('button', { name: 'Insert row' });
  for (let row = 0; row < 12; row++) await insert.click();
  const sheet = () => page.getByRole('region', { name: 'Table, cells' }).element();
  await expect.poll(() => sheet().scrollHeight).toBeGreaterThan(750);
  const pane = sheet().closest('.table-view')!;
  const bottom = (element: Element) => element.getBoundingClientRect().bottom;
  // The toolbar of the cell is below the table.
  expect(Math.abs(bottom(pane) - bottom(sheet().parentElement!))).toBeLessThan(2);
  expect(pane.scrollHeight).toBe(pane.clientHeight);
  await page.viewport(375, 812);
  await expect.poll(() => sheet().clientHeight).toBeLessThan(500);
});

test('table: numbers are right-aligned, and a total shows whether the rows add up to it', async () => {
  const extraction = readingOf('order');
  const text = (row: number, column: number) =>
    extraction
      .layout!.tables[0]!.cells.filter((cell) => cell.row === row && cell.column === column)
      .flatMap(({ words }) => words)
      .flatMap(({ line, from, to }) => extraction.lines[line]!.words.slice(from, to));
  const last = extraction.layout!.tables[0]!.rows - 1;
  const setWordText = (word: { text: string }, replacement: string) => {
    const line = extraction.lines.find(({ words }) => words.includes(word as never))!;
    line.text = line.text.replace(word.text, replacement);
    extraction.extractedText = extraction.extractedText.replace(word.text, replacement);
    word.text = replacement;
  };
  setWordText(text(last, 0)[0]!, 'Total');
  // The sum of 12, 140 and 8.
  setWordText(text(last, 1)[0]!, '160');
  await openResult('order', { state: { extraction } });
  const price = cell(`Price, row ${last + 1}`);
  await expect.element(price).toBeVisible();
  expect(getComputedStyle(price.element()).textAlign).toBe('end');
  expect(getComputedStyle(cell('Article, row 2').element()).textAlign).not.toBe('end');
  await expect.element(cell(`Packs, row ${last + 1}`)).toHaveAccessibleDescription('Adds up');
  const note = table().getByText(/^The rows add up to/);
  await expect.element(note).toBeVisible();
  await expect.element(price).toHaveAccessibleDescription(/^The rows add up to/);
  focus(`Price, row ${last + 1}`);
  await userEvent.keyboard(
    `{Control>}a{/Control}${note.element().textContent!.split(' ').at(-1)}{Enter}{Tab}`,
  );
  await expect.element(price).toHaveAccessibleDescription('Adds up');
  await expectAccessible();
});

test.each([{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const)(
  'table: the borders of cells and the Layout view are visible with %o',
  async (media) => {
    await commands.emulateMedia(media);
    await openResult('order');
    const field = cell('Price, row 2');
    await expect.element(field).toBeVisible();
    focus('Price, row 2');
    await textView('Layout').click();
    await expectAccessible();
    expect(getComputedStyle(field.element().parentElement!).borderTopStyle).toBe('solid');
  },
);

test.each([
  ['F2', () => userEvent.keyboard('{F2}')],
  ['Ctrl+Shift+F', () => userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')],
  ['pagehide', async () => void window.dispatchEvent(new Event('pagehide'))],
  ['Back', async () => void window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))],
])('table: %s commits the typed text of a cell, and Undo reverts it', async (_, leave) => {
  const extraction = readingOf('order');
  extraction.lines[0]!.words[0]!.confidence = 41;
  await openResult('order', { state: { extraction } });
  await textView('Table').click();
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  focus('Article, row 4');
  await userEvent.keyboard('{End} cubes');
  await leave();
  const text = () => document.querySelector<HTMLTextAreaElement>('.text-editor textarea')!.value;
  await expect.poll(text).toMatch(/^Sugar cubes\b/m);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(text).toMatch(/^Sugar 0\.95/m);
});

test('table: Escape in a cell restores its text, and undo restores the typed text', async () => {
  await openResult('order');
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  focus('Article, row 4');
  await userEvent.keyboard('{End} cubes{Escape}');
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
  await expect.element(cell('Article, row 4')).toHaveFocus();
  await expect
    .element(page.getByText('The cell as it was. Ctrl+Z brings back “Sugar cubes”.'))
    .toBeInTheDocument();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(cell('Article, row 4')).toHaveValue('Sugar cubes');
});
