import { expect, test } from 'vitest';
import { commands, userEvent } from 'vitest/browser';
import { openResult } from '../../../../tests/component/extraction.ts';

const sheet = () => document.querySelector<HTMLElement>('.print-sheet')!;
const printed = () => sheet().querySelector('.print-text')!.textContent;

const isVisible = (element: Element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
};

test('print: text and picture are printed, without controls, ads, header and footer', async () => {
  const tool = await openResult();
  await tool.text.fill(tool.area().value.replace('Two loaves', 'Ten loaves'));
  await commands.emulateMedia({ media: 'print' });
  await expect.poll(printed).toContain('Ten loaves of rye bread');
  await expect.poll(() => isVisible(sheet().querySelector('img')!)).toBe(true);
  expect(isVisible(sheet().querySelector('.print-text')!)).toBe(true);
  for (const hidden of ['header', 'footer', '[data-ad-format]', 'button', 'textarea', 'a'])
    expect([...document.querySelectorAll(hidden)].filter(isVisible), hidden).toEqual([]);
});

test('print: the text is rendered before printing and not with every keystroke', async () => {
  const tool = await openResult();
  tool.area().focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}Printed ');
  await expect.poll(() => tool.area().value).toMatch(/^Printed /);
  expect(document.querySelectorAll('.print-sheet')).toHaveLength(1);
  expect(printed()).toBe('');
  window.dispatchEvent(new Event('beforeprint'));
  expect(printed()).toBe(tool.area().value);
  await userEvent.keyboard('again ');
  await commands.emulateMedia({ media: 'print' });
  await expect.poll(printed).toContain('Printed again ');
});
