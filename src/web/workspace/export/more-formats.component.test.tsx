import { afterEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { downloadBy, openResult } from '../../../../tests/component/extraction.ts';

const more = () => page.getByRole('button', { name: 'More formats' });
const item = (name: string) =>
  page.getByRole('menu', { name: 'More formats' }).getByRole('menuitem', { name: new RegExp(`^${name}`) });

const FREE = {
  CSV: /^extracted-text-[\d-]+\.csv$/,
  Markdown: /^extracted-text-[\d-]+\.md$/,
  JSON: /^extracted-text-[\d-]+\.json$/,
  hOCR: /^extracted-text-[\d-]+\.hocr$/,
  ALTO: /^extracted-text-[\d-]+\.alto\.xml$/,
};

/** Opens the order with a corrected cell in its table. */
async function openCorrected() {
  const tool = await openResult('order');
  await tool.text.fill(tool.area().value.replace('Green tea', 'Black tea'));
  return tool;
}

test('more formats: every free format contains the corrected text and has the date in its file name', async () => {
  await openCorrected();
  await more().click();
  await expect.element(item('Searchable PDF')).toHaveTextContent(/Premium/);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(more()).toHaveFocus();

  for (const [format, fileName] of Object.entries(FREE)) {
    const { name, text } = await downloadBy(async () => {
      await more().click();
      await item(format).click();
    });
    expect(name).toMatch(fileName);
    expect(text, format).toContain('Black');
    await expect.element(toast()).toHaveTextContent(/Downloaded!/);
  }
});

describe('writing', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('more formats: a worker writes the file and is terminated after it', async () => {
    await openResult('note');
    const threads: string[] = [];
    class Watched extends Worker {
      constructor(address: string | URL, options: WorkerOptions) {
        super(address, options);
        threads.push(String(address));
      }
      override terminate() {
        threads.push('ended');
        super.terminate();
      }
    }
    vi.stubGlobal('Worker', Watched);
    await downloadBy(async () => {
      await more().click();
      await item('Markdown').click();
    });
    // The search for QR codes may have had a worker before.
    expect(threads.slice(-2)).toEqual([expect.stringContaining('export-worker'), 'ended']);
  });

  test('more formats: if writing fails, the text stays and the message says what to do', async () => {
    const tool = await openResult('note');
    const failing = URL.createObjectURL(new Blob(['onmessage = () => postMessage({ failure: "broken" })']));
    class Failing extends Worker {
      constructor() {
        super(failing);
      }
    }
    vi.stubGlobal('Worker', Failing);
    await more().click();
    await item('Markdown').click();
    const problem = page.getByRole('alert').filter({ hasText: 'The Markdown file could not be made' });
    await expect.element(problem).toHaveTextContent(/Check your connection and try again/);
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
  });
});

test('more formats: arrow keys open the menu, a letter finds a format and Enter downloads it', async () => {
  await openCorrected();
  (more().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(item('Searchable PDF')).toHaveFocus();
  await userEvent.keyboard('m');
  await expect.element(item('Markdown')).toHaveFocus();
  const { text } = await downloadBy(() => userEvent.keyboard('{Enter}'));
  expect(text).toMatch(/^\| Black tea +\| 12 +\| 3\.20 +\| loose +\|$/m);
  await expect.element(more()).toHaveFocus();
});

test('more formats: on a phone, the menu is within the screen', async () => {
  await page.viewport(375, 812);
  await openResult('order');
  await more().click();
  await expect.element(item('Searchable PDF')).toBeVisible();
  const { left, right } = page.getByRole('menu').element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(375);
  await expectAccessible();
});

test('more formats: a premium format offers a free visitor the waitlist and keeps the text', async () => {
  const tool = await openCorrected();
  await more().click();
  await item('Word').click();
  const note = page.getByRole('status').filter({ hasText: 'Word is part of Premium' });
  await expect.element(note).toHaveTextContent(/Your text stays here as it is\./);
  await note.getByRole('button', { name: 'Join the waitlist' }).click();
  const dialog = page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(tool.area().value).toContain('Black tea');
  await note.getByRole('button', { name: 'Close' }).click();
  await expect.element(note).not.toBeInTheDocument();
});

test('more formats: a text without a table is not offered as CSV or Excel', async () => {
  const tool = await openResult('order');
  await tool.text.fill('Another text');
  await more().click();
  await expect.element(item('Markdown')).toBeVisible();
  expect(item('CSV').query()).toBeNull();
  expect(item('Excel').query()).toBeNull();
});
