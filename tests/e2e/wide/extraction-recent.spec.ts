import type { BrowserContext, Page } from '@playwright/test';
import { NOTE, note, openTool, pasteFiles, payloadOf, SKY } from '../extraction-page.ts';
import {
  becomeMember,
  logIn,
  open,
  PATIENT,
  REFUSALS,
  signInButton,
  toastOf,
  untilItListens,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });
const entries = (page: Page) => recent(page).getByRole('listitem');
const openFirst = (page: Page) => entries(page).first().getByRole('button', { name: 'Open' }).click();
const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });

/** A picture of its own name for each reading, so that they can be told apart. */
async function read(page: Page, name = 'note.png'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(payloadOf({ ...note, name }));
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await expect(text(page)).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
  await expect(recent(page)).toContainText('The text above is kept.');
}

async function edit(page: Page, words = 'At the '): Promise<void> {
  await text(page).press('Control+Home');
  await page.keyboard.type(words);
}

const EDITED = /^At the Harbour Lane Bakery/;

async function expectAllOfIt(page: Page): Promise<void> {
  await expect(text(page)).toHaveValue(EDITED);
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  await page.locator('.word-boxes rect[data-piece="2"]').hover();
  await expect(page.locator('.text-editor [data-state=hovered]')).toHaveText('Bakery');
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect(text(page)).toHaveValue(/^Harbour/);
}

/** The beginnings of all that this browser's disk holds, whoever may see it. */
const onDisk = (page: Page) =>
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

test.describe('a text and what was done to it', () => {
  test('are there again after another page, with picture, marks and edits', async ({ page }) => {
    await openTool(page);
    await expect(recent(page)).toHaveCount(0);
    await read(page);
    await edit(page);
    await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
    await expect(page).toHaveURL(/\/blog$/);
    await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
    await expect(entries(page)).toContainText('At the Harbour Lane Bakery');
    await openFirst(page);
    await expectAllOfIt(page);
  });

  test('are there again after a reload, up to the last letter', async ({ page }) => {
    await openTool(page);
    await read(page);
    await edit(page);
    await page.reload();
    await openFirst(page);
    await expectAllOfIt(page);
  });

  test('are there again after a reload while they were being kept for the first time', async ({ page }) => {
    // A disk so slow that nothing is known to be written before the page is left.
    await page.addInitScript(() => {
      const listen = IDBTransaction.prototype.addEventListener;
      IDBTransaction.prototype.addEventListener = function (
        this: IDBTransaction,
        ...[type, listener, options]: Parameters<typeof listen>
      ) {
        const isKept = type === 'complete' && this.mode === 'readwrite' && location.hash === '#slow';
        const late = (event: Event) =>
          setTimeout(() => typeof listener === 'function' && listener.call(this, event), 60_000);
        listen.call(this, type, isKept ? late : listener, options);
      };
    });
    await openTool(page);
    await page.evaluate(() => history.replaceState(history.state, '', '#slow'));
    await page.locator('input[type=file]').setInputFiles(payloadOf(note));
    await page.getByRole('button', { name: 'Extract Text' }).click();
    await expect(text(page)).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
    await edit(page);
    await expect(recent(page).getByText('The text above is kept.')).toHaveCount(0);
    await page.goto('/');
    await openFirst(page);
    await expectAllOfIt(page);
  });

  test('are there again after the tab has crashed', async ({ page, context, baseURL }) => {
    await openTool(page);
    await read(page);
    await edit(page);
    await expect.poll(() => onDisk(page)).toEqual([expect.stringMatching(EDITED)]);
    const devtools = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    devtools.send('Page.crash').catch(() => {});
    await crashed;
    const next = await context.newPage();
    await next.goto(baseURL!);
    await openFirst(next);
    await expectAllOfIt(next);
  });

  test('are there again when another picture was pasted while the text was edited, or put in its place', async ({
    page,
  }) => {
    const tool = await openTool(page);
    await read(page);
    await edit(page);
    await pasteFiles(page, [{ ...note, name: 'pasted.png' }]);
    await expect(text(page)).toHaveCount(0);
    await expect(page.getByRole('img', { name: 'Preview of pasted.png' })).toBeVisible();
    await openFirst(page);
    await expect(text(page)).toHaveValue(EDITED);
    await edit(page, 'Again ');
    await page.getByRole('button', { name: 'Upload Another Image' }).click();
    await expect(tool.toast).toContainText('Form Reset');
    await expect(entries(page)).toContainText('Again At the Harbour Lane Bakery');
    await openFirst(page);
    await expect(text(page)).toHaveValue(/^Again At the Harbour/);
  });

  test('are kept apart for each reading of the same picture', async ({ page }) => {
    const tool = await openTool(page);
    await read(page);
    await edit(page);
    await tool.extract.click();
    await expect(text(page)).toHaveValue(/^Harbour/, { timeout: 30_000 });
    await expect(entries(page)).toContainText('At the Harbour Lane Bakery');
    await openFirst(page);
    await expect(text(page)).toHaveValue(EDITED);
    await expect(entries(page)).toContainText(/(?<!At the )Harbour Lane Bakery/);
  });
});

