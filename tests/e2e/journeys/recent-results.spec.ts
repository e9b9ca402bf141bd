import type { BrowserContext, Page } from '@playwright/test';
import { note, openTool, payloadOf } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, PASSWORD, signInButton } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

const EDITED = /^At the Harbour Lane Bakery/;

const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });
const entries = (page: Page) => recent(page).getByRole('listitem');
const openFirst = (page: Page) => entries(page).first().getByRole('button', { name: 'Open' }).click();
const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });

/** Reads the note under another name, so that several can be distinguished. */
async function read(page: Page, name = 'note.png'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(payloadOf({ ...note, name }));
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await expect(text(page)).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
  await expect(recent(page)).toContainText('The text above is kept.');
}

/** Expects the edited text, its picture and the marked words. */
async function expectResultRestored(page: Page): Promise<void> {
  await expect(text(page)).toHaveValue(EDITED);
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  await page.locator('.word-boxes rect[data-piece="2"]').hover();
  await expect(page.locator('.text-editor [data-state=hovered]')).toHaveText('Bakery');
}

/** The first words of all stored results, of all owners. */
const storedResults = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('recent-results');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const isEmpty = !db.objectStoreNames.contains('entries');
    const asking = isEmpty ? null : db.transaction('entries').objectStore('entries').getAll();
    const found = await new Promise<{ beginning: string }[]>((resolve) => {
      if (asking) asking.onsuccess = () => resolve(asking.result);
      else resolve([]);
    });
    db.close();
    return found.map(({ beginning }) => beginning);
  });

test('recent results: a text and its edits survive a reload and a crash of the tab', async ({
  page,
  context,
  baseURL,
}) => {
  await openTool(page);
  await read(page);
  await text(page).press('Control+Home');
  await page.keyboard.type('At the ');
  // The page is left immediately, so that this tests the last letter.
  await page.reload();
  await expectResultRestored(page);

  await expect.poll(() => storedResults(page)).toEqual([expect.stringMatching(EDITED)]);
  const devtools = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  devtools.send('Page.crash').catch(() => {});
  await crashed;
  const next = await context.newPage();
  await next.goto(baseURL!);
  await openFirst(next);
  await expectResultRestored(next);
  await next.getByRole('button', { name: 'Reset edits' }).click();
  await expect(text(next)).toHaveValue(/^Harbour/);
});

test.describe('users', () => {
  test.use({ expectedConsole: FAILED_REQUESTS });

  const menu = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name });
  /** Ends the session without notifying the page. */
  const loseSession = async (context: BrowserContext) => context.clearCookies({ name: 'session' });

  test('recent results: signing out on any page removes them from every tab and from the disk', async ({
    page,
    context,
  }) => {
    await becomeMember(page, 'recent-leaver');
    await open(page);
    await read(page);
    const other = await context.newPage();
    await open(other);
    await expect(entries(other)).toHaveCount(1);
    await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
    await expect(page).toHaveURL(/\/blog$/);
    await menu(page, 'recent-leaver').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(signInButton(page)).toBeVisible();
    await expect(recent(other)).toHaveCount(0);
    await open(page);
    await expect(recent(page)).toHaveCount(0);
    expect(await storedResults(page)).toEqual([]);
  });

  test('recent results: users see only their own, and visitors only those read while signed out', async ({
    page,
    context,
  }) => {
    await becomeMember(page, 'recent-owner');
    await open(page);
    await read(page, 'of-owner.png');
    await loseSession(context);
    await open(page);
    await expect(signInButton(page)).toBeVisible();
    await read(page, 'of-nobody.png');
    await expect(entries(page)).toHaveCount(0);

    await becomeMember(page, 'recent-other');
    await open(page);
    await expect(menu(page, 'recent-other')).toBeVisible();
    await read(page, 'of-another.png');
    await expect(entries(page)).toHaveCount(0);
    await loseSession(context);
    await open(page);
    await expect(entries(page)).toContainText('of-nobody.png');
    await expect(entries(page)).toHaveCount(1);

    const login = await page.request.post('/api/login', {
      data: { username: 'recent-owner', password: PASSWORD },
    });
    expect(login.ok()).toBe(true);
    await open(page);
    await expect(entries(page)).toContainText('of-owner.png');
    await expect(entries(page)).toHaveCount(1);
  });
});
