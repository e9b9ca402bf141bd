import type { Page } from '@playwright/test';
import { NOTE, openTool, ROOMY } from './extraction-page.ts';
import { expect, test } from './test.ts';

test.use({ settings: ROOMY });

async function readNote(page: Page) {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  return tool;
}

const marked = (page: Page, state: string) => page.locator(`.text-editor [data-state=${state}]`);

test('a word that is pressed in the picture is selected in the text', async ({ page }) => {
  const tool = await readNote(page);
  const bakery = page.locator('.word-boxes rect[data-piece="2"]');
  await bakery.hover();
  await expect(marked(page, 'hovered')).toHaveText('Bakery');
  await bakery.click();
  const selection = () =>
    tool.text.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
  expect(await selection()).toBe('Bakery');
  await expect(tool.text).toBeFocused();
  await expect(page.locator('.word-boxes rect.active')).toHaveCount(1);
});

test('the word at the caret is shown in the picture', async ({ page }) => {
  const tool = await readNote(page);
  await tool.text.focus();
  await page.keyboard.press('Control+Home');
  await expect(marked(page, 'active')).toHaveText('Harbour');
  await expect(page.locator('.word-boxes rect.active')).toHaveCount(1);
});

test('words keep their places while the text is edited, and undo brings the text back', async ({ page }) => {
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  await tool.text.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('At the ');
  const bakery = page.locator('.word-boxes rect[data-piece="2"]');
  await bakery.hover();
  await expect(marked(page, 'hovered')).toHaveText('Bakery');
  await tool.text.focus();
  await page.keyboard.press('Control+z');
  await expect(tool.text).toHaveValue(before);
  await page.keyboard.press('Control+Shift+z');
  await expect(tool.text).toHaveValue(`At the ${before}`);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect(tool.text).toHaveValue(before);
});

test('marks lie exactly under their words', async ({ page }) => {
  const tool = await readNote(page);
  await tool.text.fill(`${'long words wrap around '.repeat(12)}\n\n\tTabbed   and  spaced\nlast line\n`);
  const heights = await page.locator('.text-editor').evaluate((editor) => {
    const [copy, area] = [...editor.children] as [HTMLElement, HTMLTextAreaElement];
    return { copy: copy.scrollHeight, area: area.scrollHeight, shown: area.clientHeight };
  });
  expect(heights.area).toBe(heights.copy);
  expect(heights.shown).toBe(heights.copy);
});

test('lines are rejoined into paragraphs and parted again', async ({ page }) => {
  const tool = await readNote(page);
  const lines = await tool.text.inputValue();
  await page.getByRole('radio', { name: 'Paragraphs' }).check({ force: true });
  await expect(tool.text).not.toHaveValue(lines);
  await page.getByRole('radio', { name: 'Lines' }).check({ force: true });
  await expect(tool.text).toHaveValue(lines);
});

test('the picture is zoomed by buttons, keys and the wheel', async ({ page }) => {
  await readNote(page);
  const zoom = page.getByRole('status', { name: 'Zoom' });
  const fit = await zoom.textContent();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(zoom).not.toHaveText(fit ?? '');
  await page.getByRole('button', { name: '100 %' }).click();
  await expect(zoom).toHaveText('100%');
  await page.getByRole('region', { name: /Original picture/ }).press('0');
  await expect(zoom).toHaveText(fit ?? '');
  await page.getByRole('region', { name: /Original picture/ }).hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect(zoom).not.toHaveText(fit ?? '');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('every state of the tool is accessible @every-width', async ({ page, expectAccessible }) => {
      // The whole page is looked through five times, which takes its time on a busy machine.
      test.slow();
      const tool = await openTool(page);
      await expectAccessible();
      await tool.file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid file type' })).toBeVisible();
      await expectAccessible();
      await tool.choose(NOTE);
      await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
      await expectAccessible();
      await tool.read();
      await expect(tool.text).toHaveValue(/Harbour/);
      await expectAccessible();
      const picture = page.getByRole('tab', { name: 'Picture' });
      if (await picture.isVisible()) {
        await picture.click();
        await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
        await expectAccessible();
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    });
  });
}
