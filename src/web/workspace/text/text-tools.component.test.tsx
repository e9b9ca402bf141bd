import { expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { clipboard, openResult, pictureFile, readingOf } from '../../../../tests/component/extraction.ts';
import {
  copiedElements,
  marked,
  overflow,
  selectedText,
  textView,
} from '../../../../tests/component/workspace.ts';

test('text views: Paragraphs joins lines and Lines splits them again', async () => {
  const tool = await openResult();
  const lines = tool.area().value;
  await textView('Paragraphs').click();
  await expect.element(tool.text).not.toHaveValue(lines);
  await textView('Lines').click();
  await expect.element(tool.text).toHaveValue(lines);
});

test('text views: the next text has the layout chosen last', async () => {
  const tool = await openResult('code');
  const chosen = (name: string) => page.getByRole('radio', { name });
  await expect.element(chosen('Layout')).toBeChecked();
  await textView('Paragraphs').click();
  await expect.element(chosen('Paragraphs')).toBeChecked();
  tool.state.extraction = readingOf('note');
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await expect.element(chosen('Paragraphs')).toBeChecked();

  await textView('Lines').click();
  await expect.element(chosen('Lines')).toBeChecked();
  tool.state.extraction = readingOf('code');
  await tool.choose(await pictureFile('code'));
  await tool.read();
  await expect.element(chosen('Lines')).toBeChecked();
});

test('text views: another layout keeps the caret at its word, or sets it to the first line without a caret', async () => {
  const tool = await openResult();
  const afterCaret = (letters: number) => {
    const { value, selectionStart } = tool.area();
    return value.slice(selectionStart, selectionStart + letters);
  };
  const lines = tool.area().value;
  const shownAs = () => {
    if (document.querySelector('.text-editor[data-page]')) return 'Layout';
    return tool.area().value === lines ? 'Lines' : 'Paragraphs';
  };
  await textView('Paragraphs').click();
  await expect.poll(shownAs).toBe('Paragraphs');
  await expect.poll(() => afterCaret(6)).toBe('Harbou');
  expect(marked('active')).toEqual([]);

  tool.area().focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  await userEvent.keyboard('{ArrowRight}'.repeat('Harbour Lane Ba'.length));
  await expect.poll(() => marked('active')).toEqual(['Bakery']);
  for (const view of ['Lines', 'Layout', 'Paragraphs'] as const) {
    await textView(view).click();
    // The note reads the same in Lines and in Layout, so its text alone does not tell that the view has changed.
    await expect.poll(shownAs, { message: view }).toBe(view);
    await expect.poll(() => afterCaret(4), { message: view }).toBe('kery');
    await expect.poll(() => marked('active'), { message: view }).toEqual(['Bakery']);
  }
});

test('text views: code opens in Layout with its indentation, and its edits are in the other layouts and in the copied text', async () => {
  await commands.holdClipboard();
  const tool = await openResult('code');
  await expect
    .poll(() => tool.area().value)
    .toMatch(/\n {2}for \(const item of items\) \{\n {4}if \(item\.price > 0\) \{\n {6}sum \+=/);
  expect(overflow()).toBe(0);
  await expectAccessible();
  await textView('Lines').click();
  await expect.poll(() => tool.area().value).toContain('\nreturn sum;');
  const lines = tool.area().value;

  await textView('Layout').click();
  await expect.poll(() => tool.area().value).not.toBe(lines);
  tool.area().focus();
  await userEvent.keyboard('{Control>}{End}{/Control} // done');
  await textView('Lines').click();
  await expect.element(tool.text).toHaveValue(`${lines} // done`);
  await textView('Layout').click();
  await expect.poll(() => tool.area().value).toMatch(/\n {2}return sum;\n\} \/\/ done$/);

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.element(toast()).toHaveTextContent(/Text copied to clipboard/);
  expect(await clipboard()).toBe(tool.area().value);
  expect((await copiedElements('pre')).join('\n')).toContain('\n  let sum = 0;\n');
});

test('text views: on a phone, indented code scrolls in its field and not the page', async () => {
  await page.viewport(375, 812);
  const tool = await openResult('code');
  await page.getByRole('tab', { name: 'Text' }).click();
  await textView('Layout').click();
  await expect.poll(() => tool.area().value).toMatch(/\n {6}sum \+=/);
  expect(overflow()).toBe(0);
  await expectAccessible();
});

test('find and replace: matches are counted, replaced one by one or all together, and undone in one step', async () => {
  const tool = await openResult();
  const before = tool.area().value;
  tool.area().focus();
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  const find = page.getByRole('textbox', { name: 'Find', exact: true });
  await expect.element(find).toHaveFocus();
  await find.fill('you');
  await expect.element(page.getByText('1 of 2')).toBeVisible();
  await expect.poll(selectedText).toBe('you');
  const first = tool.area().selectionStart;
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('2 of 2')).toBeVisible();
  expect(tool.area().selectionStart).toBeGreaterThan(first);
  await expectAccessible();

  await page.getByRole('textbox', { name: 'Replace with' }).fill('thee');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.element(tool.text).toHaveValue(before.replaceAll('you', 'thee'));
  await expect.element(page.getByText('Not found')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(tool.text).toHaveValue(before);

  await page.getByRole('textbox', { name: 'Replace with' }).fill('you all');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect.element(tool.text).toHaveValue(before.replace('your', 'you allr'));
  await expect.element(page.getByText('1 of 2'), { message: 'on to the next one' }).toBeVisible();

  await page.getByRole('button', { name: 'Match case' }).click();
  await find.fill('THANK');
  await expect.element(page.getByText('Not found')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(find).not.toBeInTheDocument();
  await expect.element(tool.text).toHaveFocus();
});

test('copy: a page is copied with headings, list and table', async () => {
  await commands.holdClipboard();
  const tool = await openResult('order');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.element(toast()).toHaveTextContent(/Text copied to clipboard/);
  expect(await clipboard()).toBe(tool.area().value);
  expect(await copiedElements('h1, h2')).toEqual(['Order for the kitchen', 'Bring along']);
  expect(await copiedElements('tr:nth-child(4) td')).toEqual(['Sugar', '', '0.95', 'cane']);
  expect(await copiedElements('li')).toHaveLength(3);
});
