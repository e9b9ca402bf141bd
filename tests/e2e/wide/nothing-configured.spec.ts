import { open, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

// Other machines can reach this server, so neither demo is there; and nothing real is set up.
test.use({
  settings: { ...PATIENT, HOST: '0.0.0.0', PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: REFUSALS,
});

test('the payment dialog says so before anything is filled in, and leads to the waitlist', {
  tag: '@every-width',
}, async ({ page, expectAccessible }) => {
  await open(page, '/?payment=required&email=somebody%40example.org');
  const payment = page.getByTestId('payment-modal');
  await expect(payment).toContainText('Nothing can be paid on this server at the moment');
  await expect(payment.getByLabel('Email')).toHaveCount(0);
  await expect(payment.getByRole('button', { name: /^Pay with/ })).toHaveCount(0);
  await expectAccessible();
  await payment.getByRole('button', { name: 'Get Notified When Available' }).click();
  const waitlist = page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
  await waitlist.getByLabel('Email').fill('somebody@example.org');
  await waitlist.getByRole('button', { name: 'Notify Me' }).click();
  await expect(toastOf(page)).toContainText("We'll notify you when premium features are available.");
});

test('nobody is asked to register, and no sign-in provider is offered', async ({ page }) => {
  await open(page);
  await signInButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  const auth = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(auth.getByLabel('Username')).toBeVisible();
  await expect(auth.getByRole('button', { name: /^Continue with/ })).toHaveCount(0);
  await auth.getByRole('tab', { name: 'Register' }).click();
  await expect(auth).toContainText('Nobody can register on this server at the moment');
  await expect(auth.getByLabel('Username')).toHaveCount(0);
  await auth.getByRole('button', { name: 'Get Notified When Available' }).click();
  await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
});

test('the demo identity’s page does nothing where it does not exist', async ({ page }) => {
  await open(page, '/demo-sign-in?state=a&nonce=b&challenge=c');
  await expect(page.getByText('Nothing is to be done here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue as this person' })).toHaveCount(0);
  expect((await page.request.get('/demo-sign-in')).status()).toBe(404);
});
