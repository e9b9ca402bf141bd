import type { Page } from '@playwright/test';
import { chooseInDialog, dropFiles, haveCamera, NOTE, note, pasteFiles } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, gate, HIGH_RATE_LIMITS, waitForHydration } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

/** Opens the document without its scripts, like a slow connection; the returned function loads them. */
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

test('before the scripts: a dropped picture does not replace the page, and is chosen', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page);
  const isKept = await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'probe.png', { type: 'image/png' }));
    const over = new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true });
    return !document.body.dispatchEvent(over);
  });
  expect(isKept, 'otherwise the browser opens the file').toBe(true);
  await dropFiles(page.locator('main'), [note]);
  await expect(status(page)).toBeVisible();
  loadScripts();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(extract(page)).toBeEnabled();
});

test('before the scripts: a pasted picture is chosen', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page);
  await pasteFiles(page, [note]);
  loadScripts();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
});

test('before the scripts: a switch keeps its new state, which is sent with the picture', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page);
  const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });
  await filtering.uncheck();
  await page.locator('input[type=file]').setInputFiles(NOTE);
  loadScripts();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(filtering).not.toBeChecked();
  const sent = page.waitForRequest('**/api/extract-text');
  await extract(page).click();
  expect((await sent).postData()).toMatch(/name="useFiltering"\r\n\r\nfalse/);
});

test('before the scripts: a click on the menu of a signed-in user opens it later', async ({ page }) => {
  await becomeMember(page, 'early-bird');
  const loadScripts = await openWithoutScripts(page);
  await page.getByRole('banner').getByText('early-bird').click();
  loadScripts();
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
});

test('before the scripts: scripts that fail to load are reported', async ({ page }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('status').filter({ hasText: 'did not load completely' })).toBeVisible();
});

test('before the scripts: the camera of a computer is offered, and its dialog opens later', async ({
  page,
}) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = async () => [{ kind: 'videoinput' } as MediaDeviceInfo];
  });
  const loadScripts = await openWithoutScripts(page);
  await page.getByRole('button', { name: 'Take a photo' }).click();
  await expect(status(page)).toBeVisible();
  loadScripts();
  await expect(page.getByRole('dialog', { name: 'Take pages' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  test('before the scripts: a tap on the phone menu opens it later', async ({ page }) => {
    const loadScripts = await openWithoutScripts(page);
    await page.getByRole('button', { name: 'Open menu' }).click();
    loadScripts();
    await expect(page.getByRole('navigation', { name: 'Main, small screen' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
  });

  test('before the scripts: a phone without a camera shows no camera button', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'mediaDevices'));
    const loadScripts = await openWithoutScripts(page);
    await expect(page.getByRole('button', { name: 'Paste a picture' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take a photo' })).toBeHidden();
    loadScripts();
    await waitForHydration(page);
    await expect(page.getByRole('button', { name: 'Take a photo' })).toBeHidden();
  });

  test('before the scripts: the camera button opens the camera at once', async ({ page }) => {
    await haveCamera(page);
    const loadScripts = await openWithoutScripts(page);
    await chooseInDialog(page, () => page.getByRole('button', { name: 'Take a photo' }).click(), NOTE);
    loadScripts();
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  });
});
