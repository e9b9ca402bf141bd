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