test.describe('the list of recent results', () => {
  test('gives the next place to the keyboard when one is removed, and brings it back by Undo @every-width', async ({
    page,
    expectAccessible,
  }) => {
    await openTool(page);
    await read(page, 'first.png');
    await edit(page);
    await read(page, 'second.png');
    await read(page, 'third.png');
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page).first()).toContainText('second.png');
    await expect(entries(page).nth(1).locator('img')).toBeVisible();
    await expectAccessible();

    await page.getByRole('button', { name: /^Remove second\.png/ }).press('Enter');
    await expect(entries(page)).toHaveCount(1);
    await expect(page.getByRole('button', { name: /^Open first\.png/ })).toBeFocused();
    await page.getByRole('button', { name: /^Remove first\.png/ }).press('Enter');
    await expect(entries(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Recent results' })).toBeFocused();
    await expect(toastOf(page)).toContainText('“first.png” is not kept in this browser any more.');
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect(entries(page)).toHaveCount(1);
    await page.getByRole('button', { name: /^Open first\.png/ }).click();
    await expect(text(page)).toHaveValue(EDITED);
    const picture = page.getByRole('tab', { name: 'Picture' });
    if (await picture.isVisible()) await picture.click();
    await expect(page.getByRole('img', { name: 'The original: first.png' })).toBeVisible();
  });

  test('is emptied at once, after a question, and leaves the text on the screen', async ({ page }) => {
    await openTool(page);
    await read(page, 'first.png');
    await read(page, 'second.png');
    const all = page.getByRole('button', { name: 'Remove all' });
    await all.press('Enter');
    const question = page.getByRole('status').filter({ hasText: 'Remove 2 recent results?' });
    await expect(question.getByRole('button', { name: 'Keep them' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    await expect(entries(page)).toHaveCount(1);
    await all.click();
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(recent(page)).toHaveCount(0);
    await edit(page);
    await expect(text(page)).toHaveValue(EDITED);
    await page.reload();
    await untilItListens(page);
    expect(await onDisk(page)).toEqual([]);
    await expect(recent(page)).toHaveCount(0);
  });

  test('is off with one switch, for this visit and the next', async ({ page, expectAccessible }) => {
    await openTool(page);
    await read(page, 'first.png');
    const keeping = page.getByRole('switch', { name: 'Keep in this browser' });
    await keeping.click();
    const question = page.getByRole('status').filter({ hasText: 'Turn off, and remove 1 recent result?' });
    await expectAccessible();
    await question.getByRole('button', { name: 'Turn off and remove' }).click();
    await expect(keeping).not.toBeChecked();
    await expect(entries(page)).toHaveCount(0);
    await page.reload();
    await expect(keeping).not.toBeChecked();
    expect(await onDisk(page)).toEqual([]);

    await page.locator('input[type=file]').setInputFiles(NOTE);
    await page.getByRole('button', { name: 'Extract Text' }).click();
    await expect(text(page)).toHaveValue(/Harbour/, { timeout: 30_000 });
    await edit(page);
    await expect(entries(page)).toHaveCount(0);
    await keeping.click();
    await expect(recent(page)).toContainText('The text above is kept.');
    await page.reload();
    await expect(entries(page)).toContainText('At the Harbour Lane Bakery');
  });

  test('holds no more than a hundred, and none for longer than thirty days', async ({ page }) => {
    await openTool(page);
    await read(page, 'first.png');
    // A hundred more of the same, each six hours older.
    await page.evaluate(async () => {
      const opening = indexedDB.open('recent-results');
      const db = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const change = db.transaction(['entries', 'contents'], 'readwrite');
      for (const name of ['entries', 'contents']) {
        const store = change.objectStore(name);
        const reading = store.getAll();
        reading.onsuccess = () => {
          const [first] = reading.result;
          for (let part = 1; part <= 100; part += 1) {
            store.put({
              ...first,
              id: `part-${part}`,
              name: `part ${part}`,
              readAt: first.readAt - part * 21_600_000,
            });
          }
        };
      }
      await new Promise((resolve) => {
        change.oncomplete = resolve;
      });
      db.close();
    });
    await read(page, 'second.png');
    await page.getByRole('button', { name: 'Show all 99' }).click();
    await expect(entries(page)).toHaveCount(99);
    await expect(entries(page).last()).toContainText('part 98');

    await page.clock.setSystemTime(new Date(Date.now() + 29.4 * 86_400_000));
    await page.reload();
    await expect(entries(page)).toHaveCount(4);
    await expect(entries(page).last()).toContainText('part 2');
    await page.clock.setSystemTime(new Date(Date.now() + 31 * 86_400_000));
    await page.reload();
    await untilItListens(page);
    await expect.poll(() => onDisk(page)).toEqual([]);
    await expect(recent(page)).toHaveCount(0);
  });

  test('does not count among what a first view loads', async ({ page }) => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const tool = await openTool(page);
    const isOfLater = (path: string) => /recent-results-|result-workspace|plain-result/.test(path);
    expect(loaded.filter(isOfLater)).toEqual([]);
    await tool.choose(NOTE);
    await expect.poll(() => loaded.filter(isOfLater).length).toBeGreaterThanOrEqual(3);
    await tool.choose(SKY);
    await tool.read();
    await expect(page.getByText('No text was found in this picture.')).toBeVisible();
    await expect(recent(page)).toHaveCount(0);
  });
});

test.describe('where a browser keeps nothing', () => {
  test('a text is read, edited and copied as ever, without IndexedDB', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { value: undefined });
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await readsAndEdits(page);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(toastOf(page)).toContainText('Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(EDITED);
    await page.getByRole('button', { name: 'Upload Another Image' }).click();
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect(text(page)).toHaveValue(EDITED);
  });

  test('a text is read and edited as ever on a full disk', async ({ page, context, baseURL }) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 1 });
    await readsAndEdits(page);
    await page.reload();
    await untilItListens(page);
    await expect(recent(page)).toHaveCount(0);
  });

  async function readsAndEdits(page: Page): Promise<void> {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    await tool.read();
    await expect(text(page)).toHaveValue(/^Harbour/);
    await edit(page);
    await expect(text(page)).toHaveValue(EDITED);
    await expect(recent(page)).toHaveCount(0);
  }
});

