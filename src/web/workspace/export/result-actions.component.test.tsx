import { expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { toast } from '../../../../tests/component/application.tsx';
import { middleOf, openResult, waitUntilStill } from '../../../../tests/component/extraction.ts';
import { marked, wordBox } from '../../../../tests/component/workspace.ts';

const EDITED = /^At the Harbour Lane Bakery/;
const startOver = () => page.getByRole('button', { name: 'Upload Another Image' });

async function openEdited() {
  const tool = await openResult();
  tool.area().focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}At the ');
  await expect.poll(() => tool.area().value).toMatch(EDITED);
  return tool;
}

test('"Upload Another Image": Undo restores picture, text, edits and their history', async () => {
  const tool = await openEdited();
  await startOver().click();
  await expect.element(toast()).toHaveTextContent(/Form Reset/);
  await expect.element(tool.text).not.toBeInTheDocument();
  await toast().getByRole('button', { name: 'Undo' }).click();
  await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
  await expect.element(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  await waitUntilStill(() => wordBox(2));
  await commands.mouse('move', middleOf(wordBox(2)));
  await expect.poll(() => marked('hovered')).toEqual(['Bakery']);
  tool.area().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => tool.area().value).toMatch(/^Harbour/);
  await expect.element(page.getByText('0.01 MB')).toBeVisible();
  await expect.element(tool.extract).toBeEnabled();
});

test('"Upload Another Image": the text can be restored by keyboard, with F8 and Undo', async () => {
  const tool = await openEdited();
  (startOver().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(tool.file).toHaveFocus();
  await expect.element(toast()).toHaveTextContent(/Form Reset/);
  await userEvent.keyboard('{F8}');
  // The toast itself is focused first, then its button.
  await userEvent.keyboard('{Tab}{Tab}');
  await expect.element(toast().getByRole('button', { name: 'Undo' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
  await expect.element(page.getByRole('heading', { name: 'Extracted text' })).toHaveFocus();
});
