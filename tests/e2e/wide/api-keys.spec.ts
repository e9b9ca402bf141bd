import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { becomeMember, open, PASSWORD, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

const section = (page: Page) => page.getByRole('region', { name: 'API keys' });

for (const colorScheme of ['dark'] as const) {
  test(`a key is made, shown once, read with and revoked, by ${colorScheme}`, async ({
    page,
    baseURL,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme });
    await becomeMember(page, `keys-${colorScheme}`);
    await open(page, '/account');
    await expect(section(page)).toContainText('a program of yours reads pictures in your name');

    // By keyboard alone.
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

    await section(page).getByRole('button', { name: 'I have kept it' }).click();
    const entry = section(page).getByRole('listitem');
    await expect(entry).toContainText('Scanner in the hall');
    await expect(entry).toContainText(key.slice(-4));
    await expect(section(page)).not.toContainText(key);
    await open(page, '/account');
    await expect(entry).toContainText('last used');
    await expectAccessible();

    await entry.getByRole('button', { name: 'Revoke Scanner in the hall' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Keep it' })).toBeFocused();
    await expectAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(toastOf(page).first()).toContainText('Key revoked');
    await expect(section(page)).toContainText('a program of yours reads pictures in your name');
    const refused = await fetch(`${baseURL}/api/usage`, { headers: { authorization: `Bearer ${key}` } });
    expect(refused.status).toBe(401);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a webhook secret is made, shown once and renewed, by ${colorScheme}`, async ({
    page,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme });
    await becomeMember(page, `hooks-${colorScheme}`);
    await open(page, '/account');
    const shown = section(page).getByLabel('Webhook secret', { exact: true });
    const secrets: string[] = [];
    for (const [unfold, make] of [
      ['Make a secret', 'Make it'],
      ['Renew the secret', 'Renew it'],
    ] as const) {
      await section(page).getByRole('button', { name: unfold }).click();
      await expect(section(page).getByLabel('Current password')).toBeFocused();
      await section(page).getByRole('button', { name: make }).click();
      await expect(section(page).getByRole('alert')).toBeVisible();
      await section(page).getByLabel('Current password').fill(PASSWORD);
      await section(page).getByRole('button', { name: make }).click();
      await expect(shown).toBeFocused();
      await expectAccessible();
      secrets.push((await shown.textContent()) ?? '');
      await section(page).getByRole('button', { name: 'I have kept it' }).click();
      await expect(section(page)).toContainText(
        'What we tell your programs about their jobs is signed with it',
      );
      await expect(shown).toBeHidden();
    }
    expect(secrets[0]).toMatch(/^whsec_/);
    expect(secrets[1]).not.toBe(secrets[0]);
    await expectAccessible();
  });
}

test('the page for those who write programs shows the examples as they stand', async ({
  page,
  expectAccessible,
}) => {
  await open(page, '/developers');
  for (const [name, file] of [
    ['Example in curl', 'read-picture.sh'],
    ['Example in TypeScript', 'read-picture.ts'],
    ['Example in Python', 'read_picture.py'],
    ['Job in curl', 'read-document.sh'],
    ['Job in TypeScript', 'read-document.ts'],
    ['Job in Python', 'read_document.py'],
    ['Webhook in TypeScript', 'hear-webhook.ts'],
    ['Webhook in Python', 'hear_webhook.py'],
  ] as const) {
    const code = await readFile(`content/examples/${file}`, 'utf8');
    await expect(page.getByLabel(name)).toHaveText(code.trimEnd(), { useInnerText: true });
  }
  await expect(page.locator('#extractText')).toContainText('key: read');
  await expectAccessible();
});
