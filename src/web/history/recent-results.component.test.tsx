import { describe, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { pausedToast, toast } from '../../../tests/component/application.tsx';
import { blogHandlers } from '../../../tests/component/articles.ts';
import {
  clipboard,
  middleOf,
  openResult,
  openTool,
  pasteFiles,
  pictureFile,
  reloadTool,
  type Tool,
  toolOf,
  waitUntilStill,
} from '../../../tests/component/extraction.ts';
import { dialog, logIn, member, openAs, signInButton } from '../../../tests/component/people.ts';
import { worker } from '../../../tests/component/server.ts';
import { marked, wordBox } from '../../../tests/component/workspace.ts';

const DAY_MS = 86_400_000;
const EDITED = /^At Harbour Lane Bakery/;
const KEPT = /The text above is kept\./;

const button = (name: string | RegExp) => page.getByRole('button', { name });
const recent = () => page.getByRole('region', { name: 'Recent results' });
const entries = () => recent().getByRole('listitem');
const count = () => entries().elements().length;
const openFirst = () => entries().first().getByRole('button', { name: 'Open' }).click();

/** Reads the note fixture under the given file name. */
async function read(tool: Tool, name = 'note.png') {
  await tool.choose(await pictureFile('note', name));
  await tool.read();
  await expect.element(recent()).toHaveTextContent(KEPT);
}

async function edit(tool: Tool, words = 'At ') {
  tool.area().focus();
  await userEvent.keyboard(`{Control>}{Home}{/Control}${words}`);
  await expect.element(tool.text).toHaveValue(expect.stringMatching(new RegExp(`^${words}`)));
}

/** The edits, the picture and its highlights are restored. */
async function expectRestored(tool: Tool) {
  await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
  await expect.element(page.getByRole('heading', { name: 'Extracted text' })).toHaveFocus();
  await expect.element(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  await waitUntilStill(() => wordBox(2));
  await commands.mouse('move', middleOf(wordBox(2)));
  await expect.poll(() => marked('hovered')).toEqual(['Bakery']);
  await button('Reset edits').click();
  await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));
}

const promisify = <T,>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const openDatabase = () => promisify(indexedDB.open('recent-results'));

/** The first words of the stored results of all owners. */
async function storedBeginnings(): Promise<string[]> {
  const db = await openDatabase();
  try {
    if (!db.objectStoreNames.contains('entries')) return [];
    const found = await promisify<{ beginning: string }[]>(
      db.transaction('entries').objectStore('entries').getAll(),
    );
    return found.map(({ beginning }) => beginning);
  } finally {
    db.close();
  }
}

