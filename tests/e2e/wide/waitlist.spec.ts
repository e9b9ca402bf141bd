import { becomeMember, gate, open, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT, expectedConsole: REFUSALS });

test('an address that is missing or refused leaves the form as it was', async ({ page }) => {
  await open(page, '/premium');
  await page.getByRole('button', { name: 'Get Notified When Available' }).click();
  const waitlist = page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
  await waitlist.getByRole('button', { name: 'Notify Me' }).click();
  await expect(toastOf(page)).toContainText('Email Required');
  await expect(toastOf(page)).toContainText('Please enter your email address.');

  const held = gate();
  await page.route('**/api/premium-interest', async (route) => {
    await held.opened;
    await route.fulfill({ status: 500, json: {} });
  });
  await waitlist.getByLabel('Email').fill('reader@example.org');
  await waitlist.getByRole('button', { name: 'Notify Me' }).click();
  await expect(waitlist.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  held.open();
  await expect(toastOf(page)).toContainText('Submission Failed');
  await expect(waitlist.getByRole('alert')).toContainText('Failed to save email');
  await expect(waitlist.getByLabel('Email')).toHaveValue('reader@example.org');

  await page.unroute('**/api/premium-interest');
  await page.route('**/api/premium-interest', (route) => route.abort());
  await waitlist.getByRole('button', { name: 'Notify Me' }).click();
  await expect(waitlist.getByRole('alert')).toContainText('Please try again.');
});

test('the premium page while premium is coming soon', { tag: '@every-width' }, async ({
  page,
  expectAccessible,
}) => {
  await open(page, '/premium');
  const main = page.getByRole('main');
  await expect(main.getByText('Coming Soon', { exact: true })).toHaveCount(2);
  await expect(main.getByRole('button', { name: 'Subscribe' })).toHaveCount(0);
  await expect(main.getByRole('row', { name: 'Extractions 3 per day 1500 per month' })).toBeVisible();
  await expect(main.getByText('The usage counter resets on upgrade.')).toBeVisible();
  await expectAccessible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('a premium user reads “Unlimited usage” and is not asked to upgrade', async ({ page }) => {
  await becomeMember(page, 'early');
  await open(page, '/premium');
  const plan = page.getByRole('region', { name: 'Current Plan' });
  await expect(plan).toContainText('Unlimited usage');
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toHaveCount(0);
});
