import { PAGES } from '#contract/paths';
import { FAILED_REQUESTS, HIGH_RATE_LIMITS, open, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

// Other machines can reach this server, so it offers no demo provider, and no other provider is configured.
test.use({
  settings: { ...HIGH_RATE_LIMITS, HOST: '0.0.0.0', PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

test('nothing configured: premium is only announced, registration and sign-in providers are not offered, and the waitlist works', async ({
  page,
}) => {
  const waitlist = page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
  await open(page, PAGES.premium);
  await expect(page.getByRole('main').getByText('Coming Soon', { exact: true })).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Subscribe' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Get Notified When Available' }).click();
  await expect(waitlist).toBeVisible();

  await open(page);
  await signInButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  const auth = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(auth.getByLabel('Username')).toBeVisible();
  await expect(auth.getByRole('button', { name: /^Continue with/ })).toHaveCount(0);
  await auth.getByRole('tab', { name: 'Register' }).click();
  await expect(auth).toContainText('Registration is currently closed on this server');
  await expect(auth.getByLabel('Username')).toHaveCount(0);

  await open(page, '/?payment=required&email=reader%40example.org');
  const payment = page.getByTestId('payment-modal');
  await expect(payment).toContainText('Nothing can be paid on this server at the moment');
  await payment.getByRole('button', { name: 'Get Notified When Available' }).click();
  await waitlist.getByLabel('Email').fill('reader@example.org');
  await waitlist.getByRole('button', { name: 'Notify Me' }).click();
  await expect(toastOf(page)).toContainText("We'll notify you when premium features are available.");

  expect((await page.request.get(PAGES.demoSignIn)).status()).toBe(404);
  await open(page, `${PAGES.demoSignIn}?state=a&nonce=b&challenge=c`);
  await expect(page.getByText('There is nothing to do here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue as this person' })).toHaveCount(0);
});
