import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { resetPassword } from '#contract/calls/accounts';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openAs } from '../../../../tests/component/people.ts';
import { answers, requests, worker } from '../../../../tests/component/server.ts';

async function openReset() {
  worker.use(answers(resetPassword, () => Response.json({})));
  await openAs(null, '/#reset=Zm9v-bar_1');
  await page.getByLabelText('New password', { exact: true }).fill('quiet meadow 4');
  await page.getByLabelText('Confirm new password', { exact: true }).fill('quiet meadow 4');
}
const keys = () => page.getByRole('checkbox', { name: 'Revoke my API keys too' });
const save = () => page.getByRole('button', { name: 'Save password' }).click();
const sent = async () =>
  (await requests
    .find(({ call }) => call === 'POST /api/password/reset')
    ?.request.clone()
    .json()) as object;

test('reset password form: API keys stay valid unless the described checkbox is checked', async () => {
  await openReset();
  await expect.element(keys()).not.toBeChecked();
  await expect.element(keys()).toHaveAccessibleDescription(/someone else may have used your account/);
  await expectAccessible();
  await save();
  await expect.element(page.getByText('Your new password is set')).toBeVisible();
  expect(await sent()).toEqual({ token: 'Zm9v-bar_1', password: 'quiet meadow 4', revokeKeys: false });
  expect(page.getByText('API keys were revoked').query()).toBeNull();
});

test('reset password form: with the checkbox checked it revokes the keys and says so', async () => {
  await openReset();
  await keys().click();
  await save();
  await expect.element(page.getByText('all API keys were revoked')).toBeVisible();
  expect(await sent()).toMatchObject({ revokeKeys: true });
});
