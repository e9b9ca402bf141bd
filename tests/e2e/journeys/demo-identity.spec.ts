import { FAILED_REQUESTS, HIGH_RATE_LIMITS, open, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

test(
  'demo identity: a cancelled sign-in is reported, a new user pays first and is signed in the next time, and every screen is marked as a demo',
  { tag: '@every-width' },
  async ({ page, expectAccessible }, { project }) => {
    const email = `demo-${project.name}@example.org`;
    const goToDemo = async () => {
      await open(page);
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await signInButton(page).click();
      await expect(page.getByRole('dialog')).toContainText('Demo identity');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await expect(page.getByRole('heading', { name: 'Demo identity' })).toBeVisible();
    };
    const chooseIdentity = async () => {
      await page.getByLabel('Name').fill(`Demo ${project.name}`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Continue as this person' }).click();
    };

    await goToDemo();
    await expect(page.getByRole('main')).toContainText('This is a demo');
    await expectAccessible();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(toastOf(page)).toContainText('Google authentication failed');

    await goToDemo();
    await chooseIdentity();
    const payment = page.getByTestId('payment-modal');
    await expect(payment.getByLabel('Email')).toHaveValue(email);
    await expect(payment).toContainText('Demo payment');
    await payment.getByRole('button', { name: 'Pay with the demo provider' }).click();
    await expect(toastOf(page)).toContainText('Registration Successful!');

    await goToDemo();
    await chooseIdentity();
    await expect(toastOf(page)).toContainText('You are signed in with the demo identity.');
    await open(page, '/account');
    await expect(page.getByText(`The demo identity opens this account (${email}).`)).toBeVisible();
  },
);
