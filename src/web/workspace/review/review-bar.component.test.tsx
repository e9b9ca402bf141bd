import { expect, onTestFinished, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import {
  clipboard,
  middleOf,
  openResult,
  openTool,
  pictureFile,
  readingOf,
} from '../../../../tests/component/extraction.ts';
import {
  changedNote,
  countOnPicture,
  lastUpload,
  marked,
  overflow,
  picture,
  type ReadingChanges,
  selectedText,
  tap,
  textView,
  wordBox,
} from '../../../../tests/component/workspace.ts';

const openDoubtful = (changes: ReadingChanges) =>
  openResult('note', { state: { extraction: changedNote(changes) } });

const DOUBTS = { doubtful: ['Lane', 'rye', 'plum'], readings: { rye: ['eye', 'rue'], plum: ['plumb'] } };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const looksRight = () => page.getByRole('button', { name: 'Looks right' });
const otherReadings = () => page.getByRole('group', { name: 'It says something else' });
const expectSelected = (word: string, message = 'selected text') =>
  expect.poll(selectedText, { message }).toBe(word);

test('review bar: F2 and the button cycle through the doubtful words until each is corrected or confirmed', async () => {
  const tool = await openDoubtful({ doubtful: DOUBTS.doubtful });
  await expect.element(page.getByText('3 doubtful words')).toBeVisible();
  expect(countOnPicture('rect.doubt')).toBe(3);

  await button('Next doubtful word').click();
  await expect.element(looksRight()).toHaveFocus();
  await expectSelected('Lane');
  await expect.element(page.getByText('41% sure').last()).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{F2}');
  await expectSelected('rye');
  await userEvent.keyboard('{F2}');
  await expectSelected('plum');
  await userEvent.keyboard('{F2}');
  await expectSelected('Lane', 'the first comes after the last');
  await userEvent.keyboard('{Shift>}{F2}{/Shift}');
  await expectSelected('plum', 'the last comes before the first');

  await looksRight().click();
  await expectSelected('Lane');
  await userEvent.keyboard('{Alt>}{Enter}{/Alt}');
  await expectSelected('rye');
  await userEvent.keyboard('spelt{Enter}');
  await expect.element(page.getByText('No doubtful words left')).toBeVisible();
  expect(countOnPicture('rect.doubt')).toBe(0);
  expect(tool.area().value).toMatch(/Two loaves of spelt bread/);
});

test('review bar: on a phone the counts and the step buttons are in one row', async () => {
  await page.viewport(375, 812);
  const extraction = changedNote({ doubtful: ['Lane'] });
  for (const word of extraction.lines.flatMap(({ words }) => words))
    if (word.text === 'plum' || word.text === 'rye') word.confidence = 70;
  await openResult('note', { state: { extraction } });
  const row = ['1 doubtful word', '2 slight doubts', 'Next doubtful word'].map(button);
  await page.getByRole('tab', { name: 'Text' }).click();
  await expect.element(row[0]!).toBeVisible();
  const tops = row.map((one) => Math.round(one.element().getBoundingClientRect().top));
  expect(new Set(tops).size, `${tops}`).toBe(1);
});

test('review bar: a click on the count leads to the first doubtful word', async () => {
  await openDoubtful({ doubtful: DOUBTS.doubtful });
  await button('3 doubtful words').click();
  await expect.element(looksRight()).toHaveFocus();
  await expectSelected('Lane');
});

test('review bar: a click on an alternative or on "Looks right" is one step for Undo', async () => {
  const tool = await openDoubtful(DOUBTS);
  const before = tool.area().value;
  await button('Next doubtful word').click();
  await expectSelected('Lane');
  expect(otherReadings().query(), 'Lane has no other reading').toBeNull();
  await button('Next doubtful word').click();
  await expectSelected('rye');
  await expect.poll(() => document.querySelector('.word-crop img')?.checkVisibility()).toBe(true);
  expect(
    otherReadings()
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['1eye', '2rue']);
  await expectAccessible();

  await page.getByRole('button', { name: 'eye', exact: true }).click();
  await expect.element(tool.text).toHaveValue(before.replace('rye', 'eye'));
  await expectSelected('plum', 'an accepted alternative leads to the next word');
  await button('Undo').click();
  await expect.element(tool.text).toHaveValue(before);
  await expectSelected('rye', 'Undo leads back to the word');
  await expect.element(page.getByRole('button', { name: 'rue', exact: true })).toBeVisible();

  await looksRight().click();
  await expectSelected('plum');
  expect(marked('doubtful')).toEqual(['Lane']);
  await button('Undo').click();
  await expectSelected('rye');
  await expect.element(tool.text).toHaveValue(before);
});

test('review bar: digits choose alternatives, Enter confirms, letters go into the field of the word, Ctrl+Z undoes and Escape closes', async () => {
  const tool = await openDoubtful(DOUBTS);
  const before = tool.area().value;
  await userEvent.keyboard('{F2}');
  await expect.element(looksRight()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectSelected('rye');
  await userEvent.keyboard('2');
  await expect.element(tool.text).toHaveValue(before.replace('rye', 'rue'));
  await expectSelected('plum');
  await userEvent.keyboard('1');
  await expect.element(tool.text).toHaveValue(before.replace('rye', 'rue').replace('plum', 'plumb'));
  await expect.element(page.getByText('No doubtful words left')).toBeVisible();

  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(looksRight()).toHaveFocus();
  await expectSelected('plum');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expectSelected('rye');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expectSelected('Lane');
  await expect.element(tool.text).toHaveValue(before);

  const field = page.getByRole('textbox', { name: 'Correct the word' });
  await userEvent.keyboard('Road');
  await expect.element(field).toHaveValue('Road');
  await expect.element(field).toHaveFocus();
  await expect.element(tool.text).toHaveValue(before);
  await userEvent.keyboard('{Enter}');
  await expect.element(tool.text).toHaveValue(before.replace('Lane', 'Road'));
  await expectSelected('rye');
  await expect.element(looksRight()).toHaveFocus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(tool.text, { message: 'a replaced word is one step' }).toHaveValue(before);
  await expectSelected('Lane');

  await userEvent.keyboard('Road');
  await expect.element(field).toHaveValue('Road');
  await userEvent.keyboard('{F2}');
  await expect
    .element(tool.text, { message: 'F2 commits the typed text' })
    .toHaveValue(before.replace('Lane', 'Road'));
  await expectSelected('rye');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(tool.text).toHaveValue(before);

  await userEvent.keyboard('{F2}');
  await expect.poll(() => document.querySelector('.word-crop')).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.querySelector('.word-crop')).toBeNull();
});

test('review bar: a confirmed word stays confirmed in another layout', async () => {
  const tool = await openDoubtful(DOUBTS);
  const lines = tool.area().value;
  await userEvent.keyboard('{F2}');
  await looksRight().click();
  await textView('Paragraphs').click();
  await expect.element(tool.text).not.toHaveValue(lines);
  await textView('Lines').click();
  await expect.element(tool.text).toHaveValue(lines);
  // The caret is at the next doubtful word.
  await expect.poll(() => marked('active')).toEqual(['rye']);
  expect(marked('doubtful')).toEqual(['plum']);
});

test('review bar: the picture scrolls to the doubtful word and zooms in until it is legible', async () => {
  await openDoubtful(DOUBTS);
  picture().focus();
  for (let times = 0; times < 8; times++) await userEvent.keyboard('-');
  await userEvent.keyboard('{F2}');
  const word = () => document.querySelector('.word-boxes rect.active')?.getBoundingClientRect();
  await expect.poll(() => word()?.height ?? 0).toBeGreaterThanOrEqual(27);
  const view = picture().getBoundingClientRect();
  const { left, top, right, bottom } = word()!;
  expect([left >= view.left, top >= view.top, right <= view.right, bottom <= view.bottom]).toEqual(
    Array(4).fill(true),
  );
});

test('review bar: a word is corrected in a field within its line, there only, or at every place with the same misreading', async () => {
  const extraction = changedNote({ doubtful: ['Lane', 'rye'] });
  const [first] = extraction.lines;
  // The same misreading a second time.
  first!.words[0] = { ...first!.words[0]!, text: 'Lane' };
  first!.text = first!.text.replace('Harbour', 'Lane');
  extraction.extractedText = extraction.extractedText.replace('Harbour', 'Lane');
  const tool = await openResult('note', { state: { extraction } });
  const before = tool.area().value;
  const field = page.getByRole('textbox', { name: 'Correct the word' });
  const panel = page.getByRole('region', { name: 'Doubtful word' });
  await userEvent.keyboard('{F2}');
  await expect.element(field).toHaveValue('Lane');
  await expect.element(panel).toHaveTextContent(/Lane Bakery|Bakery/);
  await expect.element(page.getByText('1 of 2')).toBeVisible();
  await expectAccessible();
  await field.fill('Lime');
  await page.getByRole('checkbox', { name: 'Replace all 2 of these' }).click();
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect.element(tool.text).toHaveValue(before.replaceAll('Lane', 'Lime'));
  await expectSelected('rye');
  await button('Undo').click();
  await expect.element(tool.text, { message: 'one step' }).toHaveValue(before);

  await field.fill('Line');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(tool.text, { message: 'Enter replaces this occurrence only' })
    .toHaveValue(before.replace(/Lane(?= Bakery)/, 'Line'));
});

test('review bar: slight doubts are reviewed on request', async () => {
  const extraction = changedNote({ doubtful: ['Lane'] });
  for (const word of extraction.lines.flatMap(({ words }) => words))
    if (word.text === 'plum') word.confidence = 70;
  const tool = await openResult('note', { state: { extraction } });
  await button('Next doubtful word').click();
  await expectSelected('Lane');
  await expect.element(page.getByText('1 of 1')).toBeVisible();
  await page.getByRole('button', { name: '1 slight doubt', exact: true }).click();
  await expectSelected('plum');
  await expect.element(page.getByText('2 of 2')).toBeVisible();
  await looksRight().click();
  await expectSelected('Lane');
  await expect.element(tool.text).toHaveAttribute('lang', 'en');
  expect(tool.area().spellcheck).toBe(true);
});

test('review bar: a text without doubtful words has a message and no legend', async () => {
  await openResult();
  await expect.element(page.getByText('No doubtful words', { exact: true })).toBeVisible();
  expect(page.getByText('slight doubt').query()).toBeNull();
});

test('unread regions: are counted beside the doubtful words, outlined in the picture, and read again by a button', async () => {
  const extraction = readingOf('note');
  const boxes = [40, 300].map((x) => ({ x, y: 400, width: 200, height: 60 }));
  extraction.unread = [
    { box: boxes[0]!, why: 'other_script', script: 'Chinese' },
    { box: boxes[1]!, why: 'no_reading' },
  ];
  const message = '2 places were not read: Chinese text in 1 line. They are marked in the picture.';
  extraction.notices.push({ code: 'unread', message });
  const tool = await openResult('note', { state: { extraction } });
  await expect.element(page.getByText(message)).toBeVisible();
  expect(page.getByText('No doubtful words').query()).toBeNull();
  expect(document.querySelectorAll('.word-boxes rect.unread')).toHaveLength(2);

  await page.getByRole('button', { name: '2 places not read' }).click();
  const panel = page.getByRole('region', { name: 'Place that was not read' });
  await expect.element(panel).toHaveTextContent(/1 of 2 ?Chinese text was not read/);
  await expect.element(panel).toHaveTextContent(/Premium reads other scripts/);
  expect(panel.getByRole('button', { name: 'Read this place' }).query()).toBeNull();
  expect(document.querySelectorAll('.word-boxes rect.unread-chosen')).toHaveLength(1);
  await expectAccessible();
  await panel.getByRole('button', { name: 'Next place' }).click();
  await expect.element(panel).toHaveTextContent(/2 of 2 ?Nothing could be read here/);
  tool.state.extraction = readingOf('poster');
  await panel.getByRole('button', { name: 'Read this place' }).click();
  await expect.poll(async () => (await lastUpload()).file.name).toBe('note-part.png');
  const part = await createImageBitmap((await lastUpload()).file);
  expect([part.width, part.height], 'the place and a margin').toEqual([230, 90]);
});

test.each([
  [375, 'dark'],
  [1440, 'light'],
] as const)(
  'unread region at %i px, %s: a premium user chooses its language; the most likely one is preselected',
  async (width, scheme) => {
    await page.viewport(width, 812);
    await commands.emulateMedia({ colorScheme: scheme });
    const extraction = readingOf('note');
    extraction.unread = [{ box: extraction.lines[0]!.box, why: 'other_script', script: 'Cyrillic' }];
    const offered = { deu: 'German', eng: 'English', ukr: 'Ukrainian', rus: 'Russian' };
    const tool = await openResult('note', {
      state: {
        extraction,
        user: { username: 'polyglot', email: 'polyglot@example.org', isPremium: true },
        languages: Object.entries(offered).map(([code, name]) => ({
          code,
          name,
          allowed: true,
          installed: code === 'eng',
        })),
      },
    });
    const tab = page.getByRole('tab', { name: 'Text' });
    if (tab.query()) await tab.click();
    await page.getByRole('button', { name: '1 place not read' }).click();
    const panel = page.getByRole('region', { name: 'Place that was not read' });
    const select = panel.getByRole('combobox', { name: 'Language' });
    await expect.element(select).toHaveValue('rus');
    await expect.element(panel).toHaveTextContent('The language is fetched once');
    await expectAccessible();
    expect(overflow()).toBeLessThanOrEqual(0);
    await select.selectOptions('Ukrainian');
    tool.state.extraction = readingOf('poster');
    await panel.getByRole('button', { name: 'Read this place' }).click();
    await expect.poll(async () => (await lastUpload()).fields).toMatchObject({ languages: 'ukr' });
  },
);

test('review sheet: on a phone it is at the bottom of the screen, and no keyboard opens', async () => {
  await page.viewport(375, 812);
  const tool = await openDoubtful(DOUBTS);
  await page.getByRole('tab', { name: 'Text' }).click();
  await commands.emulateTouch(true);
  const before = tool.area().value;
  await expect.element(page.getByText('3 doubtful words')).toBeVisible();
  const sheet = page.getByRole('region', { name: 'Doubtful word' });
  await tap(button('Next doubtful word'));
  await expect.element(sheet).toHaveTextContent(/Lane/);
  await tap(button('Next doubtful word'));
  await expect.element(sheet).toHaveTextContent(/rye/);
  await expect.element(tool.text).not.toHaveFocus();
  await expectAccessible();
  expect(Math.round(sheet.element().getBoundingClientRect().bottom)).toBe(812);
  for (const element of sheet.getByRole('button').elements())
    expect(element.getBoundingClientRect().height, element.textContent ?? '').toBeGreaterThanOrEqual(44);

  await tap(sheet.getByRole('button', { name: 'rue' }));
  await expect.element(tool.text).toHaveValue(before.replace('rye', 'rue'));
  await expect.element(sheet).toHaveTextContent(/plum/);
  await tap(sheet.getByRole('button', { name: 'Looks right' }));
  await expect.element(sheet).toHaveTextContent(/Lane/);
  await expect.element(tool.text).not.toHaveFocus();
  await tap(sheet.getByRole('button', { name: 'Close' }));
  await expect.element(sheet).not.toBeInTheDocument();
  expect(overflow()).toBe(0);
});

test('review sheet: moves above the on-screen keyboard, and the word stays visible', async () => {
  await page.viewport(375, 812);
  const tool = await openTool({ state: { extraction: changedNote(DOUBTS) } });
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await button('Next doubtful word').first().click();
  const sheet = page.getByRole('region', { name: 'Doubtful word' });
  await sheet.getByRole('textbox', { name: 'Correct the word' }).click();
  vi.spyOn(window.visualViewport!, 'height', 'get').mockReturnValue(500);
  window.visualViewport!.dispatchEvent(new Event('resize'));
  const box = () => sheet.element().getBoundingClientRect();
  await expect.poll(() => Math.round(box().bottom)).toBe(500);
  const word = () => document.querySelector('.text-editor [data-state=active]')!.getBoundingClientRect();
  await expect.poll(() => word().bottom < box().top && word().top > 0).toBe(true);
});

test.each([
  [375, 812],
  [720, 450],
])(
  'review sheet: at %d px the word is visible above it, and it does not cover the menu of formats',
  async (width, height) => {
    await page.viewport(width, height);
    const reading = changedNote(DOUBTS);
    await openTool({ state: { extraction: reading } }).then(async (tool) => {
      await tool.choose(await pictureFile('note'));
      await tool.read();
    });
    const sheet = () => page.getByRole('region', { name: 'Doubtful word' }).element().getBoundingClientRect();
    for (const word of DOUBTS.doubtful) {
      await button('Next doubtful word').first().click();
      await expectSelected(word);
      const box = () => document.querySelector('.text-editor [data-state=active]')!.getBoundingClientRect();
      await expect.poll(() => box().bottom < sheet().top && box().top > 0).toBe(true);
    }
    await button('More formats').click();
    await expect.element(page.getByRole('menuitem').last()).toBeInTheDocument();
    const item = page.getByRole('menuitem').last().element();
    item.scrollIntoView({ block: 'nearest' });
    const { x, y } = middleOf(item);
    expect(item.contains(document.elementFromPoint(x, y))).toBe(true);
  },
);

test('review sheet: the text does not move when a table is found and a word is reviewed', async () => {
  await page.viewport(375, 812);
  await openTool();
  const distances = new Set<number>();
  const observer = new MutationObserver(() => {
    const views = document.querySelector('input[value=lines]')?.getBoundingClientRect();
    const pane = document.querySelector('.text-scroller')?.getBoundingClientRect();
    if (views && pane) distances.add(Math.round(pane.top - views.top));
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  onTestFinished(() => observer.disconnect());
  await button('Receipt').click();
  await button('Next doubtful word').first().click();
  await expect.element(page.getByRole('region', { name: 'Doubtful word' })).toBeVisible();
  await expect.element(textView('Table')).toBeVisible();
  expect([...distances]).toHaveLength(1);
});

test('review sheet: does not cover elements that Tab focuses', async () => {
  await page.viewport(375, 812);
  const tool = await openTool({ staticParts: true, state: { extraction: changedNote(DOUBTS) } });
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await button('Next doubtful word').first().click();
  const sheet = page.getByRole('region', { name: 'Doubtful word' });
  await expect.element(sheet.getByRole('button', { name: 'Looks right' })).toHaveFocus();
  for (let presses = 0; presses < 14; presses += 1) {
    await userEvent.keyboard('{Tab}');
    const { activeElement: active } = document;
    if (!active || active === document.body || sheet.element().contains(active)) continue;
    expect(active.getBoundingClientRect().bottom, active.textContent ?? '').toBeLessThanOrEqual(
      sheet.element().getBoundingClientRect().top,
    );
  }
});

const wordField = () => page.getByRole('textbox', { name: 'Correct the word' });

/** Steps to "Lane" and types "Road" for it, without Enter. */
async function typeRoad() {
  await userEvent.keyboard('{F2}');
  await expect.element(looksRight()).toHaveFocus();
  await userEvent.keyboard('Road');
  await expect.element(wordField()).toHaveValue('Road');
}

test.each([
  ['a click elsewhere in the text', () => page.getByRole('textbox', { name: 'Extracted text' }).click()],
  ['a press on a word of the picture', () => page.elementLocator(wordBox(9)).click({ force: true })],
  ['a press on the slight doubts', () => button('1 slight doubt').click()],
  ['another layout of the text', () => textView('Paragraphs').click()],
  ['finding', () => userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')],
  ['Tab', () => userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}')],
  ['pagehide', async () => void window.dispatchEvent(new Event('pagehide'))],
  ['Back', async () => void window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))],
])('review bar: %s commits a typed correction, and Undo reverts it', async (_, leave) => {
  const extraction = changedNote({ doubtful: ['Lane', 'rye'] });
  for (const word of extraction.lines.flatMap(({ words }) => words))
    if (word.text === 'plum') word.confidence = 70;
  const tool = await openResult('note', { state: { extraction } });
  await typeRoad();
  await leave();
  await expect.poll(() => tool.area().value).toContain('Road');
  expect(tool.area().value).not.toContain('Lane');
  for (let steps = 0; steps < 2 && !tool.area().value.includes('Lane'); steps += 1)
    await button('Undo').click();
  expect(tool.area().value).toContain('Lane');
});

test('review bar: after a click in the text has committed a correction, the caret is where the click was', async () => {
  const tool = await openDoubtful({ doubtful: ['Lane'] });
  await typeRoad();
  await wordField().fill('Boulevard');
  const area = tool.area();
  await page.elementLocator(area).click({ position: { x: 60, y: area.clientHeight - 20 } });
  await expect.poll(() => area.value).toContain('Boulevard');
  await expect.element(wordField()).not.toBeInTheDocument();
  expect(document.activeElement).toBe(area);
  expect(area.selectionStart).toBeGreaterThan(area.value.indexOf('\n', area.value.indexOf('Boulevard')));
});

test('review bar: the copied text includes a typed correction', async () => {
  await commands.holdClipboard();
  await openDoubtful({ doubtful: ['Lane'] });
  await typeRoad();
  await button('Copy').click();
  await expect.poll(clipboard).toContain('Road');
});

test.each([
  [375, 667],
  [1440, 900],
])(
  'review bar: at %i px Escape in the field restores the word as read, and undo restores the typed word',
  async (width, height) => {
    await page.viewport(width, height);
    const tool = await openDoubtful({ doubtful: ['Lane'] });
    if (width < 1024) await page.getByRole('tab', { name: 'Text' }).click();
    const before = tool.area().value;
    await typeRoad();
    await userEvent.keyboard('{Escape}');
    await expect.element(wordField()).toHaveValue('Lane');
    await expect.element(wordField()).toHaveFocus();
    await expect
      .element(page.getByText('The word as read. Ctrl+Z brings back “Road”.'))
      .toBeInViewport({ ratio: 1 });
    await expectAccessible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(wordField()).toHaveValue('Road');
    await userEvent.keyboard('{Escape}');
    await expect.element(wordField()).toHaveValue('Lane');
    await userEvent.keyboard('{Escape}');
    await expect.element(wordField()).not.toBeInTheDocument();
    expect(tool.area().value).toBe(before);
  },
);

test('review sheet: Close commits a typed correction', async () => {
  await page.viewport(375, 812);
  const tool = await openDoubtful(DOUBTS);
  await page.getByRole('tab', { name: 'Text' }).click();
  await button('Next doubtful word').first().click();
  await wordField().fill('Road');
  await page.getByRole('region', { name: 'Doubtful word' }).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => tool.area().value).toContain('Road');
  await expect.element(wordField()).not.toBeInTheDocument();
});

test.each([
  [720, 450],
  [375, 667],
])('review sheet: at %d px the focused element is visible after the last word', async (width, height) => {
  await page.viewport(width, height);
  const tool = await openDoubtful({ doubtful: ['you'] });
  await page.getByRole('tab', { name: 'Text' }).click();
  await button('Next doubtful word').first().click();
  const word = () => document.querySelector('.text-editor [data-state=active]');
  await expect.poll(word).not.toBeNull();
  word()!.scrollIntoView({ block: 'start' });
  window.scrollBy({ top: 200, behavior: 'instant' });
  await looksRight().click();
  await expect.element(page.getByText('No doubtful words left')).toBeInViewport({ ratio: 1 });
  const focused = document.activeElement!;
  expect(focused).not.toBe(document.body);
  const header = document.querySelector('header')!.getBoundingClientRect().bottom;
  await expect.poll(() => focused.getBoundingClientRect().top).toBeGreaterThanOrEqual(Math.max(0, header));
  expect(tool.area().value).toContain('you');
});
