import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, PASSWORD, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

const section = (page: Page) => page.getByRole('region', { name: 'API keys' });

test('API keys: a key is created by keyboard, shown once, reads a picture and is rejected after it is revoked; a webhook secret is renewed', async ({
  page,
  baseURL,
  expectAccessible,
}) => {
  await becomeMember(page, 'keeper-of-keys');
  await open(page, PAGES.account);
  await expect(section(page)).toContainText('your programs can read pictures in your name');

  await section(page).getByRole('button', { name: 'Make a key' }).focus();
  await page.keyboard.press('Enter');
  await expect(section(page).getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(section(page).getByRole('alert')).toContainText('Please give the key a name');
  await page.keyboard.type('Scanner in the hall');
  await page.keyboard.press('Tab');
  await expect(section(page).getByLabel('Read pictures')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(section(page).getByLabel('Web pages that may use it')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(section(page).getByLabel('Current password')).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await expectAccessible();
  await page.keyboard.press('Enter');
  const shown = section(page).getByLabel('API key', { exact: true });
  await expect(shown).toBeFocused();
  await expectAccessible();
  const key = (await shown.textContent()) ?? '';
  expect(key).toMatch(/^glyph_live_/);

  const form = new FormData();
  form.append(
    'file',
    new Blob([await readFile('tests/fixtures/pictures/harbour-lights.png')]),
    'harbour-lights.png',
  );
  const read = await fetch(`${baseURL}/api/extract-text`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept: 'text/plain' },
    body: form,
  });
  expect(read.status).toBe(200);
  expect((await read.text()).length).toBeGreaterThan(20);

  await section(page).getByRole('button', { name: 'I have saved it' }).click();
  const entry = section(page).getByRole('listitem');
  await expect(entry).toContainText('Scanner in the hall');
  await expect(entry).toContainText(key.slice(-4));
  await expect(section(page)).not.toContainText(key);
  await open(page, PAGES.account);
  await expect(entry).toContainText('last used');
  await expectAccessible();

  await entry.getByRole('button', { name: 'Revoke Scanner in the hall' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Keep it' })).toBeFocused();
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(toastOf(page).first()).toContainText('Key revoked');
  await expect(section(page)).toContainText('your programs can read pictures in your name');
  const refused = await fetch(`${baseURL}/api/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(refused.status).toBe(401);

  const renewSecret = async () => {
    const made = await page.request.post('/api/account/webhook-secret', {
      data: { currentPassword: PASSWORD },
    });
    return (await made.json()).secret as string;
  };
  const secret = await renewSecret();
  expect(secret).toMatch(/^whsec_/);
  expect(await renewSecret()).not.toBe(secret);
});
