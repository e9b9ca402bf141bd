import { expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { middleOf, openResult } from '../../../../tests/component/extraction.ts';
import { countOnPicture, marked, selectedText, wordBox } from '../../../../tests/component/workspace.ts';

test('text editor: a word clicked in the picture is selected in the text', async () => {
  const tool = await openResult();
  await commands.mouse('move', middleOf(wordBox(2)));
  await expect.poll(() => marked('hovered')).toEqual(['Bakery']);
  await commands.mouse('click', middleOf(wordBox(2)));
  await expect.poll(selectedText).toBe('Bakery');
  await expect.element(tool.text).toHaveFocus();
  await expect.poll(() => countOnPicture('rect.active')).toBe(1);
});

test('text editor: the word at the caret is highlighted in the text and in the picture', async () => {
  const tool = await openResult();
  tool.area().focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  await expect.poll(() => marked('active')).toEqual(['Harbour']);
  expect(countOnPicture('rect.active')).toBe(1);
});

test('text editor: typing keeps the words’ boxes, and Undo, Redo and "Reset edits" restore the text', async () => {
  const tool = await openResult();
  const before = tool.area().value;
  tool.area().focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}At the ');
  await commands.mouse('move', middleOf(wordBox(2)));
  await expect.poll(() => marked('hovered')).toEqual(['Bakery']);
  tool.area().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(tool.text).toHaveValue(before);
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await expect.element(tool.text).toHaveValue(`At the ${before}`);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect.element(tool.text).toHaveValue(before);
});

test('text editor: the copy wraps exactly like the text area, so that highlights are under their words', async () => {
  const tool = await openResult();
  await tool.text.fill(`${'long words wrap around '.repeat(12)}\n\n\tTabbed   and  spaced\nlast line\n`);
  const copy = document.querySelector('.text-editor')!.firstElementChild!;
  await expect.poll(() => copy.textContent).toContain('Tabbed   and  spaced');
  const area = tool.area();
  expect(area.scrollHeight).toBe(copy.scrollHeight);
  expect(area.clientHeight, 'all of it is shown').toBe(copy.scrollHeight);
});
