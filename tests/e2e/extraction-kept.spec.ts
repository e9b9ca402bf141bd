import type { Page, Route } from '@playwright/test';
import { NOTE, openTool } from './extraction-page.ts';
import { PATIENT, REFUSALS } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT });

async function readNote(page: Page) {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  return tool;
}

const EDITED = /^At the Harbour Lane Bakery/;

/** Types in front of the text, as a person does. */
async function edit(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Extracted text' }).press('Control+Home');
  await page.keyboard.type('At the ');
}

/** The words lie where they were read, in the picture and in the text. */
async function expectMarks(page: Page): Promise<void> {
  await page.locator('.word-boxes rect[data-piece="2"]').hover();
  await expect(page.locator('.text-editor [data-state=hovered]')).toHaveText('Bakery');
}

test.describe('a text that is to be read once more', () => {
  test.use({ expectedConsole: REFUSALS });

  test('stands with its edits until another is there, whatever comes in between @every-width', async ({
    page,
  }) => {
    const tool = await readNote(page);
    await edit(page);
    let answer: (route: Route) => Promise<void> = () => Promise.resolve();
    await page.route('**/api/extract-text', (route) => answer(route));
    const processing = page.getByText('Processing your image...');

    await tool.extract.click();
    await expect(processing).toBeVisible();
    await expect(page.getByText('Reading note.png once more')).toBeVisible();
    await expect(tool.text).toHaveValue(EDITED);
    await tool.text.press('Control+End');
    await page.keyboard.type(' tonight');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(tool.extract).toBeFocused();
    await expect(processing).toHaveCount(0);
    await expect(tool.text).toHaveValue(/until seven tonight$/);

    answer = (route) => route.fulfill({ status: 500, json: { error: 'OCR processing failed' } });
    await tool.extract.click();
    await expect(page.getByRole('alert').filter({ hasText: 'Extraction failed' })).toBeVisible();
    await expect(tool.text).toHaveValue(/until seven tonight$/);

    answer = (route) => route.abort();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Your picture and your text are still here.')).toBeVisible();

    answer = (route) =>
      route.fulfill({ status: 429, json: { error: 'Daily limit reached.', limitExceeded: true } });
    await tool.extract.click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(tool.text).toHaveValue(EDITED);

    answer = (route) => route.continue();
    await tool.extract.click();
    await expect(tool.text).toHaveValue(/^Harbour Lane Bakery/, { timeout: 30_000 });
    await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  });
});

test.describe('what "Upload Another Image" took away', () => {
  test('comes back by Undo, with picture, text and edits', async ({ page }) => {
    const tool = await readNote(page);
    await edit(page);
    await page.getByRole('button', { name: 'Upload Another Image' }).click();
    await expect(tool.toast).toContainText('Form Reset');
    await expect(tool.text).toHaveCount(0);
    await tool.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(tool.text).toHaveValue(EDITED);
    await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
    await expectMarks(page);
    await tool.text.press('Control+z');
    await expect(tool.text).toHaveValue(/^Harbour/);
    await expect(page.getByText('0.01 MB')).toBeVisible();
    await expect(tool.extract).toBeEnabled();
  });

  test('comes back by the keyboard alone', async ({ page }) => {
    const tool = await readNote(page);
    await edit(page);
    await page.getByRole('button', { name: 'Upload Another Image' }).press('Enter');
    await expect(tool.file).toBeFocused();
    await expect(tool.toast).toContainText('Form Reset');
    await page.keyboard.press('F8');
    // First the message as a whole, then what can be done about it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(tool.toast.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(tool.text).toHaveValue(EDITED);
    await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  });
});

test.describe('where the code of the workspace cannot be had', () => {
  test.use({ expectedConsole: REFUSALS });

  test('the text stands in a plain field, to be edited, copied and kept, until it can @every-width', async ({
    page,
    context,
    expectAccessible,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.route('**/result-workspace-*.js', (route) => route.abort());
    const tool = await openTool(page);
    const asked = page.waitForRequest('**/result-workspace-*.js');
    await tool.choose(NOTE);
    await asked;
    await tool.read();
    await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
    await expect(page.getByText('The picture beside the text could not be loaded')).toBeVisible();
    await expect(page.getByText(/^\d+% confidence$/)).toBeVisible();
    await edit(page);
    await expect(tool.text).toHaveValue(EDITED);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(EDITED);
    await expectAccessible();

    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    // A browser may remember that a file could not be had; a page that is loaded anew asks for it again.
    await page.reload();
    await page.getByRole('button', { name: /^Open note\.png/ }).click();
    await expect(tool.text).toHaveValue(EDITED);
    const picture = page.getByRole('tab', { name: 'Picture' });
    if (await picture.isVisible()) await picture.click();
    await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  });
});
