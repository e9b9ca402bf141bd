import { PAGES } from '#contract/paths';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

test('dialog of a page: a failure to load its code is reported, and after a reload the dialog opens', async ({
  page,
}) => {
  await becomeMember(page, 'late-dialog');
  await open(page, PAGES.account);
  await page.route(/\/assets\/dialog-/, (route) => route.abort());
  const press = page.getByRole('button', { name: 'Delete account' });
  await press.click();
  await expect(toastOf(page)).toContainText('This could not be loaded. Check your connection and try again.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute(/\/assets\/dialog-/);
  await page.reload();
  await press.click();
  await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
});

test('URL action: a failure to load its code is reported, and after a reload the action runs', async ({
  page,
}) => {
  const address = '/?payment=required&email=reader%40example.org';
  const code = /\/assets\/run-url-action-/;
  await page.route(code, (route) => route.abort());
  await open(page, address);
  await expect(toastOf(page)).toContainText('This could not be loaded. Check your connection and try again.');
  // The action stays in the URL for the reload.
  await expect(page).toHaveURL(address);
  await open(page, '/?utm_source=mail#evidence');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);

  await page.unroute(code);
  await open(page, address);
  await expect(page.getByTestId('payment-modal').getByLabel('Email')).toHaveValue('reader@example.org');
  await expect(page).toHaveURL('/');
});
