import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { changeText } from '#contract/calls/saved-texts';
import { PAGES, savedTextPage } from '#contract/paths';
import type { WholeText } from '#contract/saved-text';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import {
  clipboard,
  downloadBy,
  gate,
  pictureFile,
  readingOf,
  toolOf,
} from '../../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  button,
  dialog,
  logIn,
  member,
  openAs,
  type PeopleOptions,
  savedText,
} from '../../../../tests/component/people.ts';
import { worker } from '../../../../tests/component/server.ts';
import { changedNote, overflow, selectedText, textView } from '../../../../tests/component/workspace.ts';

const ID = 'letter';

const area = () => page.getByRole('textbox', { name: 'Extracted text' });
const autosaveStatus = () => document.querySelector('[data-autosave]')?.getAttribute('data-autosave');
const expectSaved = () => expect.poll(autosaveStatus).toBe('saved');
const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const cell = (name: string) =>
  page.getByRole('region', { name: /^Table/ }).getByRole('textbox', { name, exact: true });
const storedDrafts = () => Object.keys(localStorage).filter((key) => key.startsWith('text-draft'));

/** Opens a saved text of a signed-in user. */
async function openText(name: string, text: string, options: PeopleOptions = {}) {
  const saved = savedText(name, text, ID);
  const ada = member('ada', { texts: [saved] });
  const application = await openAs(ada, savedTextPage(ID), { site: AVAILABLE, ...options });
  await expect.element(area()).toHaveValue(text);
  return { ...application, ada, saved };
}

