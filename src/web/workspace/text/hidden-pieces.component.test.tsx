import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Extraction } from '#contract/extraction';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openResult } from '../../../../tests/component/extraction.ts';
import { requestCount } from '../../../../tests/component/server.ts';
import { changedNote, countOnPicture } from '../../../../tests/component/workspace.ts';

const box = { x: 480, y: 62, width: 40, height: 36 };
const hidden: Extraction['hidden'] = [
  { text: 'Menu', confidence: 90, box, reason: 'interface', at: { line: 0, word: 3 } },
  { text: '9:41', confidence: 88, box: { ...box, y: 8 }, reason: 'interface', at: { line: 0, word: null } },
];

const openFiltered = () => openResult('note', { state: { extraction: changedNote({ hidden }) } });

test('hidden pieces: are outlined in the picture, restored in the text and hidden again', async () => {
  const tool = await openFiltered();
  const before = tool.area().value;
  await expect.element(page.getByText('2 pieces hidden')).toBeVisible();
  expect(countOnPicture('rect.left-out')).toBe(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => countOnPicture('rect.left-out')).toBe(2);
  await expectAccessible();

  await page.getByRole('button', { name: 'Bring back: Menu' }).click();
  await expect
    .element(tool.text)
    .toHaveValue(before.replace('Harbour Lane Bakery', 'Harbour Lane Bakery Menu'));
  await expect.element(page.getByText('1 piece hidden')).toBeVisible();
  expect(countOnPicture('rect.left-out')).toBe(1);
  await page.getByRole('button', { name: 'Hide again: Menu' }).click();
  await expect.element(tool.text).toHaveValue(before);

  await page.getByRole('button', { name: 'Bring all back' }).click();
  await expect.element(tool.text).toHaveValue(`9:41\n${before.replace('Bakery', 'Bakery Menu')}`);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect.element(tool.text).toHaveValue(before);
  await expect.element(page.getByText('2 pieces hidden')).toBeVisible();
});

test('Smart Text Filtering: the switch above a result shows and hides the filtered text, keeps edits and sends no request', async () => {
  const tool = await openFiltered();
  const before = tool.area().value;
  const sent = requestCount('POST /api/extract-text');
  const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });

  await filtering.click();
  await expect.element(tool.text).toHaveValue(`9:41\n${before.replace('Bakery', 'Bakery Menu')}`);
  tool.area().focus();
  await userEvent.keyboard('{Control>}{End}{/Control} tonight');
  (filtering.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(tool.text).toHaveValue(`${before} tonight`);
  await userEvent.keyboard(' ');
  await expect.poll(() => tool.area().value).toMatch(/Bakery Menu/);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect.element(tool.text).toHaveValue(before);
  expect(requestCount('POST /api/extract-text')).toBe(sent);
});
