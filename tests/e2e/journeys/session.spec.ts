import type { Browser, Page } from '@playwright/test';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, logIn, open, PASSWORD } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

const SIGNED_OUT = 'You were signed out. Sign in to continue.';

const extract = (page: Page) => page.getByRole('button', { name: 'Extract Text' });
const result = (page: Page) => page.getByRole('heading', { name: 'Extracted text' });
const premiumBadge = (page: Page) => page.getByRole('banner').getByText('Premium', { exact: true }).last();
const languageChoice = (page: Page) => page.getByRole('button', { name: 'Language: Found automatically' });
const imageCount = async (page: Page) =>
  (await (await page.request.get('/api/usage')).json()).imageCount as number;

/** Ends all sessions from another device. This browser keeps its cookie, which is invalid. */
async function endSessionsFromElsewhere(browser: Browser, baseURL: string, username: string): Promise<void> {
  const device = await browser.newContext({ baseURL });
  const login = await device.request.post('/api/login', { data: { username, password: PASSWORD } });
  expect(login.status()).toBe(200);
  expect((await device.request.post('/api/account/sessions/end')).status()).toBe(200);
  await device.close();
}

/** Opens the start page of a member and waits for its calls, so that the test makes the next call. */
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

test('ended session: is detected before a picture is charged to the visitor, and the chosen picture is kept', async ({
  page,
  browser,
  baseURL,
}) => {
  await openAsMember(page, 'ended');
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await endSessionsFromElsewhere(browser, baseURL!, 'ended');
  await extract(page).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(dialog).toContainText(SIGNED_OUT);
  expect(await imageCount(page)).toBe(0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
  const notice = page.getByRole('alert').filter({ hasText: 'You were signed out' });
  await expect(notice).toContainText('Your picture is still here.');
  await expect(page.getByText('note.png', { exact: true })).toBeVisible();
  await notice.getByRole('button', { name: 'Sign in' }).click();
  await logIn(page, 'ended');
  await expect(premiumBadge(page)).toBeVisible();
  await expect(notice).toHaveCount(0);
  await extract(page).click();
  await expect(result(page)).toBeVisible({ timeout: 30_000 });
  expect(await imageCount(page)).toBe(1);
});

test('another account: a sign-in in another tab is detected before any action for this account', async ({
  page,
  browser,
  baseURL,
}) => {
  await becomeMemberElsewhere(browser, baseURL!, 'second');
  await openAsMember(page, 'first');
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.request.post('/api/login', { data: { username: 'second', password: PASSWORD } });
  await extract(page).click();
  const notice = page.getByRole('alert').filter({ hasText: 'This browser is signed in as second now.' });
  await expect(notice).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('second')).toBeVisible();
  expect(await imageCount(page)).toBe(0);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(result(page)).toBeVisible({ timeout: 30_000 });
  await expect(notice).toHaveCount(0);
});
