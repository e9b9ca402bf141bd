import type { Page } from '@playwright/test';
import { copyOfNote, NOTE, payloadOf } from '../extraction-page.ts';
import { FAILED_REQUESTS, HIGH_RATE_LIMITS, logIn, open, register } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ expectedConsole: FAILED_REQUESTS });

const auth = (page: Page) => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
const extract = (page: Page) => page.getByRole('button', { name: 'Extract Text' });
const result = (page: Page) => page.getByRole('heading', { name: 'Extracted text' });

/** Reads the only picture of the day, and sends another one, which is rejected. */
async function reachLimit(page: Page): Promise<void> {
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await extract(page).click();
  await result(page).waitFor({ timeout: 45_000 });
  await page.locator('input[type=file]').setInputFiles(payloadOf(copyOfNote(1)));
  await extract(page).click();
  await expect(auth(page)).toContainText('You have used 1 of 1 free extractions today');
}

test.describe('while premium is coming soon', () => {
  test.use({ settings: { ...HIGH_RATE_LIMITS, FREE_DAILY_LIMIT: '1' } });

  test('limit while premium is coming soon: the sign-in dialog gives the reason and the reset time, and links to the waitlist', async ({
    page,
    expectAccessible,
  }) => {
    await reachLimit(page);
    const reason = auth(page).getByRole('status').filter({ hasText: 'You have used 1 of 1' });
    await expect(reason).toContainText(/The count resets in \d+ (h|min) \(00:00 UTC\)\./);
    await expect(reason.locator('time')).toHaveAttribute('title', /^\w+ \d+, \d{4}, 00:00 UTC$/);
    await expectAccessible();

    await auth(page).getByRole('tab', { name: 'Register' }).click();
    await expect(reason).toBeVisible();
    await reason.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
  });
});

test.describe('while premium can be bought', () => {
  test.use({ settings: { ...HIGH_RATE_LIMITS, FREE_DAILY_LIMIT: '1', PREMIUM_AVAILABILITY: 'available' } });

  test('limit while premium can be bought: the dialog offers registration, the rejection disappears after the payment, and the picture is read', async ({
    page,
  }) => {
    await reachLimit(page);
    await expect(auth(page).getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
    await auth(page).getByRole('button', { name: 'Get Premium' }).press('Enter');
    await expect(auth(page).getByRole('tab', { name: 'Register' })).toBeFocused();
    const refusal = page
      .getByRole('alert', { includeHidden: true })
      .filter({ hasText: 'Daily limit reached' });
    await expect(refusal).toHaveCount(1);

    await register(page, 'upgraded');
    await page
      .getByTestId('payment-modal')
      .getByRole('button', { name: 'Pay with the demo provider' })
      .click();
    await logIn(page, 'upgraded');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(refusal).toHaveCount(0);
    await extract(page).click();
    await expect(result(page)).toBeVisible({ timeout: 30_000 });
  });
});
