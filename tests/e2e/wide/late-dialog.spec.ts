import { PAGES } from '#contract/paths';
import { becomeMember, open, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

test('dialog of a page: when its code cannot be loaded that is reported, and after a reload it opens', async ({
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

test('landing: when the code that answers an address cannot be loaded that is reported, and after a reload it is answered', async ({
  page,
}) => {
  const address = '/?payment=required&email=reader%40example.org';
  const code = /\/assets\/run-url-action-/;
  await page.route(code, (route) => route.abort());
  await open(page, address);
  await expect(toastOf(page)).toContainText('This could not be loaded. Check your connection and try again.');
  // The question stays in the address, for the reload.
  await expect(page).toHaveURL(address);
  await open(page, '/?utm_source=mail#evidence');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);

  await page.unroute(code);
  await open(page, address);
  await expect(page.getByTestId('payment-modal').getByLabel('Email')).toHaveValue('reader@example.org');
  await expect(page).toHaveURL('/');
});
