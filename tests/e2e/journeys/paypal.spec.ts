import type { Page } from '@playwright/test';
import { PayPalDouble } from '../../doubles/paypal.ts';
import {
  FAILED_REQUESTS,
  gate,
  HIGH_RATE_LIMITS,
  logIn,
  mailedLink,
  open,
  PASSWORD,
  register,
  signInButton,
  toastOf,
} from '../people.ts';
import { test as base, expect } from '../test.ts';

/** A server with a PayPal double, whose pages the payer visits. */
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
    await use({ ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available', ...paypal.env });
  },
});

test.use({ expectedConsole: FAILED_REQUESTS });

const notice = (page: Page) => page.getByRole('region', { name: 'Finish your registration' });
const payment = (page: Page) => page.getByTestId('payment-modal');
const pay = (page: Page) => payment(page).getByRole('button', { name: 'Pay with PayPal' }).click();
const continuePaying = (page: Page) =>
  notice(page).getByRole('button', { name: 'Continue to payment' }).click();
const atPayPal = (page: Page, { url }: PayPalDouble) => page.waitForURL(`${url}/**`);

/** Registers until the payment dialog opens. */
async function startRegistration(page: Page, username: string): Promise<void> {
  await open(page);
  await signInButton(page).click();
  await register(page, username);
  await expect(payment(page)).toBeVisible();
}

/** Approves the newest pending payment at PayPal. Returns the URL to which PayPal redirects the payer. */
function approveNewest(paypal: PayPalDouble): string {
  const pending = [...paypal.subscriptions.values()].findLast(({ status }) => status === 'APPROVAL_PENDING');
  if (!pending) throw new Error('No payment waits for approval');
  return paypal.approve(pending.id);
}

async function approve(page: Page, paypal: PayPalDouble): Promise<void> {
  await atPayPal(page, paypal);
  await page.goto(approveNewest(paypal));
}

test('PayPal: a missing address and a failed attempt are reported, and a payer who goes Back after paying finds the account ready', async ({
  page,
  paypal,
}) => {
  await startRegistration(page, 'payer');
  await expect(payment(page).getByText('Demo payment')).toHaveCount(0);
  const email = payment(page).getByLabel('Email');
  await email.fill('');
  await pay(page);
  await expect(toastOf(page)).toContainText('Email Required');
  await expect(toastOf(page)).toContainText('Please enter your email address to continue with payment.');

  await email.fill('payer@example.org');
  const held = gate();
  await page.route('**/api/payment/paypal', async (route) => {
    await held.opened;
    await route.fulfill({ status: 502, json: {} });
  });
  await pay(page);
  await expect(payment(page).getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
  held.open();
  await expect(toastOf(page)).toContainText('Payment Failed');
  await expect(payment(page).getByRole('alert')).toContainText(
    'There was an error processing your payment. Please try again.',
  );
  await expect(email).toHaveValue('payer@example.org');
  await page.unroute('**/api/payment/paypal');

  await pay(page);
  await atPayPal(page, paypal);
  approveNewest(paypal);
  await page.goBack();
  await continuePaying(page);
  // The server polls open payments; here the click polls this payment.
  await pay(page);
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(notice(page)).toHaveCount(0);
  await logIn(page, 'payer');
  await expect(page.getByRole('button', { name: 'payer', exact: true })).toBeVisible();
});

test('PayPal: of two browsers that pay for one address the second one chooses another address and loses no money', async ({
  page,
  browser,
  paypal,
  server,
}) => {
  const elsewhere = await browser.newContext({ baseURL: server.url });
  const second = await elsewhere.newPage();
  const begin = async (browserPage: Page, username: string) => {
    await open(browserPage);
    await signInButton(browserPage).click();
    const dialog = browserPage.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Register' }).click();
    await dialog.getByLabel('Username').fill(username);
    await dialog.getByLabel('Email').fill('shared@example.org');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Confirm Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create Account' }).click();
    await pay(browserPage);
  };
  await begin(second, 'second');
  await atPayPal(second, paypal);
  await begin(page, 'first');
  await approve(page, paypal);
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await approve(second, paypal);
  await expect(toastOf(second)).toContainText('Your payment has arrived');
  await expect(second.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');

  const link = await mailedLink(server.dataDir, paypal.payerEmail, /http\S+#claim=[\w-]+/);
  await second.goto('about:blank');
  await second.goto(link);
  await expect(second.getByText('The address of your registration has an account meanwhile.')).toBeVisible();
  await second.getByLabel('Email').fill('second@example.org');
  await second.getByRole('button', { name: 'Create Account' }).click();
  await expect(second.getByText('Registration Successful!')).toBeVisible();
  await second.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await logIn(second, 'second');
  await expect(second.getByRole('button', { name: 'second', exact: true })).toBeVisible();
  await elsewhere.close();
});

test('PayPal: an interrupted payment continues after closing, a reload, Back and cancelling, and the return asks to sign in', async ({
  page,
  paypal,
  server,
  expectAccessible,
}) => {
  await startRegistration(page, 'wanda');
  await page.keyboard.press('Escape');
  await expect(notice(page)).toContainText('wanda (wanda@example.org) waits for its payment');
  await expect(notice(page)).toContainText('UTC');
  await expectAccessible();

  const before = paypal.subscriptions.size;
  await open(page);
  expect(await (await page.request.get('/')).text()).toContain('waits for its payment');
  await continuePaying(page);
  await expect(payment(page).getByLabel('Email')).toHaveValue('wanda@example.org');
  await expect(payment(page)).toContainText('For the new account wanda');
  await pay(page);
  await atPayPal(page, paypal);

  await page.goBack();
  await expect(notice(page)).toContainText('A payment for wanda (wanda@example.org) was started.');
  await continuePaying(page);
  await expect(payment(page)).toContainText('nothing is charged twice');
  await pay(page);
  await atPayPal(page, paypal);
  await page.getByRole('button', { name: 'Cancel and return' }).click();
  await expect(toastOf(page)).toContainText('Nothing was charged.');
  await expect(page).toHaveURL(/\/$/);

  await continuePaying(page);
  await pay(page);
  await atPayPal(page, paypal);
  await page.getByRole('button', { name: 'Agree and subscribe' }).click();
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(notice(page)).toHaveCount(0);
  expect(paypal.subscriptions.size).toBe(before + 1);
  await logIn(page, 'wanda');
  await expect(page.getByRole('button', { name: 'wanda', exact: true })).toBeVisible();
});
