import type { Locator, Page } from '@playwright/test';
import { note, openTool, payloadOf } from '../extraction-page.ts';
import { PATIENT, REFUSALS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

/** An element that is on the page has the focus. */
async function expectFocusSomewhere(page: Page, after: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const { activeElement } = document;
          return activeElement !== null && activeElement !== document.body && activeElement.isConnected;
        }),
      { message: `the focus after ${after}` },
    )
    .toBe(true);
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await target.focus();
  await target.press(key);
}

async function read(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(payloadOf({ ...note, name }));
  await press(page.getByRole('button', { name: 'Extract Text' }));
  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('The text above is kept.', { timeout: 30_000 });
}

test('focus: is never lost while a picture is read, replaced and restored and its result removed', async ({
  page,
}) => {
  const tool = await openTool(page);
  await read(page, 'first.png');
  await expectFocusSomewhere(page, 'a reading');
  await press(page.getByRole('button', { name: 'Upload Another Image' }));
  await expectFocusSomewhere(page, 'Upload Another Image');
  await press(tool.toast.getByRole('button', { name: 'Undo' }));
  await expectFocusSomewhere(page, 'Undo in a toast');
  await press(page.getByRole('button', { name: 'Upload Another Image' }));
  await press(tool.toast.getByRole('button', { name: 'Close' }));
  await expectFocusSomewhere(page, 'a toast was closed');
  const recent = page.getByRole('region', { name: 'Recent results' });
  await press(recent.getByRole('button', { name: /^Remove first\.png/ }));
  await expect(recent).toHaveCount(0);
  await expectFocusSomewhere(page, 'the last result was removed');
});
