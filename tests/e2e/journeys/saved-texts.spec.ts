import type { Page } from '@playwright/test';
import { PAGES, savedTextPage } from '#contract/paths';
import { copyOfNote, payloadOf } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, gate, HIGH_RATE_LIMITS, open, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

async function save(page: Page, name: string, text: string): Promise<string> {
  const saved = await page.request.post('/api/texts', { data: { name, text, language: 'eng' } });
  expect(saved.status()).toBe(201);
  return (await saved.json()).text.id;
}

const textOnServer = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/texts/${id}`)).json()).text?.text;

const area = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const autosaveStatus = (page: Page) => page.locator('[data-autosave]');
const isSaved = (page: Page) => expect(autosaveStatus(page)).toHaveAttribute('data-autosave', 'saved');

test('saved texts: a text is saved from a result, found by its words, edited, left, and reopened with its edits', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'saver');
  await open(page);
  await save(page, 'Letter home', 'The weather here is fine.');
  await page.locator('input[type=file]').setInputFiles(payloadOf(copyOfNote(71)));
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Save text' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Bäckerei');
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Saved');

  await open(page, PAGES.account);
  await page.getByLabel('Search your texts').fill('BAKERY backerei');
  await expect(page.getByRole('heading', { name: 'Letter home' })).toHaveCount(0);
  await expect(page.locator('mark')).toHaveText(['Bäckerei', 'Bakery']);
  await expectAccessible();
  await page.getByRole('link', { name: 'Open Bäckerei' }).click();
  await expect(page.getByRole('heading', { name: 'Bäckerei', level: 1 })).toBeVisible();
  await expect(area(page)).toHaveValue(/Harbour Lane Bakery/);
  await expect(page.getByRole('tab', { name: 'Picture' })).toHaveCount(0);
  await expect(page.getByText('No doubtful words')).toBeVisible();
  await expectAccessible();

  const held = gate();
  await page.route('**/api/texts/*', async (route) => {
    await held.opened;
    await route.continue();
  });
  await area(page).press('Control+Home');
  await page.keyboard.type('Paid. ');
  await expect(autosaveStatus(page)).toHaveAttribute('data-autosave', 'saving');
  held.open();
  await isSaved(page);
  // The paragraph view does not change the saved text, which keeps its lines.
  const lines = await area(page).inputValue();
  await page.getByRole('radio', { name: 'Paragraphs' }).press('Space');
  await expect(area(page)).not.toHaveValue(lines);
  await page.getByRole('main').getByRole('link', { name: 'Saved texts' }).click();
  await expect(page.getByLabel('Search your texts')).toBeVisible();
  await page.goBack();
  await expect(area(page)).toHaveValue(lines);
  expect(lines).toMatch(/^Paid\. /);
  await page.goBack();
  await expect(page.getByLabel('Search your texts')).toHaveValue('BAKERY backerei');
  await expect(page.getByText(/^Paid\. /)).toBeVisible();
});

test('saved texts: a text is part of its page, unsaved edits outlive the page, and a missing text is not found', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'bad-line');
  await open(page);
  const id = await save(page, 'Draft', 'as it was');
  // The start page still requests the languages.
  await page.waitForLoadState('networkidle');
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname);
  });
  await open(page, savedTextPage(id));
  await expect(area(page)).toHaveValue('as it was');
  expect(calls).toEqual([]);

  await page.route(`**/api/texts/${id}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await area(page).fill('what I wrote');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(autosaveStatus(page)).toHaveAttribute('data-autosave', 'waiting');
  await expect(page.getByRole('status').filter({ hasText: 'Not saved yet' })).toBeVisible();
  await expectAccessible();
  expect(await textOnServer(page, id)).toBe('as it was');

  // The page is left, and opened again before anything was saved.
  await open(page, savedTextPage(id));
  await expect(page.getByText('Your last edits were restored')).toBeVisible();
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
  await expect(page.getByText('Your last edits were restored')).toHaveCount(0);

  const missing = await page.goto(savedTextPage('00000000-0000-4000-8000-000000000000'));
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such text' })).toBeVisible();
});

test('saved texts: a change in another tab is announced, and neither text is lost', async ({
  page,
  expectAccessible,
}) => {
  await becomeMember(page, 'two-tabs');
  await open(page);
  const id = await save(page, 'Shared', 'start');
  const other = await page.context().newPage();
  await open(page, savedTextPage(id));
  await open(other, savedTextPage(id));
  await area(other).fill('theirs');
  await isSaved(other);
  await area(page).fill('mine');
  const question = page.getByText('This text was changed in another tab or on another device');
  await expect(question).toBeVisible();
  await expectAccessible();
  expect(await textOnServer(page, id)).toBe('theirs');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(question).toHaveCount(0);
  await isSaved(page);
  await expect(area(page)).toHaveValue('mine');
  expect(await textOnServer(page, id)).toBe('mine');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(area(page)).toHaveValue('theirs');

  await isSaved(page);
  await area(other).fill('once more');
  await expect(other.getByRole('button', { name: 'Use the other' })).toBeVisible();
  await other.getByRole('button', { name: 'Use the other' }).click();
  await expect(area(other)).toHaveValue('theirs');
  await isSaved(other);
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(area(other)).toHaveValue('once more');
  await isSaved(other);
});
