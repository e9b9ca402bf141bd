import { FAILED_REQUESTS, HIGH_RATE_LIMITS, mailedLink, open, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

test('waitlist: the sign-in button opens a small dialog that links to the waitlist, which works', async ({
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
