import type { Page } from '@playwright/test';
import { IdentityProviderDouble } from '../../doubles/identity-provider.ts';
import { freePort } from '../../support/free-port.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, signInButton, toastOf } from '../people.ts';
import { test as base, expect } from '../test.ts';

/** A server with a double of an identity provider. */
const test = base.extend<object, { provider: IdentityProviderDouble; port: number }>({
  port: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => use(await freePort()),
    { scope: 'worker' },
  ],
  provider: [
    async ({ port }, use) => {
      const provider = await IdentityProviderDouble.start({
        redirectUris: [`http://localhost:${port}/api/auth/google/callback`],
        people: [
          { sub: 'mary', email: 'mary@example.org', email_verified: true, preferred_username: 'mary' },
          { sub: 'ruth', email: 'ruth@example.org', email_verified: true, preferred_username: 'ruth' },
        ],
      });
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  settings: async ({ provider, port }, use) => {
    await use({
      ...HIGH_RATE_LIMITS,
      PORT: String(port),
      PREMIUM_AVAILABILITY: 'available',
      ...provider.env,
    });
  },
});

// The provider's pages request a font that cannot be loaded offline.
test.use({ expectedConsole: [new RegExp(`${FAILED_REQUESTS[0]?.source}|net::ERR_NAME_NOT_RESOLVED`)] });

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await signInButton(page).click();
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await answerProvider(page, login);
}

/** Signs in at the provider's page. Later the provider redirects the browser back without a page. */
async function answerProvider(page: Page, login: string): Promise<void> {
  const field = page.getByPlaceholder(/login/i);
  const consent = page.getByRole('button', { name: 'Continue', exact: true });
  await field.or(consent).or(toastOf(page)).first().waitFor();
  if (await field.isVisible()) {
    await field.fill(login);
    await page.getByPlaceholder(/password/i).fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await consent.click();
  }
}

test('third-party sign-in: a new user pays first, and is signed in the next time', async ({
  page,
  server,
}) => {
  await open(page);
  await signInAtProvider(page, 'mary');
  const payment = page.getByTestId('payment-modal');
  await expect(payment.getByLabel('Email')).toHaveValue('mary@example.org');
  await expect(toastOf(page)).toContainText('Payment Required');
  await expect(page).toHaveURL(`${server.url}/`);
  await payment.getByRole('button', { name: /^Pay with/ }).click();
  await expect(toastOf(page)).toContainText('Registration Successful!');

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await open(page);
  await signInAtProvider(page, 'mary');
  await expect(page.getByRole('button', { name: 'mary', exact: true })).toBeVisible();
  await expect(toastOf(page)).toContainText('You are signed in with Google.');
  await open(page, '/account');
  await expect(page.getByText('Google opens this account (mary@example.org).')).toBeVisible();
});

test('third-party sign-in: an account is linked to the provider, and its owner unlinks it with a password', async ({
  page,
}) => {
  await becomeMember(page, 'ruth');
  await open(page, '/account');
  await page.getByRole('button', { name: 'Link Google' }).click();
  await answerProvider(page, 'ruth');
  await expect(toastOf(page)).toContainText('You can now sign in with Google.');
  await open(page, '/account');
  await expect(page.getByText('Google opens this account (ruth@example.org).')).toBeVisible();
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await expect(toastOf(page)).toContainText('Google no longer opens your account.');
  await expect(page.getByText('Google is not linked to this account.')).toBeVisible();

  await page.context().clearCookies({ domain: 'localhost' });
  await open(page);
  await signInAtProvider(page, 'ruth');
  await expect(toastOf(page)).toContainText('This address has an account');
  await expect(page.getByRole('button', { name: 'ruth', exact: true })).toHaveCount(0);
});
