import { becomeMember, gate, mailedLink, open, PATIENT, REFUSALS, signInButton, toastOf } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT, expectedConsole: REFUSALS });

test('the sign-in button answers with a small dialog that leads to the waitlist', async ({
  page,
  server,
  expectAccessible,
}) => {
  await open(page);
  await signInButton(page).click();
  const small = page.getByRole('dialog', { name: 'Coming Soon', exact: true });
  await expect(small.getByRole('button', { name: 'Notify Me When Ready' })).toBeFocused();
  await expectAccessible();
  await small.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(small).toBeHidden();
  await expect(signInButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const waitlist = page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
  await expect(waitlist.getByLabel('Email')).toBeFocused();
  for (const benefit of ['Unlimited Extractions', 'Priority Support', 'Advanced Features']) {
    await expect(waitlist.getByText(benefit)).toBeVisible();
  }
  await expectAccessible();
  await page.keyboard.type('  reader@example.org');
  const sent = page.waitForRequest('**/api/premium-interest');
  await page.keyboard.press('Enter');
  expect((await sent).postDataJSON()).toEqual({ email: 'reader@example.org' });
  await expect(toastOf(page)).toContainText("We'll notify you when premium features are available.");
  await expect(waitlist.getByText('Thank You!')).toBeVisible();
  await expect(waitlist.getByRole('button', { name: 'Close', exact: true }).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(signInButton(page)).toBeFocused();

  const link = await mailedLink(
    server.dataDir,
    'reader@example.org',
    /http:\/\/[^/\s]+\/unsubscribe\?token=[\w.%-]+/,
  );
  await open(page, link);
  await page.getByRole('button', { name: 'Take my address off the list' }).click();
  await expect(page.getByText('Your address is off the list')).toBeVisible();
});

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
