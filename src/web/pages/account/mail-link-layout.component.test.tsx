import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openAs } from '../../../../tests/component/people.ts';

test.each([PAGES.resetPassword, PAGES.verifyEmail, PAGES.claim, PAGES.unsubscribe])(
  'page of a mailed link: %s without a token says that the link is incomplete',
  async (path) => {
    await openAs(null, path);
    await expect.element(page.getByText('This link is incomplete')).toBeVisible();
    await expectAccessible();
  },
);

test('demo identity page: on a server without demo sign-in there is no form', async () => {
  await openAs(null, `${PAGES.demoSignIn}?state=a&nonce=b&challenge=c`, { site: { thirdPartySignIn: null } });
  await expect.element(page.getByText('There is nothing to do here.')).toBeVisible();
  expect(page.getByRole('button', { name: 'Continue as this person' }).query()).toBeNull();
});
