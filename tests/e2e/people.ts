import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

export const PASSWORD = 'harbour lights 7';

/** Settings that keep tests from reaching rate limits. */
export const HIGH_RATE_LIMITS = { ADDRESS_LIMIT_FACTOR: '100', RATE_LIMIT_PER_MINUTE: '1000' };

/** Console messages of Chromium for failed and unanswered requests. */
export const FAILED_REQUESTS = [/the server responded with a status of [45]\d\d|net::ERR_FAILED/];

/** Waits for hydration: the early event listeners are removed when it is complete. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const link = document.querySelector('header a');
    const isHydrated = link !== null && Object.keys(link).some((key) => key.startsWith('__reactProps'));
    return isHydrated && !('earlyCapture' in window);
  });
}

/** Waits until a closed dialog's history entry is removed. `timeout`: milliseconds. */
export async function waitUntilDialogEntryRemoved(page: Page, timeout?: number): Promise<void> {
  await page.waitForFunction(() => !window.history.state?.glyphliftDialog, undefined, {
    ...(timeout && { timeout }),
  });
}

export async function open(page: Page, path = '/'): Promise<void> {
  // The history entry of a dialog that has just been closed may still be pending, which would cancel this navigation.
  if ((await page.getByRole('dialog').count()) === 0) {
    const gone = waitUntilDialogEntryRemoved(page, 2000);
    // After a reload with an open dialog, its history entry stays.
    await gone.catch(() => {});
  }
  await page.goto(path);
  await waitForHydration(page);
}

/** By class, because an open dialog hides everything else from the accessibility tree. */
export const toastOf = (page: Page): Locator => page.locator('.toast-viewport > li');

export const signInButton = (page: Page): Locator => page.getByRole('button', { name: 'Premium Sign In' });

/** Fills in the dialog's Register tab and sends it. */
export async function register(page: Page, username: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Register' }).click();
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Email').fill(`${username}@example.org`);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Confirm Password').fill(password);
  await dialog.getByRole('button', { name: 'Create Account' }).click();
}

/** Fills in the dialog's Login tab and sends it. */
export async function logIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Registers, pays with the demo provider and signs in, without a dialog. */
export async function becomeMember(page: Page, username: string): Promise<void> {
  const { request } = page.context();
  const email = `${username}@example.org`;
  const registered = await request.post('/api/register', { data: { username, email, password: PASSWORD } });
  expect(registered.status()).toBe(402);
  const paid = await request.post('/api/payment/paypal', {
    data: { email, amount: '4.99', currency: 'USD' },
  });
  expect(await paid.json()).toEqual({ status: 'completed', kind: 'registration' });
  const signedIn = await request.post('/api/login', { data: { username, password: PASSWORD } });
  expect(signedIn.status()).toBe(200);
}

/** A promise with its `resolve`, for delaying a response. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Waits for a mail to `to` with a link of this kind, and returns the link. */
export async function mailedLink(dataDir: string, to: string, pattern: RegExp): Promise<string> {
  const folder = join(dataDir, 'outbox');
  let found = '';
  await expect
    .poll(
      () => {
        if (!existsSync(folder)) return '';
        const mails = readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.name.endsWith('.eml'))
          .map((entry) => readFileSync(join(folder, entry.name), 'utf8'));
        found =
          mails
            .filter((mail) => mail.includes(to))
            .join('\n')
            .match(pattern)?.[0] ?? '';
        return found;
      },
      { timeout: 20_000 },
    )
    .not.toBe('');
  return found;
}
