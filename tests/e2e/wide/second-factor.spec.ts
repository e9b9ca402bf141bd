import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { becomeMember, logIn, open, PASSWORD, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

const STEP_MS = 30_000;

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' });

/** An authenticator app that somebody has typed the shown key into. Each of its codes is another one. */
async function appFor(page: Page) {
  const shown = await section(page).getByTestId('second-factor-key').textContent();
  const totp = new TOTP({ secret: (shown ?? '').replaceAll(' ', '') });
  let last = 0;
  return {
    /** The server bears half a minute either way: so two codes in a row need no waiting, a third does. */
    async nextCode(): Promise<string> {
      const step = Math.max(last + 1, totp.counter() - 1);
      while (step > totp.counter() + 1) await page.waitForTimeout(500);
      last = step;
      return totp.generate({ timestamp: step * STEP_MS });
    },
  };
}

/** On the account page of somebody who is signed in. */
async function turnOn(page: Page) {
  await section(page).getByRole('button', { name: 'Turn on' }).click();
  await section(page).getByLabel('Current password').fill(PASSWORD);
  await section(page).getByRole('button', { name: 'Continue' }).click();
  await expect(section(page).getByLabel('Code', { exact: true })).toBeFocused();
  const app = await appFor(page);
  await section(page)
    .getByLabel('Code', { exact: true })
    .fill(await app.nextCode());
  await section(page).getByRole('button', { name: 'Turn on' }).last().click();
  const list = section(page).getByRole('list', { name: 'Recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  return { app, codes: await list.getByRole('listitem').allTextContents() };
}

/** Two more half minutes may have to pass before the app shows codes that were not used. */
test.setTimeout(180_000);

for (const colorScheme of ['dark'] as const) {
  test(`turned on, asked for and turned off again, by ${colorScheme}`, async ({ page, expectAccessible }) => {
    const name = `factor-${colorScheme}`;
    await page.emulateMedia({ colorScheme });
    await becomeMember(page, name);
    await open(page, '/account');
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
    await code.fill(await app.nextCode());
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
    await section(page).getByRole('button', { name: 'I have kept them' }).click();
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
    await asked.fill(await app.nextCode());
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

    await open(page, '/account');
    await expect(section(page)).toContainText('9 recovery codes are left');
    await section(page).getByRole('button', { name: 'Turn off' }).click();
    await expectAccessible();
    await section(page).getByLabel('Current password').fill(PASSWORD);
    await section(page)
      .getByLabel('Code', { exact: true })
      .fill(await app.nextCode());
    await section(page).getByRole('button', { name: 'Turn it off' }).click();
    await expect(toastOf(page).first()).toContainText('Two-step sign-in is off');
    await expect(section(page)).toContainText('a stolen password is not enough');
  });
}

test('a code can be scanned as it is drawn', async ({ page }) => {
  await becomeMember(page, 'scanner');
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/account');
  await section(page).getByRole('button', { name: 'Turn on' }).click();
  await section(page).getByLabel('Current password').fill(PASSWORD);
  await section(page).getByRole('button', { name: 'Continue' }).click();
  const drawn = section(page).getByRole('img', { name: /QR code/ });
  const { data, info } = await sharp(await drawn.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const key = await section(page).getByTestId('second-factor-key').textContent();
  expect(decodeQR({ width: info.width, height: info.height, data })).toBe(
    `otpauth://totp/Glyphlift:scanner?issuer=Glyphlift&secret=${key?.replaceAll(' ', '')}&algorithm=SHA1&digits=6&period=30`,
  );
});

test('the second step by keyboard alone', async ({ page }) => {
  await becomeMember(page, 'factor-keys');
  await open(page, '/account');
  const { app } = await turnOn(page);
  await page.request.post('/api/logout');
  await open(page);
  await signInButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type('factor-keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Code', { exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Use a recovery code instead' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type(await app.nextCode());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'factor-keys', exact: true })).toBeVisible();
});