test.describe('recent results belong to the person who read them', () => {
  test.use({ expectedConsole: REFUSALS });

  const menu = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name });
  const signOut = async (page: Page, name: string) => {
    await menu(page, name).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(signInButton(page)).toBeVisible();
  };
  /** As if the session had ended by itself. */
  const loseSession = async (context: BrowserContext) => context.clearCookies({ name: 'session' });

  test('and are gone when they sign out, from whichever page and in every tab', async ({ page, context }) => {
    await becomeMember(page, 'recent-leaver');
    await open(page);
    await read(page);
    const other = await context.newPage();
    await open(other);
    await expect(entries(other)).toHaveCount(1);
    await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
    await expect(page).toHaveURL(/\/blog$/);
    await signOut(page, 'recent-leaver');
    await expect(recent(other)).toHaveCount(0);
    await open(page);
    await expect(recent(page)).toHaveCount(0);
    expect(await onDisk(page)).toEqual([]);
  });

  test('and are shown to nobody else: not to whoever uses the browser next, nor to whoever signs in there', async ({
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
      data: { username: 'recent-owner', password: 'harbour lights 7' },
    });
    expect(login.ok()).toBe(true);
    await open(page);
    await expect(entries(page)).toContainText('of-owner.png');
    await expect(entries(page)).toHaveCount(1);
  });

  test('and what is on the screen is theirs who sign in before it', async ({ page, context }) => {
    await becomeMember(page, 'recent-comer');
    await context.clearCookies();
    await open(page);
    await read(page);
    await signInButton(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, 'recent-comer');
    await expect(menu(page, 'recent-comer')).toBeVisible();
    await expect(text(page)).toHaveValue(/^Harbour/);
    await expect(recent(page)).toContainText('The text above is kept.');
    await open(page);
    await expect(entries(page)).toContainText('note.png');
  });
});
