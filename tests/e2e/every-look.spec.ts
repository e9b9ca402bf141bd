import type { Locator, Page } from '@playwright/test';
import { articlePage, PAGES, savedTextPage } from '#contract/paths';
import { copyOfNote, openTool, payloadOf } from './extraction-page.ts';
import { becomeMember, open, PASSWORD, PATIENT, REFUSALS } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** Over a few others at the most. */
async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 4; presses++) {
    await target.page().keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

async function expectAccessibleInEveryLook(page: Page, expectAccessible: () => Promise<void>): Promise<void> {
  for (const look of LOOKS) {
    await page.emulateMedia(look);
    await test.step(JSON.stringify(look), expectAccessible);
  }
}

test.describe('by day, by night and in colours that somebody chose, axe finds nothing', () => {
  test.slow();

  for (const path of [
    ...Object.values(PAGES),
    articlePage('reading-receipts'),
    articlePage('no-such-article'),
    '/nowhere',
  ]) {
    test(`on ${path}`, async ({ page, expectAccessible }) => {
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessibleInEveryLook(page, expectAccessible);
    });
  }

  test('on the account with keys, a secret and every form unfolded', async ({ page, expectAccessible }) => {
    await becomeMember(page, 'every-form');
    const made = await page.request.post('/api/account/keys', {
      data: { name: 'Scanner in the hall', scopes: ['read'], currentPassword: PASSWORD },
    });
    expect(made.status()).toBe(201);
    await page.request.post('/api/account/webhook-secret', { data: { currentPassword: PASSWORD } });
    await open(page, PAGES.account);
    await expect(page.getByText('glyph_live_')).toBeVisible();
    for (const name of ['Change password', 'Turn on', 'Make a key', 'Renew the secret'])
      await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByLabel('Current password')).toHaveCount(4);
    await expectAccessibleInEveryLook(page, expectAccessible);
  });

  test('on a saved text, and on the list of several pictures', async ({ page, expectAccessible }) => {
    await becomeMember(page, 'every-list');
    const data = { name: 'Letter home', text: 'The weather here is fine.', language: 'eng' };
    const { text } = await (await page.request.post('/api/texts', { data })).json();
    await open(page, savedTextPage(text.id));
    await expect(page.getByRole('textbox', { name: 'Extracted text' })).toBeVisible();
    await expectAccessibleInEveryLook(page, expectAccessible);

    const tool = await openTool(page);
    await tool.file.setInputFiles([1, 2].map((n) => payloadOf({ ...copyOfNote(900 + n), name: `${n}.png` })));
    await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessibleInEveryLook(page, expectAccessible);
  });
});

test('a webhook secret is made and renewed by keyboard alone', async ({ page }) => {
  await becomeMember(page, 'hooks-by-keys');
  await open(page, PAGES.account);
  const section = page.getByRole('region', { name: 'API keys' });
  const shown = section.getByLabel('Webhook secret', { exact: true });
  for (const [unfold, make] of [
    ['Make a secret', 'Make it'],
    ['Renew the secret', 'Renew it'],
  ] as const) {
    await section.getByRole('button', { name: 'Make a key' }).focus();
    await page.keyboard.press('Tab');
    await expect(section.getByRole('button', { name: unfold })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(section.getByLabel('Current password')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(section.getByRole('alert')).toBeVisible();
    await expect(section.getByLabel('Current password')).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await tabTo(section.getByRole('button', { name: make }));
    await page.keyboard.press('Enter');
    await expect(shown).toBeFocused();
    await tabTo(section.getByRole('button', { name: 'I have kept it' }));
    await page.keyboard.press('Enter');
    await expect(shown).toBeHidden();
  }
});

test('whoever has API keys is told beside the password that they stay, and led to them', async ({ page }) => {
  await becomeMember(page, 'keys-stay');
  await open(page, PAGES.account);
  const section = page.getByRole('region', { name: 'Password' });
  await expect(page.getByRole('region', { name: 'API keys' })).toContainText('With a key a program of yours');
  await expect(section).not.toContainText('API keys');
  await page.request.post('/api/account/keys', {
    data: { name: 'Scanner in the hall', scopes: ['read'], currentPassword: PASSWORD },
  });
  await page.reload();
  await expect(section).toContainText('Your API keys stay valid when the password changes.');
  await section.getByRole('link', { name: 'See or revoke your API keys' }).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeInViewport();
});
