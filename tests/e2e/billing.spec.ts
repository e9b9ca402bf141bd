import { PayPalDouble } from '../doubles/paypal.ts';
import {
  gate,
  logIn,
  mailedLink,
  open,
  PASSWORD,
  PATIENT,
  REFUSALS,
  register,
  signInButton,
  toastOf,
} from './people.ts';
import { test as base, expect } from './test.ts';

/** A server that takes payment through PayPal, which stands at the network's edge. */
const test = base.extend<
  { approve: (page: import('@playwright/test').Page) => Promise<void> },
  { paypal: PayPalDouble }
>({
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
  approve: async ({ paypal }, use) => {
    await use(async (page) => {
      await page.waitForURL(`${paypal.url}/**`);
      const pending = [...paypal.subscriptions.values()].findLast(
        ({ status }) => status === 'APPROVAL_PENDING',
      );
      if (!pending) throw new Error('nobody waits for approval');
      await page.goto(paypal.approve(pending.id));
    });
  },
});

test.use({ expectedConsole: REFUSALS });

test('a registration is paid at PayPal, and the return asks to sign in', async ({
  page,
  approve,
  server,
}) => {
  await open(page);
  await signInButton(page).click();
  await register(page, 'payer');
  const payment = page.getByTestId('payment-modal');
  await expect(payment.getByText('Demo payment')).toHaveCount(0);
  await payment.getByRole('button', { name: 'Pay with PayPal' }).click();
  await approve(page);
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(page).toHaveURL(`${server.url}/`);
  await logIn(page, 'payer');
  await expect(page.getByRole('button', { name: 'payer', exact: true })).toBeVisible();
});

test('a payment link fills in the dialog, leaves the address, and cannot put words on the page', async ({
  page,
  server,
  expectAccessible,
}) => {
  await open(page, '/?payment=required&email=somebody%40example.org');
  const payment = page.getByTestId('payment-modal');
  await expect(payment.getByLabel('Email')).toHaveValue('somebody@example.org');
  await expect(toastOf(page)).toContainText('Payment Required');
  await expect(toastOf(page)).toContainText('Complete your premium subscription to access your account.');
  await expect(page).toHaveURL(`${server.url}/`);
  await expectAccessible();

  await payment.getByRole('button', { name: 'Pay with PayPal' }).click();
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');
  await expect(toastOf(page)).toContainText('Please register first');

  const planted = encodeURIComponent('Your account is closed, call 555 0100');
  await open(page, `/?payment=required&email=${planted}`);
  await expect(payment.getByLabel('Email')).toHaveValue('');
  await expect(page.getByText('555 0100')).toHaveCount(0);
});

test('an address is required, and a failed payment can be tried again', async ({ page }) => {
  await open(page);
  await signInButton(page).click();
  await register(page, 'retry');
  const payment = page.getByTestId('payment-modal');
  await payment.getByLabel('Email').fill('');
  await payment.getByRole('button', { name: 'Pay with PayPal' }).click();
  await expect(toastOf(page)).toContainText('Email Required');
  await expect(toastOf(page)).toContainText('Please enter your email address to continue with payment.');

  await payment.getByLabel('Email').fill('retry@example.org');
  const held = gate();
  await page.route('**/api/payment/paypal', async (route) => {
    await held.opened;
    await route.fulfill({ status: 502, json: {} });
  });
  await payment.getByRole('button', { name: 'Pay with PayPal' }).click();
  await expect(payment.getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
  held.open();
  await expect(toastOf(page)).toContainText('Payment Failed');
  await expect(payment.getByRole('alert')).toContainText(
    'There was an error processing your payment. Please try again.',
  );
  await expect(payment.getByLabel('Email')).toHaveValue('retry@example.org');
});

test('two browsers pay for one address: the first has it, the second finishes with another and loses no money', async ({
  page,
  browser,
  approve,
  paypal,
  server,
}) => {
  const elsewhere = await browser.newContext({ baseURL: server.url });
  const second = await elsewhere.newPage();
  const begin = async (who: typeof page, username: string) => {
    await open(who);
    await signInButton(who).click();
    const dialog = who.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Register' }).click();
    await dialog.getByLabel('Username').fill(username);
    await dialog.getByLabel('Email').fill('shared@example.org');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Confirm Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create Account' }).click();
    await who.getByTestId('payment-modal').getByRole('button', { name: 'Pay with PayPal' }).click();
  };
  await begin(second, 'second');
  await second.waitForURL(`${paypal.url}/**`);
  await begin(page, 'first');
  await approve(page);
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await approve(second);
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

test('who gives up at PayPal is told that nothing was charged', async ({ page }) => {
  await open(page, '/?payment=cancelled');
  await expect(toastOf(page)).toContainText('Nothing was charged.');
});
