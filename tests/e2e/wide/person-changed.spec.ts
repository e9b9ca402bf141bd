import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, gate, logIn, open, PASSWORD, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT, expectedConsole: REFUSALS });

const SIGNED_OUT = 'You were signed out. Sign in to go on.';

const extract = (page: Page) => page.getByRole('button', { name: 'Extract Text' });
const result = (page: Page) => page.getByRole('heading', { name: 'Extracted text' });
const premiumBadge = (page: Page) => page.getByRole('banner').getByText('Premium', { exact: true }).last();
const languageChoice = (page: Page) => page.getByRole('button', { name: 'Language: English' });

/** From another device: this browser keeps its cookie, and the cookie opens nothing any more. */
async function endSessionsFromElsewhere(browser: Browser, baseURL: string, username: string): Promise<void> {
  const device = await browser.newContext({ baseURL });
  const login = await device.request.post('/api/login', { data: { username, password: PASSWORD } });
  expect(login.status()).toBe(200);
  expect((await device.request.post('/api/account/sessions/end')).status()).toBe(200);
  await device.close();
}

/** As a member sees it once its own calls are answered: the next call is the one that a person presses for. */
async function openAsMember(page: Page, username: string): Promise<void> {
  await becomeMember(page, username);
  await open(page);
  await expect(languageChoice(page)).toBeVisible();
}

async function becomeMemberElsewhere(browser: Browser, baseURL: string, username: string): Promise<void> {
  const device = await browser.newContext({ baseURL });
  await becomeMember(await device.newPage(), username);
  await device.close();
}

test('a text and what was edited in it outlive the session', async ({ page, browser, baseURL }) => {
  await openAsMember(page, 'keeper');
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await extract(page).click();
  await expect(result(page)).toBeVisible({ timeout: 30_000 });
  const text = page.getByRole('textbox', { name: 'Extracted text', includeHidden: true });
  await text.fill('Edited by hand');
  await endSessionsFromElsewhere(browser, baseURL!, 'keeper');
  await page.getByRole('button', { name: 'Save text' }).click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Welcome to Glyphlift' })).toContainText(SIGNED_OUT);
  await expect(text).toHaveValue('Edited by hand');
  await logIn(page, 'keeper');
  await expect(page.getByRole('button', { name: 'Save text' })).toBeVisible();
  await expect(text).toHaveValue('Edited by hand');
});

test('a page that learns by itself that somebody else signed in in another tab says so', async ({
  page,
  browser,
  baseURL,
}) => {
  await becomeMemberElsewhere(browser, baseURL!, 'fourth');
  await becomeMember(page, 'third');
  const signedIn = gate();
  await page.route('**/api/languages', async (route) => {
    await signedIn.opened;
    await route.continue();
  });
  await open(page);
  await expect(page.getByRole('banner').getByText('third')).toBeVisible();
  await page.request.post('/api/login', { data: { username: 'fourth', password: PASSWORD } });
  signedIn.open();
  await expect(toastOf(page)).toContainText('Another account is signed in');
  await expect(page.getByRole('banner').getByText('fourth')).toBeVisible();
  await expect(languageChoice(page)).toBeVisible();
});

test('a page that showed nobody learns with the next answer that somebody signed in in another tab', async ({
  page,
}) => {
  await open(page);
  await expect(page.getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await becomeMember(page, 'arrived');
  await extract(page).click();
  await expect(result(page)).toBeVisible({ timeout: 30_000 });
  await expect(premiumBadge(page)).toBeVisible();
  await expect(page.getByRole('banner').getByText('arrived')).toBeVisible();
});

test('the account page says that the session has ended, whatever is pressed on it', async ({
  page,
  browser,
  baseURL,
}) => {
  await becomeMember(page, 'settler');
  await open(page, '/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('another harbour 8');
  await page.getByLabel('Confirm new password').fill('another harbour 8');
  await endSessionsFromElsewhere(browser, baseURL!, 'settler');
  await page.getByRole('button', { name: 'Save password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(dialog).toContainText(SIGNED_OUT);
  await logIn(page, 'settler');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('settler, here since')).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);
});

test('a download that needs its owner leads to the sign-in dialog, and not to a file with a refusal', async ({
  page,
  browser,
  baseURL,
}) => {
  await becomeMember(page, 'owner');
  await open(page, '/account');
  const link = page.getByRole('link', { name: 'Download your data' });
  const downloading = page.waitForEvent('download');
  await link.click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('"username": "owner"');
  await endSessionsFromElsewhere(browser, baseURL!, 'owner');
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await link.click();
  await expect(page.getByRole('dialog', { name: 'Welcome to Glyphlift' })).toContainText(SIGNED_OUT);
  expect(downloads).toBe(0);
});

test('premium that ended is shown as ended after the next picture, with what is used beside the result', async ({
  page,
  server,
}) => {
  await openAsMember(page, 'lapsed');
  await expect(premiumBadge(page)).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(NOTE);
  const admin = spawnSync(
    process.execPath,
    ['dist/node/server/admin/main.js', 'subscription', 'refund', 'lapsed', '--yes'],
    { env: { ...process.env, DATA_DIR: server.dataDir }, encoding: 'utf8' },
  );
  expect(admin.stdout).toContain('premium has ended');
  await extract(page).click();
  await expect(result(page)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('banner').getByText('1/3 images')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByText('Welcome, lapsed!')).toBeVisible();
  await expect(main.getByText('1/3 images used today')).toBeVisible();
  for (const name of ['Upgrade', 'Logout']) {
    await expect(main.getByRole('button', { name, exact: true })).toBeVisible();
  }
});