describe('stored result', () => {
  test('stored result: "Back" from another page shows it again with picture and edits', async () => {
    worker.use(...blogHandlers());
    const tool = await openTool();
    expect(recent().query()).toBeNull();
    await read(tool);
    await edit(tool);
    await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
    await expect.poll(() => location.pathname).toBe('/blog');
    history.back();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
    await expect.element(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
    await button('Reset edits').click();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));
    await expect.element(recent()).toHaveTextContent(KEPT);
  });

  test('stored result: is stored with edits if the page is left before the first write ends', async () => {
    const { addEventListener } = IDBTransaction.prototype;
    const slow = vi.spyOn(IDBTransaction.prototype, 'addEventListener');
    // Simulates a slow disk: no write transaction reports its completion.
    slow.mockImplementation(function (
      this: IDBTransaction,
      ...given: Parameters<IDBTransaction['addEventListener']>
    ) {
      if (given[0] !== 'complete' || this.mode === 'readonly') addEventListener.apply(this, given);
    });
    const tool = await openTool();
    await tool.choose(await pictureFile('note'));
    await tool.read();
    await edit(tool);
    expect(recent().query()?.textContent ?? '').not.toMatch(KEPT);
    slow.mockRestore();
    await expectRestored(await reloadTool(tool));
  });

  test('stored result: a reload shows the last one with its edits until it is closed; another tab does not', async () => {
    let tool = await openTool();
    await read(tool);
    await edit(tool);
    tool = await reloadTool(tool);
    await expectRestored(tool);
    const session = { ...sessionStorage };
    sessionStorage.clear();
    tool = await reloadTool(tool);
    await expect.element(entries()).toHaveTextContent(/note\.png/);
    await expect.element(tool.text).not.toBeInTheDocument();

    for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    tool = await reloadTool(tool);
    await expect.element(tool.text).toBeVisible();
    await button('Upload Another Image').click();
    tool = await reloadTool(tool);
    await expect.element(entries()).toHaveTextContent(/note\.png/);
    await expect.element(tool.text).not.toBeInTheDocument();
  });

  test('stored result: a reload restores a table’s inserted row and its text', async () => {
    let tool = await openResult('order');
    const cell = (name: string) => page.getByRole('textbox', { name, exact: true });
    const size = page.getByRole('heading', { name: /^Table ?, 7 rows, 4 columns$/ });
    await cell('Article, row 4').click();
    await page
      .getByRole('toolbar', { name: /^Cell:/ })
      .getByRole('button', { name: 'Insert row' })
      .click();
    await expect.element(size).toBeVisible();
    await cell('Article, row 5').click();
    await userEvent.keyboard('Salt{Tab}');
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Salt$/m));
    await expect.element(recent()).toHaveTextContent(KEPT);
    tool = await reloadTool(tool);
    await expect.element(size).toBeVisible();
    await expect.element(cell('Article, row 5')).toHaveValue('Salt');
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Salt$/m));
  });

  test('stored result: a file chosen in a dialog that was open before replaces the opened result', async () => {
    let tool = await openTool();
    await read(tool);
    sessionStorage.clear();
    tool = await reloadTool(tool);
    // The browser's dialog belongs to this field, which a result replaces.
    const field = tool.file.element() as HTMLInputElement;
    await openFirst();
    await expect.element(tool.text).toBeVisible();
    expect(field.isConnected).toBe(false);
    const chosen = new DataTransfer();
    chosen.items.add(await pictureFile('poster'));
    field.files = chosen.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await expect.element(tool.text).not.toBeInTheDocument();
    await expect.element(page.getByText('poster.png', { exact: true })).toBeVisible();
    await expect.element(tool.extract).toBeEnabled();
  });

  test('stored result: an installed app shows the last one when it is opened', async () => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query === '(display-mode: standalone)' ? matchMedia('all') : matchMedia.call(window, query),
    );
    let tool = await openTool();
    await read(tool);
    await edit(tool);
    sessionStorage.clear();
    tool = await reloadTool(tool);
    await expectRestored(tool);
  });

  test('stored result: stays in the list when another picture replaces it', async () => {
    const tool = await openTool();
    await read(tool);
    await edit(tool);
    pasteFiles([await pictureFile('note', 'pasted.png')]);
    await expect.element(page.getByRole('img', { name: 'Preview of pasted.png' })).toBeVisible();
    await expect.element(tool.text).not.toBeInTheDocument();
    await openFirst();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
    await edit(tool, 'Again ');
    await button('Upload Another Image').click();
    await expect.element(toast()).toHaveTextContent(/Form Reset/);
    await expect.element(entries()).toHaveTextContent(/Again At Harbour Lane Bakery/);
    await openFirst();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Again At Harbour/));
  });

  test('stored result: each reading of the same picture is stored separately', async () => {
    const tool = await openTool();
    await read(tool);
    await edit(tool);
    await tool.extract.click();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));
    await expect.element(entries()).toHaveTextContent(/At Harbour Lane Bakery/);
    await openFirst();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
    await expect.element(entries()).toHaveTextContent(/(?<!At )Harbour Lane Bakery/);
  });
});

