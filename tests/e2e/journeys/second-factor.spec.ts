import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { PAGES } from '#contract/paths';
import {
  becomeMember,
  FAILED_REQUESTS,
  HIGH_RATE_LIMITS,
  logIn,
  open,
  PASSWORD,
  signInButton,
  toastOf,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

const STEP_MS = 30_000;

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' });

/** An authenticator app with the key that the page shows. */
async function appFor(page: Page) {
  const shown = await section(page).getByTestId('second-factor-key').textContent();
  const totp = new TOTP({ secret: (shown ?? '').replaceAll(' ', '') });
  let last = 0;
  return {
    /** A code works once. The server accepts the codes of the previous and the next time step, so three codes need no waiting. */
    nextCode(): string {
      last = Math.max(last + 1, totp.counter() - 1);
      return totp.generate({ timestamp: last * STEP_MS });
    },
  };
}

test('second factor: is turned on, required at the next sign-in, and turned off', async ({
  page,
  expectAccessible,
}) => {
  const name = 'two-steps';
  await becomeMember(page, name);
  await open(page, PAGES.account);
  await expect(section(page)).toContainText('a stolen password is not enough');
  await section(page).getByRole('button', { name: 'Turn on' }).click();
  await section(page).getByLabel('Current password').fill('not it at all');
  await section(page).getByRole('button', { name: 'Continue' }).click();
  await expect(section(page).getByRole('alert')).toContainText('The current password is not right.');
  await section(page).getByRole('button', { name: 'Turn on' }).click();

  await section(page).getByRole('button', { name: 'Turn on' }).click();
  await section(page).getByLabel('Current password').fill(PASSWORD);
  await section(page).getByRole('button', { name: 'Continue' }).click();
  await expect(section(page).getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible();
  const app = await appFor(page);
  const code = section(page).getByLabel('Code', { exact: true });
  await code.fill('12345');
  await section(page).getByRole('button', { name: 'Turn on' }).last().click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill(app.nextCode());
  await section(page).getByRole('button', { name: 'Turn on' }).last().click();
  const list = section(page).getByRole('list', { name: 'Recovery codes' });
  await expect(list).toBeFocused();
  await expect(list.getByRole('listitem')).toHaveCount(10);
  const codes = await list.getByRole('listitem').allTextContents();
  await expectAccessible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    section(page).getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('glyphlift-recovery-codes.txt');
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n'),
  ).toEqual(codes);
  await section(page).getByRole('button', { name: 'I have saved them' }).click();
  await expect(section(page)).toContainText('10 recovery codes are left');

  await page.request.post('/api/logout');
  await open(page);
  await signInButton(page).click();
  await logIn(page, name);
  const dialog = page.getByRole('dialog');
  const asked = dialog.getByLabel('Code', { exact: true });
  await expect(asked).toBeFocused();
  await expect(asked).toHaveAttribute('inputmode', 'numeric');
  await expect(asked).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible();
  await asked.fill('000000');
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('This code is not right');
  await asked.fill(app.nextCode());
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();

  await page.request.post('/api/logout');
  await open(page);
  await signInButton(page).click();
  await logIn(page, name);
  await dialog.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await expect(dialog.getByLabel('Recovery code')).toBeFocused();
  await dialog.getByLabel('Recovery code').fill(codes[0] ?? '');
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(dialog).toBeHidden();

  await open(page, PAGES.account);
  await expect(section(page)).toContainText('9 recovery codes are left');
  await section(page).getByRole('button', { name: 'Turn off' }).click();
  await expectAccessible();
  await section(page).getByLabel('Current password').fill(PASSWORD);
  await section(page).getByLabel('Code', { exact: true }).fill(app.nextCode());
  await section(page).getByRole('button', { name: 'Turn it off' }).click();
  await expect(toastOf(page).first()).toContainText('Two-step sign-in is off');
  await expect(section(page)).toContainText('a stolen password is not enough');
});
