import type { Page } from '@playwright/test';
import { PayPalDouble } from '../../doubles/paypal.ts';
import { open, PATIENT, REFUSALS, register, signInButton, toastOf } from '../people.ts';
import { test as base, expect } from '../test.ts';

/** A server that takes payment through PayPal, whose own pages the payer visits. */
const test = base.extend<object, { paypal: PayPalDouble }>({
  paypal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const paypal = await PayPalDouble.start();
      await use(paypal);
      await paypal.close();
    },
    { scope: 'worker' },
  ],
  settings: async ({ paypal }, use) => {
    await use({ ...PATIENT, PREMIUM_AVAILABILITY: 'available', ...paypal.env });
  },
});

test.use({ expectedConsole: REFUSALS });

const notice = (page: Page, name = 'Finish your registration') => page.getByRole('region', { name });
const payment = (page: Page) => page.getByTestId('payment-modal');

/** Registered up to the payment dialog. */
async function beginRegistering(page: Page, username: string): Promise<void> {
  await open(page);
  await signInButton(page).click();
  await register(page, username);
  await expect(payment(page)).toBeVisible();
}

const pay = (page: Page) => payment(page).getByRole('button', { name: 'Pay with PayPal' }).click();

test('a page that comes back as it was left can be used again', async ({ page, paypal }) => {
  await beginRegistering(page, 'xaver');
  // An answer without a page: the browser stays where it is, as it does when it keeps the page for its Back button.
  await page.route(`${paypal.url}/**`, (route) => route.fulfill({ status: 204 }));
  const leaving = page.waitForRequest(`${paypal.url}/**`);
  await pay(page);
  await expect(payment(page).getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
  await leaving;
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(payment(page).getByRole('button', { name: 'Pay with PayPal' })).toBeEnabled();
});

test('a registration can be dropped, and its name is free for another', async ({ page, browser, server }) => {
  await beginRegistering(page, 'yvonne');
  await page.keyboard.press('Escape');
  await notice(page).getByRole('button', { name: 'Drop it' }).click();
  await expect(toastOf(page)).toContainText('the username is free again');
  await expect(notice(page)).toHaveCount(0);
  await open(page, '/premium');
  await expect(notice(page)).toHaveCount(0);
  const elsewhere = await browser.newContext({ baseURL: server.url });
  const answer = await elsewhere.request.post('/api/register', {
    data: { username: 'yvonne', email: 'another@example.org', password: 'another pass phrase' },
  });
  expect(answer.status()).toBe(402);
  await elsewhere.close();
});

test('another browser goes on with the registration after the same name, address and password', async ({
  page,
  browser,
  server,
  paypal,
}) => {
  await beginRegistering(page, 'zora');
  const elsewhere = await browser.newContext({ baseURL: server.url });
  const other = await elsewhere.newPage();
  await open(other);
  await signInButton(other).click();
  await register(other, 'zora');
  await expect(payment(other)).toContainText('For the new account zora');

  await open(page);
  await expect(notice(page)).toHaveCount(0);
  await signInButton(page).click();
  const dialog = page.getByRole('dialog');
  await register(page, 'zora');
  await expect(payment(page)).toBeVisible();

  await other.keyboard.press('Escape');
  await open(other);
  await expect(notice(other)).toHaveCount(0);
  await pay(page);
  await page.waitForURL(`${paypal.url}/**`);
  await signInButton(other).click();
  await register(other, 'zora');
  await expect(other.getByRole('dialog').getByRole('alert')).toContainText('begun in another browser');
  await expect(dialog).toHaveCount(0);
  await elsewhere.close();
});