describe('list of recent results', () => {
  test.each([
    { width: 1440, height: 900 },
    { width: 375, height: 812 },
  ])(
    'recent results: removing one focuses the next, and Undo restores it, at $width px',
    async ({ width, height }) => {
      await page.viewport(width, height);
      const tool = await openTool();
      await read(tool, 'first.png');
      await edit(tool);
      await read(tool, 'second.png');
      await read(tool, 'third.png');
      await expect.poll(count).toBe(2);
      await expect.element(entries().first()).toHaveTextContent(/second\.png/);
      await expect.poll(() => entries().nth(1).element().querySelector('img')).not.toBeNull();
      await expectAccessible();

      const remove = async (name: RegExp) => {
        (button(name).element() as HTMLElement).focus();
        await userEvent.keyboard('{Enter}');
      };
      await remove(/^Remove second\.png/);
      await expect.poll(count).toBe(1);
      await expect.element(button(/^Open first\.png/)).toHaveFocus();
      await remove(/^Remove first\.png/);
      await expect.poll(count).toBe(0);
      await expect.element(page.getByRole('heading', { name: 'Recent results' })).toHaveFocus();
      await expect.element(toast()).toHaveTextContent(/“first\.png” is not kept in this browser any more\./);
      await toast().getByRole('button', { name: 'Undo' }).click();
      await expect.poll(count).toBe(1);
      await button(/^Open first\.png/).click();
      await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
      const picture = page.getByRole('tab', { name: 'Picture' });
      if (picture.query()) await picture.click();
      await expect.element(page.getByRole('img', { name: 'The original: first.png' })).toBeVisible();
    },
  );

  test('recent results: "Remove all" asks first, empties the list and keeps the shown text', async () => {
    const tool = await openTool();
    await read(tool, 'first.png');
    await read(tool, 'second.png');
    const all = button('Remove all');
    (all.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const question = page.getByRole('status').filter({ hasText: 'Remove 2 recent results?' });
    await expect.element(question.getByRole('button', { name: 'Keep them' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(question).not.toBeInTheDocument();
    expect(count()).toBe(1);
    await all.click();
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.element(recent()).not.toBeInTheDocument();
    await edit(tool);
    expect(await storedBeginnings()).toEqual([]);
    await reloadTool(tool);
    expect(await storedBeginnings()).toEqual([]);
    await expect.element(recent()).not.toBeInTheDocument();
  });

  test('recent results: nothing is stored from switching off until switching on again', async () => {
    let tool = await openTool();
    await read(tool, 'first.png');
    const keeping = page.getByRole('switch', { name: 'Keep in this browser' });
    await keeping.click();
    const question = page.getByRole('status').filter({ hasText: 'Turn off, and remove 1 recent result?' });
    await expect.element(question).toBeVisible();
    await expectAccessible();
    await question.getByRole('button', { name: 'Turn off and remove' }).click();
    await expect.element(keeping).not.toBeChecked();
    expect(count()).toBe(0);
    tool = await reloadTool(tool);
    await expect.element(keeping).not.toBeChecked();
    expect(await storedBeginnings()).toEqual([]);

    await tool.choose(await pictureFile('note'));
    await tool.read();
    await edit(tool);
    expect(count()).toBe(0);
    expect(await storedBeginnings()).toEqual([]);
    await keeping.click();
    await expect.element(recent()).toHaveTextContent(KEPT);
    await reloadTool(tool);
    await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
  });

  test('recent results: at most 100 are stored, for at most 30 days', async () => {
    const tool = await openTool();
    await read(tool, 'first.png');
    // A hundred more of the same, each six hours older.
    const db = await openDatabase();
    const change = db.transaction(['entries', 'contents'], 'readwrite');
    for (const name of ['entries', 'contents']) {
      const store = change.objectStore(name);
      const [first] = await promisify(store.getAll());
      for (let part = 1; part <= 100; part += 1)
        store.put({
          ...first,
          id: `part-${part}`,
          name: `part ${part}`,
          readAt: first.readAt - part * (DAY_MS / 4),
        });
    }
    db.close();
    await read(tool, 'second.png');
    await button('Show all 99').click();
    await expect.poll(count).toBe(99);
    await expect.element(entries().last()).toHaveTextContent(/part 98/);

    await button('Upload Another Image').click();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 29.4 * DAY_MS);
    const later = await reloadTool(tool);
    await expect.element(entries().nth(3)).toBeVisible();
    expect(count()).toBe(4);
    await expect.element(entries().last()).toHaveTextContent(/part 2/);
    vi.setSystemTime(Date.now() + 1.6 * DAY_MS);
    await reloadTool(later);
    await expect.poll(storedBeginnings).toEqual([]);
    await expect.element(recent()).not.toBeInTheDocument();
  });

  test('recent results: the shown text is assigned to the user who signs in', async () => {
    const application = await openAs(null, '/', { others: [member('recent-comer')] });
    const tool = await toolOf(application);
    await read(tool);
    await signInButton().click();
    await dialog().getByRole('button', { name: 'Sign in' }).click();
    await logIn('recent-comer');
    await expect.element(page.getByRole('banner').getByText('recent-comer')).toBeVisible();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));
    await expect.element(recent()).toHaveTextContent(KEPT);
    await reloadTool(tool);
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));

    application.setSession(null);
    await reloadTool(tool);
    await expect.element(signInButton()).toBeVisible();
    expect(await storedBeginnings()).toHaveLength(1);
    expect(count()).toBe(0);
    await expect.element(tool.text).not.toBeInTheDocument();
  });
});

describe('without browser storage', () => {
  async function readsAndEdits(): Promise<Tool> {
    const tool = await openTool();
    await tool.choose(await pictureFile('note'));
    await tool.read();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(/^Harbour/));
    await edit(tool);
    await expect.element(recent()).not.toBeInTheDocument();
    return tool;
  }

  test('no storage: without IndexedDB and localStorage a text is read, edited, copied and restored by Undo', async () => {
    await commands.holdClipboard();
    vi.stubGlobal('indexedDB', undefined);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const tool = await readsAndEdits();
    await button('Copy').first().click();
    await expect.element(toast()).toHaveTextContent(/Copied!/);
    expect(await clipboard()).toMatch(EDITED);
    await button('Upload Another Image').click();
    await (await pausedToast()).getByRole('button', { name: 'Undo' }).click();
    await expect.element(tool.text).toHaveValue(expect.stringMatching(EDITED));
  });

  test('no storage: on a full disk a text is read and edited', async () => {
    for (const write of ['add', 'put'] as const)
      vi.spyOn(IDBObjectStore.prototype, write).mockImplementation(() => {
        throw new DOMException('The disk is full', 'QuotaExceededError');
      });
    const tool = await readsAndEdits();
    await reloadTool(tool);
    await expect.element(recent()).not.toBeInTheDocument();
    expect(await storedBeginnings()).toEqual([]);
  });
});