describe('saved text', () => {
  test('saved text: doubtful words are marked, counted and part of the review', async () => {
    const extraction = changedNote({ doubtful: ['rye'], readings: { rye: ['eye'] } });
    const saved = { ...savedText('Note', extraction.extractedText, ID), reading: { extraction, work: null } };
    const ada = member('ada', { texts: [saved] });
    await openAs(ada, savedTextPage(ID), { site: AVAILABLE });
    await expect.element(page.getByText('1 doubtful word', { exact: true })).toBeVisible();
    await button('Next doubtful word').click();
    await expect.poll(selectedText).toBe('rye');
    await expectAccessible();
    await page.getByRole('button', { name: 'eye' }).click();
    await expect.element(area()).toHaveValue(extraction.extractedText.replace('rye', 'eye'));
    await expect.element(page.getByText('No doubtful words')).toBeVisible();
    await expectSaved();
  });

  test('saved texts: the list shows the number of doubtful words that are left', async () => {
    const ada = member('ada', { texts: [savedText('Alone', 'Bread', 'alone')] });
    const { state, router } = await openAs(ada, PAGES.home, { site: AVAILABLE });
    state.extraction = changedNote({ doubtful: ['rye', 'plum'], readings: { rye: ['eye'] } });
    const tool = await toolOf({ state, router });
    await tool.choose(await pictureFile('note'));
    await tool.read();
    await button('Next doubtful word').click();
    await page.getByRole('button', { name: 'Looks right' }).click();
    await button('Save text').click();
    await userEvent.keyboard('{Enter}');
    await expect.element(toast()).toHaveTextContent('Saved');
    await expect.element(dialog()).not.toBeInTheDocument();

    await page.getByRole('banner').getByRole('link', { name: 'Texts' }).click();
    await expect.element(heading('Saved texts')).toBeVisible();
    const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await expect.element(entry('note')).toHaveTextContent('1 doubtful word');
    await expect.element(entry('Alone')).not.toHaveTextContent('doubtful');
    await expectAccessible();
    await page.getByRole('link', { name: 'Open note' }).click();
    await button('Next doubtful word').click();
    await page.getByRole('button', { name: 'Looks right' }).click();
    await expectSaved();
    history.back();
    await expect.element(entry('note')).toBeVisible();
    await expect.element(entry('note')).not.toHaveTextContent('doubtful');
    expect(ada.texts[0]?.doubtful).toBe(0);
  });

  test.each([1440, 768, 375])(
    'saved texts: at %i px a subscriber opens them from the navigation bar and searches them',
    async (width) => {
      await page.viewport(width, 812);
      const ada = member('ada', { texts: [savedText('Letter', 'Harbour lights', ID)] });
      await openAs(ada, PAGES.premium, { site: AVAILABLE });
      if (width < 768) await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('banner').getByRole('link', { name: 'Texts' }).click();
      await expect.element(heading('Saved texts')).toBeVisible();
      await expect.poll(() => location.pathname).toBe(PAGES.texts);
      await page.getByLabelText('Search your texts').fill('harbour');
      await expect.element(page.getByText('Harbour lights')).toBeVisible();
      await expectAccessible();
      expect(overflow()).toBeLessThanOrEqual(0);
      await page.getByRole('link', { name: 'Open Letter' }).click();
      await expect.element(area()).toHaveValue('Harbour lights');
    },
  );

  test('saved text: is fetched again when it is reopened, and a deleted text is reported', async () => {
    const { saved, router } = await openText('Short', 'Three small words');
    await page.getByRole('main').getByRole('link', { name: 'Saved texts' }).click();
    await expect.element(page.getByLabelText('Search your texts')).toBeVisible();
    // Another tab changes the text.
    Object.assign(saved, { text: 'Four rather small words', version: 2 });
    history.back();
    await expect.element(area()).toHaveValue('Four rather small words');

    await router.navigate(savedTextPage('00000000-0000-4000-8000-000000000000'));
    await expect.element(heading('No such text')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Your saved texts' })).toBeVisible();
  });

  test('saved text: the edited text can be copied, downloaded, exported and printed, without a picture', async () => {
    await commands.holdClipboard();
    await openText('List', 'First line\nsecond *line*\n\nAnother paragraph');
    (area().element() as HTMLTextAreaElement).focus();
    await userEvent.keyboard('{Control>}{End}{/Control}, at its end');
    await button('Copy').click();
    const now = 'First line\nsecond *line*\n\nAnother paragraph, at its end';
    await expect.element(toast()).toHaveTextContent('Copied!');
    expect(await clipboard()).toBe(now);

    const plain = await downloadBy(() => button('Download').click());
    expect(plain.name).toMatch(/^extracted-text-[\d-]+\.txt$/);
    expect(plain.text).toBe(now);

    const menu = page.getByRole('menu', { name: 'More formats' });
    const item = (name: RegExp) => menu.getByRole('menuitem', { name });
    await button('More formats').click();
    await expect.element(item(/^Print/)).toBeVisible();
    const names = menu
      .getByRole('menuitem')
      .elements()
      .map(({ textContent }) => textContent ?? '');
    expect(names).toHaveLength(3);
    expect(names.join('\n')).toMatch(/^Word.*\nMarkdown.*\nPrintThe text on paper/);
    await expectAccessible();
    const word = await downloadBy(() => item(/^Word/).click());
    expect(word.name).toMatch(/\.docx$/);
    expect(word.text.slice(0, 2)).toBe('PK');
    await button('More formats').click();
    const markdown = await downloadBy(() => item(/^Markdown/).click());
    expect(markdown.text).toBe('First line\\\nsecond \\*line\\*\n\nAnother paragraph, at its end\n');

    await commands.emulateMedia({ media: 'print' });
    const sheet = () => document.querySelector<HTMLElement>('.print-sheet');
    await expect.poll(() => sheet()?.checkVisibility()).toBe(true);
    expect(sheet()?.querySelector('img')).toBeNull();
    await expect.poll(() => sheet()?.textContent).toContain('Another paragraph, at its end');
  });

  test('saved text: a text saved from a result has its table and the text of a filled cell', async () => {
    const ada = member('ada', { texts: [] });
    const { state, router } = await openAs(ada, PAGES.home, { site: AVAILABLE });
    state.extraction = readingOf('order');
    const tool = await toolOf({ state, router });
    await tool.choose(await pictureFile('order'));
    await tool.read();
    await cell('Packs, row 4').fill('6');
    await userEvent.keyboard('{Tab}');
    await button('Save text').click();
    await dialog().getByLabelText('Name').fill('Order');
    await userEvent.keyboard('{Enter}');
    await expect.element(toast()).toHaveTextContent('Saved');

    const [{ reading }] = ada.texts as [WholeText];
    expect(reading?.extraction.layout?.tables).toHaveLength(1);
    expect(reading?.work?.filled).toHaveLength(1);
    expect(ada.texts[0]?.text).toMatch(/^Sugar 6 0\.95 cane$/m);
  });

  test('saved text: a text saved with its recognition result has its table, layout and formats, and keeps edits of cells', async () => {
    const extraction = readingOf('order');
    const saved = { ...savedText('Order', extraction.extractedText), reading: { extraction, work: null } };
    const ada = member('ada', { texts: [saved] });
    const { router } = await openAs(ada, savedTextPage('order'), { site: AVAILABLE });
    await cell('Packs, row 4').fill('6');
    await userEvent.keyboard('{Tab}');
    await expect.element(cell('Packs, row 4')).toHaveValue('6');
    await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
    await expectAccessible();
    await textView('Layout').click();
    await expect.element(area()).toHaveValue(expect.stringMatching(/^Sugar {2,}6 {2,}0\.95 {2,}cane$/m));
    await button('More formats').click();
    const menu = page.getByRole('menu', { name: 'More formats' });
    await expect.element(menu.getByRole('menuitem', { name: /^Print/ })).toBeVisible();
    const offered = menu.element().textContent;
    for (const format of ['Word', 'Excel', 'CSV', 'hOCR', 'ALTO', 'JSON']) expect(offered).toContain(format);
    expect(offered).not.toContain('PDF');
    await userEvent.keyboard('{Escape}');

    await cell('Article, row 4').fill('Sugar cubes');
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => ada.texts[0]?.text).toMatch(/^Sugar cubes 6 0\.95 cane$/m);
    await expectSaved();
    await router.navigate(PAGES.account);
    await router.navigate(savedTextPage('order'));
    await expect.element(cell('Article, row 4')).toHaveValue('Sugar cubes');
    await expect.element(cell('Packs, row 4')).toHaveValue('6');
    await expect.element(page.getByRole('radio', { name: 'Layout' })).toBeChecked();
  });

  test('saved text: the layout and a rejected table are saved with a recognition result, but not with a plain text', async () => {
    const extraction = readingOf('order');
    const saved = { ...savedText('Order', extraction.extractedText), reading: { extraction, work: null } };
    const alone = savedText('Alone', 'First line\nand the second');
    const ada = member('ada', { texts: [saved, alone] });
    const { router } = await openAs(ada, savedTextPage('order'), { site: AVAILABLE });
    await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
    const savedWork = () => ada.texts[0]?.reading?.work;
    await textView('Paragraphs').click();
    await expect.poll(() => savedWork()?.layout).toBe('paragraphs');
    await button('This is no table').click();
    await expect.poll(() => savedWork()?.notTables.length).toBeGreaterThan(0);
    await expectSaved();
    expect(saved.text).toBe(extraction.extractedText);
    await button('Undo').click();
    await expect.poll(() => savedWork()?.notTables).toEqual([]);
    await expectSaved();

    await router.navigate(savedTextPage('alone'));
    await expect.element(page.getByRole('radio', { name: 'Paragraphs' })).toBeChecked();
    await textView('Lines').click();
    await expect.element(area()).toHaveValue(alone.text);
    expect(ada.texts[1]).toMatchObject({ version: 1 });
  });

  test('saved text: an open text can be renamed and deleted with the keyboard only', async () => {
    const { router } = await openText('Old name', 'Words');
    (button('Rename').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await dialog().getByLabelText('Name').fill('New name');
    await userEvent.keyboard('{Enter}');
    await expect.element(heading('New name')).toBeVisible();
    await expect.element(button('Rename')).toHaveFocus();
    (button('Delete').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const question = page.getByRole('dialog', { name: 'Delete this text?' });
    await expect.element(question.getByRole('button', { name: 'Keep it' })).toHaveFocus();
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(toast()).toHaveTextContent('Deleted');
    await expect.poll(() => location.pathname).toBe(PAGES.texts);
    await expect.element(page.getByText('Nothing saved yet.')).toBeVisible();
    await expect.poll(() => document.activeElement).not.toBe(document.body);

    await router.navigate(savedTextPage(ID));
    await expect.element(heading('No such text')).toBeVisible();
  });
});

describe('unsaved edits', () => {
  test('unsaved edits: are stored in the browser while the server is unreachable, and saved afterwards', async () => {
    const { saved } = await openText('Draft', 'as it was');
    let isUnreachable = true;
    worker.use(
      // Undefined passes the request to the next handler.
      http.patch(changeText.path, () => (isUnreachable ? HttpResponse.error() : undefined)),
    );
    await area().fill('what I wrote');
    await userEvent.keyboard('{Control>}s{/Control}');
    await expect.element(page.getByText('The server could not be reached.')).toBeVisible();
    expect(autosaveStatus()).toBe('waiting');
    await expect.element(page.getByRole('status').filter({ hasText: 'Not saved yet' })).toBeInTheDocument();
    await expectAccessible();
    expect(saved.text).toBe('as it was');
    expect(storedDrafts()).toHaveLength(1);
    isUnreachable = false;
    window.dispatchEvent(new Event('online'));
    await expectSaved();
    expect(saved.text).toBe('what I wrote');
    expect(storedDrafts()).toHaveLength(0);
  });

  test('unsaved edits: stay when the session ends, and are saved after the user has signed in again', async () => {
    const { saved, setSession } = await openText('Long letter', 'Dear all');
    setSession(null);
    await area().fill('Dear all, and more');
    await expect.element(dialog().getByText('You were signed out.')).toBeVisible();
    await logIn('ada');
    await expect.element(area()).toHaveValue('Dear all, and more');
    await expect.poll(() => saved.text).toBe('Dear all, and more');
    await expectSaved();
  });

  test('unsaved edits: signing out deletes them from the browser', async () => {
    await openText('Long letter', 'Dear all');
    const held = gate();
    worker.use(http.patch(changeText.path, () => held.opened));
    await area().fill('Not for the next user');
    await expect.poll(storedDrafts).toHaveLength(1);
    await button('ada').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect.element(toast()).toHaveTextContent('Successfully logged out');
    held.open();
    await expect.element(button('Sign in')).toBeVisible();
    expect(JSON.stringify({ ...localStorage })).not.toContain('Not for the next user');
  });
});

test.each(['light', 'dark'] as const)(
  'saved text: in %s colors long names and unbroken words fit a phone, a tablet and a desktop, also in the list',
  async (colorScheme) => {
    await commands.emulateMedia({ colorScheme });
    const { router } = await openText(
      `A name ${'without-an-end-'.repeat(12)}`,
      `${'unbroken'.repeat(60)}\n`.repeat(5),
    );
    const fits = async () => {
      for (const width of [375, 768, 1440]) {
        await page.viewport(width, 900);
        await expectAccessible();
        expect(overflow()).toBe(0);
      }
    };
    await fits();
    await router.navigate(PAGES.account);
    await page.getByLabelText('Search your texts').fill('unbroken');
    await expect.poll(() => document.querySelector('mark')).not.toBeNull();
    await fits();
  },
);
