import type { Page } from '@playwright/test';
import { NOTE } from '../extraction-page.ts';
import { FAILED_REQUESTS, gate, HIGH_RATE_LIMITS, signInButton } from '../people.ts';
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

test('before the scripts: a chosen picture is kept, shown and can be read', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await expect(status(page)).toContainText('Your picture is kept.');
  loadScripts();
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
  await expect(status(page)).toHaveCount(0);
  await extract(page).click();
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeVisible({ timeout: 30_000 });
});

test('before the scripts: a click is recorded, shown as pending, and handled once', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page);
  await signInButton(page).click();
  await signInButton(page).click();
  await expect(status(page)).toContainText('Your click is queued.');
  await expect(signInButton(page)).toHaveAttribute('data-pressed-early');
  loadScripts();
  await expect(page.getByRole('dialog', { name: 'Coming Soon', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('[data-pressed-early]')).toHaveCount(0);
  await expect(status(page)).toHaveCount(0);
});

test('before the scripts: text typed into a field is kept', async ({ page }) => {
  const loadScripts = await openWithoutScripts(page, '/demo-sign-in?state=s&nonce=n&challenge=c');
  const field = page.getByLabel('Name');
  await field.fill('Ada Lovelace');
  const taken = page.waitForFunction(() => !('earlyCapture' in window));
  loadScripts();
  await taken;
  // A value that React does not know is lost when another field changes.
  await page.getByLabel('Email').pressSequentially('x');
  await expect(field).toHaveValue('Ada Lovelace');
});

test('without scripts: the tool shows that it needs them', async ({ request }) => {
  const markup = await (await request.get('/')).text();
  expect(markup).toMatch(/<noscript>.*The tool needs scripts.*<\/noscript>/s);
});
