import { PayPalDouble } from '../../doubles/paypal.ts';
import { open, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { test as base, expect } from '../test.ts';

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
