import type { Page } from '@playwright/test';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, logIn, open, PASSWORD, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, FREE_DAILY_LIMIT: '1' }, expectedConsole: REFUSALS });

const auth = (page: Page) => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });

test('at the limit a phone shows the reason first, not the fields below it', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.route('**/api/extract-text', (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'Daily limit reached.', limitExceeded: true, requiresAuth: true },
    }),
  );
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await expect(auth(page).getByRole('heading', { name: 'Welcome to Glyphlift' })).toBeInViewport({
    ratio: 1,
  });
  await expect(auth(page).getByRole('button', { name: 'Join the waitlist' })).toBeFocused();
});

test('the payment dialog at the limit says the same', async ({ page }) => {
  await page.route('**/api/extract-text', (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'Daily limit reached.', limitExceeded: true, requiresPayment: true },
    }),
  );
  await page.route('**/api/usage', (route) =>
    route.fulfill({
      json: { imageCount: 1, dailyLimit: 1, period: 'day', resetsAt: '2038-01-01T00:00:00.000Z' },
    }),
  );
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  const payment = page.getByTestId('payment-modal');
  await expect(payment).toContainText('You have used 1 of 1 free extractions today', {
    timeout: 20_000,
  });
  await expect(payment).toContainText('Premium opens to everybody later; paid for here, it starts at once.');
  await payment.getByRole('button', { name: 'Join the waitlist' }).click();
  await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
});

test(
  'a subscriber reads about their own plan, and of nothing that is still to come',
  { tag: '@every-width' },
  async ({ page, expectAccessible }, { project }) => {
    await becomeMember(page, `subscriber-${project.name}`);
    await open(page, '/premium');
    const main = page.getByRole('main');
    const plan = page.getByRole('region', { name: 'Current Plan' });
    await expect(plan).toContainText('Unlimited usage');
    await expect(plan).toContainText(/It renews on \w+ \d+, \d{4}; no money moves\./);
    await expect(page.getByRole('region', { name: 'Premium Plan' })).toContainText('This is your plan.');
    for (const announced of ['Coming Soon', 'Price at opening', 'One mail on the day it opens.']) {
      await expect(main.getByText(announced)).toHaveCount(0);
    }
    await expect(main.getByRole('button', { name: 'Get Notified When Available' })).toHaveCount(0);
    await expectAccessible();

    const told = /It renews on (\w+ \d+, \d{4})/.exec((await plan.textContent()) ?? '')?.[1] ?? 'nothing';
    const paidAgain = await page.request.post('/api/payment/paypal', {
      data: { email: `subscriber-${project.name}@example.org`, amount: '4.99', currency: 'USD' },
    });
    expect(paidAgain.status()).toBe(409);
    expect((await paidAgain.json()).error).toContain(`it is paid until ${told}.`);
    await open(page, '/account');
    await expect(page.getByRole('main')).toContainText(`It renews on ${told}`);

    await page.getByRole('main').getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(toastOf(page)).toContainText('Subscription cancelled');
    await open(page, '/premium');
    await expect(plan).toContainText(`premium stays yours until ${told}`);
    await expect(main.getByText('Coming Soon')).toHaveCount(0);
  },
);

test('a subscriber finds the sign-in behind “Premium Sign In” while premium is only announced', async ({
  page,
}) => {
  await becomeMember(page, 'returning');
  await page.context().clearCookies();
  await open(page);
  await signInButton(page).click();
  const small = page.getByRole('dialog', { name: 'Coming Soon', exact: true });
  await expect(small).toContainText('Until then, one picture a day is free');
  await small.getByRole('button', { name: 'Sign in' }).click();
  await logIn(page, 'returning', PASSWORD);
  await expect(page.getByRole('button', { name: 'returning', exact: true })).toBeVisible();
});

test('the day’s number on every page is the setting’s, not a fixed three', async ({ page }) => {
  await open(page);
  await expect(page.getByText('One picture a day without an account')).toBeVisible();
  await open(page, '/premium');
  await expect(page.getByText('more than one picture a day')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Extractions 1 per day 1500 per month' })).toBeVisible();
});

test('while premium is announced, search engines are told so', async ({ page }) => {
  await open(page, '/premium');
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /^Coming soon: 1,500/);
  await open(page);
  const offers = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(offers.join('')).not.toContain('4.99');
});
