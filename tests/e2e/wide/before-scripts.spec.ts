import type { Page } from '@playwright/test';
import { chooseInDialog, dropFiles, haveCamera, NOTE, note, pasteFiles } from '../extraction-page.ts';
import { becomeMember, gate, PATIENT, REFUSALS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT, expectedConsole: REFUSALS });

/** The page as a slow line gives it: the document is there, its scripts come when they are let through. */
async function openWithoutScripts(page: Page, path = '/'): Promise<() => void> {
  const scripts = gate();
  await page.route('**/*.js', async (route) => {
    await scripts.opened;
    await route.continue().catch(() => {});
  });
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeVisible();
  return scripts.open;
}

const extract = (page: Page) => page.getByRole('button', { name: 'Extract Text' });
const status = (page: Page) => page.getByRole('status').filter({ hasText: 'still loading' });

test('a picture dropped before the scripts came does not replace the page, and is taken up', async ({
  page,
}) => {
  const release = await openWithoutScripts(page);
  const isKept = await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'probe.png', { type: 'image/png' }));
    const over = new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true });
    return !document.body.dispatchEvent(over);
  });
  expect(isKept, 'without this the browser would open the file').toBe(true);
  await dropFiles(page.locator('main'), [note]);
  await expect(status(page)).toBeVisible();
  release();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(extract(page)).toBeEnabled();
});

test('a picture pasted before the scripts came is taken up', async ({ page }) => {
  const release = await openWithoutScripts(page);
  await pasteFiles(page, [note]);
  release();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
});

test('the switch stays as it was set before the scripts came, and that is what is sent', async ({ page }) => {
  const release = await openWithoutScripts(page);
  const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });
  await filtering.uncheck();
  await page.locator('input[type=file]').setInputFiles(NOTE);
  release();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(filtering).not.toBeChecked();
  const sent = page.waitForRequest('**/api/extract-text');
  await extract(page).click();
  expect((await sent).postData()).toMatch(/name="useFiltering"\r\n\r\nfalse/);
});

test('a signed-in person’s menu opens by a press from before the scripts came', async ({ page }) => {
  await becomeMember(page, 'early-bird');
  const release = await openWithoutScripts(page);
  await page.getByRole('banner').getByText('early-bird').click();
  release();
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
});

test('scripts that never come are said to be missing', async ({ page }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('status').filter({ hasText: 'did not load completely' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  test('the menu opens by a press from before the scripts came', async ({ page }) => {
    const release = await openWithoutScripts(page);
    await page.getByRole('button', { name: 'Open menu' }).click();
    release();
    await expect(page.getByRole('navigation', { name: 'Main, small screen' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
  });

  test('the camera is asked for in the moment of the press', async ({ page }) => {
    await haveCamera(page);
    const release = await openWithoutScripts(page);
    await chooseInDialog(page, () => page.getByRole('button', { name: 'Take a photo' }).click(), NOTE);
    release();
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  });
});
