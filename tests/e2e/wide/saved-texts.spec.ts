import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { PAGES, savedTextPage } from '#contract/paths';
import { becomeMember, gate, logIn, open, PATIENT, REFUSALS, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

async function save(page: Page, name: string, text: string): Promise<string> {
  const saved = await page.request.post('/api/texts', { data: { name, text, language: 'eng' } });
  expect(saved.status()).toBe(201);
  return (await saved.json()).text.id;
}

const textOnServer = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/texts/${id}`)).json()).text?.text;

const area = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const keeping = (page: Page) => page.locator('[data-keeping]');
const isSaved = (page: Page) => expect(keeping(page)).toHaveAttribute('data-keeping', 'saved');

test('a saved text comes with its page, and one that is not there is not found', async ({ page }) => {
  await becomeMember(page, 'coming-whole');
  const id = await save(page, 'Short', 'Three small words');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open(page, savedTextPage(id));
  await expect(area(page)).toHaveValue('Three small words');
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  // Another page changes it while this one is away from it: what is opened again is the text of now.
  await page.getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByLabel('Search your texts')).toBeVisible();
  await page.request.patch(`/api/texts/${id}`, { data: { text: 'Four rather small words' } });
  await page.goBack();
  await expect(area(page)).toHaveValue('Four rather small words');

  const missing = await page.goto(savedTextPage('00000000-0000-4000-8000-000000000000'));
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such text' })).toBeVisible();
});

test('a saved text is taken away in every format that needs no picture, and printed alone', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'taking-away');
  await open(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await save(page, 'List', 'First line\nsecond *line*\n\nAnother paragraph');
  await open(page, savedTextPage(id));
  await area(page).press('Control+End');
  await page.keyboard.type(', at its end');
  await page.getByRole('button', { name: 'Copy' }).click();
  const now = 'First line\nsecond *line*\n\nAnother paragraph, at its end';
  await expect(toastOf(page)).toContainText('Copied!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(now);

  const download = async (press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };
  const plain = await download(() => page.getByRole('button', { name: 'Download' }).click());
  expect(plain.name).toMatch(/^extracted-text-[\d-]+\.txt$/);
  expect(plain.content.toString()).toBe(now);

  const more = page.getByRole('button', { name: 'More formats' });
  await more.press('Enter');
  const menu = page.getByRole('menu', { name: 'More formats' });
  await expect(menu.getByRole('menuitem')).toHaveText([/^Word/, /^Markdown/, /^PrintThe text on paper/]);
  await expectAccessible();
  const word = await download(() => menu.getByRole('menuitem', { name: /^Word/ }).click());
  expect(word.name).toMatch(/\.docx$/);
  expect(word.content.subarray(0, 2).toString()).toBe('PK');
  await more.press('Enter');
  const markdown = await download(() => menu.getByRole('menuitem', { name: /^Markdown/ }).click());
  expect(markdown.content.toString()).toBe(
    'First line\\\nsecond \\*line\\*\n\nAnother paragraph, at its end\n',
  );

  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.print-sheet')).toBeVisible();
  await expect(page.locator('.print-sheet img')).toHaveCount(0);
  await expect(page.locator('.print-sheet')).toContainText('Another paragraph, at its end');
});

test('what could not be saved is kept in this browser, told, and saved as soon as that works', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'bad-line');
  await open(page);
  const id = await save(page, 'Draft', 'as it was');
  await open(page, savedTextPage(id));
  await page.route(`**/api/texts/${id}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await area(page).fill('what I wrote');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(keeping(page)).toHaveAttribute('data-keeping', 'waiting');
  await expect(page.getByRole('status').filter({ hasText: 'Not saved yet' })).toBeVisible();
  await expectAccessible();
  expect(await textOnServer(page, id)).toBe('as it was');

  // The page is left all the same, and opened again before anything was saved.
  await open(page, savedTextPage(id));
  await expect(page.getByText('Your last edits are back')).toBeVisible();
  await expect(area(page)).toHaveValue('what I wrote');
  await page.unroute(`**/api/texts/${id}`);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await isSaved(page);
  expect(await textOnServer(page, id)).toBe('what I wrote');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(area(page)).toHaveValue('as it was');
  await isSaved(page);
  await open(page, savedTextPage(id));
  await expect(area(page)).toHaveValue('as it was');
  await expect(page.getByText('Your last edits are back')).toHaveCount(0);
});

test('a session that ends meanwhile costs no word, and signing out leaves none behind', async ({ page }) => {
  await becomeMember(page, 'expiring');
  await open(page);
  const id = await save(page, 'Long letter', 'Dear all');
  await open(page, savedTextPage(id));
  await page.context().clearCookies({ name: 'session' });
  await area(page).fill('Dear all, and more');
  await expect(page.getByRole('dialog').getByText('You were signed out.')).toBeVisible();
  await logIn(page, 'expiring');
  await expect(area(page)).toHaveValue('Dear all, and more');
  await isSaved(page);
  expect(await textOnServer(page, id)).toBe('Dear all, and more');

  const held = gate();
  await page.route(`**/api/texts/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held.opened;
    await route.continue();
  });
  await area(page).fill('Nothing for the next person');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('text-draft'))))
    .toHaveLength(1);
  await page.getByRole('button', { name: 'expiring', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Successfully logged out');
  held.open();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(
    'Nothing for the next person',
  );
});

test('a text is renamed and deleted where it is open, by keyboard alone', async ({ page }) => {
  await becomeMember(page, 'by-keys');
  await open(page);
  const id = await save(page, 'Old name', 'Words');
  await open(page, savedTextPage(id));
  await page.getByRole('button', { name: 'Rename' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Name').fill('New name');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'New name', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete this text?' });
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Deleted');
  await expect(page).toHaveURL(PAGES.account);
  await expect(page.getByText('Nothing saved yet.')).toBeVisible();
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);

  await open(page, savedTextPage(id));
  await expect(page.getByRole('heading', { name: 'No such text' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your saved texts' })).toBeVisible();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`an open text fits every screen, ${scheme}`, { tag: '@every-width' }, async ({
    page,
    expectAccessible,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await becomeMember(page, `fits-${scheme}`);
    await open(page);
    const id = await save(
      page,
      `A name ${'without-an-end-'.repeat(12)}`,
      `${'unbroken'.repeat(60)}\n`.repeat(5),
    );
    await open(page, savedTextPage(id));
    await expect(area(page)).toBeVisible();
    await expectAccessible();
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await sideways()).toBe(0);
    await open(page, PAGES.account);
    await page.getByLabel('Search your texts').fill('unbroken');
    await expect(page.locator('mark').first()).toBeVisible();
    await expectAccessible();
    expect(await sideways()).toBe(0);
  });
}
