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
const keeping = () => document.querySelector('[data-keeping]')?.getAttribute('data-keeping');
const isSaved = () => expect.poll(keeping).toBe('saved');
const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const cell = (name: string) =>
  page.getByRole('region', { name: /^Table/ }).getByRole('textbox', { name, exact: true });
const draftsKept = () => Object.keys(localStorage).filter((key) => key.startsWith('text-draft'));

/** Opens a saved text of a signed-in person. */
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
    expect(selectedText()).toBe('rye');
    await expectAccessible();
    await page.getByRole('button', { name: 'eye' }).click();
    await expect.element(area()).toHaveValue(extraction.extractedText.replace('rye', 'eye'));
    await expect.element(page.getByText('No doubtful words')).toBeVisible();
    await isSaved();
  });

  test('saved texts: the list says how many doubtful words a text has left, from saving it to the last one', async () => {
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
    await isSaved();
    history.back();
    await expect.element(entry('note')).toBeVisible();
    await expect.element(entry('note')).not.toHaveTextContent('doubtful');
    expect(ada.texts[0]?.doubtful).toBe(0);
  });

  test.each([1440, 768, 375])(
    'saved texts: at %i px a subscriber finds them in the navigation and searches them',
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

  test('saved text: is fetched again on return, and a deleted one is reported', async () => {
    const { saved, router } = await openText('Short', 'Three small words');
    await page.getByRole('main').getByRole('link', { name: 'Saved texts' }).click();
    await expect.element(page.getByLabelText('Search your texts')).toBeVisible();
    // Another tab changes it meanwhile.
    Object.assign(saved, { text: 'Four rather small words', version: 2 });
    history.back();
    await expect.element(area()).toHaveValue('Four rather small words');

    await router.navigate(savedTextPage('00000000-0000-4000-8000-000000000000'));
    await expect.element(heading('No such text')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Your saved texts' })).toBeVisible();
  });

  test('saved text: the current text is copied, downloaded, exported and printed, without an image', async () => {
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

  test('saved text: one saved from a result has its table and the text of a filled cell', async () => {
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

  test('saved text: one saved with its reading has its table, layout and formats, and edits stay in their cells', async () => {
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
    await isSaved();
    await router.navigate(PAGES.account);
    await router.navigate(savedTextPage('order'));
    await expect.element(cell('Article, row 4')).toHaveValue('Sugar cubes');
    await expect.element(cell('Packs, row 4')).toHaveValue('6');
    await expect.element(page.getByRole('radio', { name: 'Layout' })).toBeChecked();
  });

  test('saved text: another view and a rejected table are saved, and a change that a plain text cannot store is not', async () => {
    const extraction = readingOf('order');
    const saved = { ...savedText('Order', extraction.extractedText), reading: { extraction, work: null } };
    const alone = savedText('Alone', 'First line\nand the second');
    const ada = member('ada', { texts: [saved, alone] });
    const { router } = await openAs(ada, savedTextPage('order'), { site: AVAILABLE });
    await expect.element(cell('Article, row 4')).toHaveValue('Sugar');
    const kept = () => ada.texts[0]?.reading?.work;
    await textView('Paragraphs').click();
    await expect.poll(() => kept()?.layout).toBe('paragraphs');
    await button('This is no table').click();
    await expect.poll(() => kept()?.notTables.length).toBeGreaterThan(0);
    await isSaved();
    expect(saved.text).toBe(extraction.extractedText);
    await button('Undo').click();
    await expect.poll(() => kept()?.notTables).toEqual([]);
    await isSaved();

    await router.navigate(savedTextPage('alone'));
    await expect.element(page.getByRole('radio', { name: 'Paragraphs' })).toBeChecked();
    await textView('Lines').click();
    await expect.element(area()).toHaveValue(alone.text);
    expect(ada.texts[1]).toMatchObject({ version: 1 });
  });

  test('saved text: is renamed and deleted where it is open, by keyboard alone', async () => {
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
    expect(document.activeElement).not.toBe(document.body);

    await router.navigate(savedTextPage(ID));
    await expect.element(heading('No such text')).toBeVisible();
  });
});

describe('edits that are not saved yet', () => {
  test('unsaved edits: while the server is away they are stored in the browser, and saved once it is back', async () => {
    const { saved } = await openText('Draft', 'as it was');
    let isAway = true;
    worker.use(
      // Answers nothing once the server is back, so that the next handler does.
      http.patch(changeText.path, () => (isAway ? HttpResponse.error() : undefined)),
    );
    await area().fill('what I wrote');
    await userEvent.keyboard('{Control>}s{/Control}');
    await expect.element(page.getByText('The server could not be reached.')).toBeVisible();
    expect(keeping()).toBe('waiting');
    await expect.element(page.getByRole('status').filter({ hasText: 'Not saved yet' })).toBeInTheDocument();
    await expectAccessible();
    expect(saved.text).toBe('as it was');
    expect(draftsKept()).toHaveLength(1);
    isAway = false;
    window.dispatchEvent(new Event('online'));
    await isSaved();
    expect(saved.text).toBe('what I wrote');
    expect(draftsKept()).toHaveLength(0);
  });

  test('unsaved edits: when the session ends they stay, and are saved once the person has signed in again', async () => {
    const { saved, setSession } = await openText('Long letter', 'Dear all');
    setSession(null);
    await area().fill('Dear all, and more');
    await expect.element(dialog().getByText('You were signed out.')).toBeVisible();
    await logIn('ada');
    await expect.element(area()).toHaveValue('Dear all, and more');
    await expect.poll(() => saved.text).toBe('Dear all, and more');
    await isSaved();
  });

  test('unsaved edits: signing out leaves none of them in the browser', async () => {
    await openText('Long letter', 'Dear all');
    const held = gate();
    worker.use(http.patch(changeText.path, () => held.opened));
    await area().fill('Nothing for the next person');
    await expect.poll(draftsKept).toHaveLength(1);
    await button('ada').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect.element(toast()).toHaveTextContent('Successfully logged out');
    held.open();
    await expect.element(button('Sign in')).toBeVisible();
    expect(JSON.stringify({ ...localStorage })).not.toContain('Nothing for the next person');
  });
});

test.each(['light', 'dark'] as const)(
  'saved text: in %s colors a long name and unbroken words fit a phone, a tablet and a desktop, also in the list',
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
