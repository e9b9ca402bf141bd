import { expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import type { Extraction } from '#contract/extraction';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { toast } from '../../../tests/component/application.tsx';
import {
  middleOf,
  openResult,
  openTool,
  pictureFile,
  readingOf,
  waitUntilStill,
} from '../../../tests/component/extraction.ts';
import { changedNote, marked, picture, textView } from '../../../tests/component/workspace.ts';

const COPIES = 60;

/** The note's extraction repeated 60 times below itself: more than 1,000 words. */
function longReading(): Extraction {
  const reading = readingOf('note');
  const { lines, extractedText, image } = reading;
  const paragraphs = 1 + (lines.at(-1)?.paragraph ?? 0);
  const below = <T extends { box: Extraction['lines'][number]['box'] }>(part: T, copy: number): T => ({
    ...part,
    box: { ...part.box, y: (part.box.y + copy * image.height) / COPIES, height: part.box.height / COPIES },
  });
  reading.lines = Array.from({ length: COPIES }, (_, copy) =>
    lines.map((line) => ({
      ...below(line, copy),
      paragraph: line.paragraph + copy * paragraphs,
      words: line.words.map((word) => below(word, copy)),
    })),
  ).flat();
  reading.extractedText = Array.from({ length: COPIES }, () => extractedText).join('\n');
  return reading;
}

async function openLongText() {
  const tool = await openResult('note', { state: { extraction: longReading() } });
  expect(tool.area().value.split(/\s+/).length).toBeGreaterThan(1000);
  await untilKept();
  // Boxes are rendered after the text.
  await expect.poll(() => document.querySelectorAll('.word-boxes [data-piece]').length).toBeGreaterThan(1000);
  return tool;
}

const untilKept = () => expect.element(page.getByText('The text above is kept.')).toBeVisible();

/** Runs the timers that delay the search for tables and findings and the storing of edits. */
async function finishDeferredWork() {
  await vi.advanceTimersByTimeAsync(600);
  await untilKept();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}

/** Counts the elements of the result whose attributes, text or children an action changes. */
async function changedBy(action: () => Promise<unknown>) {
  const elements = new Set<Element>();
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      if (element) elements.add(element);
    }
  });
  observer.observe(document.querySelector('[data-extraction=result] section:has(.text-editor)')!, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await action();
  await finishDeferredWork();
  vi.useRealTimers();
  observer.disconnect();
  const within = (selector: string) => [...elements].filter((element) => element.closest(selector));
  const inText = within('.text-editor > div');
  const onPicture = within('.picture-viewport');
  return {
    inText: inText.length,
    onPicture: onPicture.length,
    elsewhere: [...elements]
      .filter((element) => !inText.includes(element) && !onPicture.includes(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 80)),
  };
}

test('workspace: a keystroke in a long text changes only its line and creates no media query', async () => {
  const tool = await openLongText();
  tool.area().focus();
  // The first letter enables Undo and Reset.
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}');
  await changedBy(() => userEvent.keyboard('x'));
  const queries = vi.spyOn(window, 'matchMedia');
  const changed = await changedBy(() => userEvent.keyboard('yz'));
  expect(tool.area().value).toContain('\nxyz');
  expect(changed).toEqual({ inText: 1, onPicture: 0, elsewhere: [] });
  expect(queries).not.toHaveBeenCalled();
});

test('workspace: another layout of a long text changes at most the word at the caret on the picture and shows no tooltip', async () => {
  const tool = await openLongText();
  const lines = tool.area().value;
  const changed = await changedBy(async () => {
    await textView('Paragraphs').click();
    await expect.element(tool.text).not.toHaveValue(lines);
  });
  expect(changed.inText).toBeGreaterThan(0);
  expect(changed.onPicture).toBeLessThanOrEqual(1);
  expect(page.getByRole('tooltip').query()).toBeNull();
});

test('workspace: Layout keeps the word at the caret marked and leaves the picture unchanged', async () => {
  const tool = await openLongText();
  const lines = tool.area().value;
  tool.area().focus();
  await userEvent.keyboard('{Control>}{End}{/Control}{ArrowUp}');
  await expect.poll(() => marked('active')).toHaveLength(1);
  const word = marked('active');
  const changed = await changedBy(async () => {
    await textView('Layout').click();
    await expect.element(tool.text).not.toHaveValue(lines);
  });
  expect(marked('active')).toEqual(word);
  expect(changed.onPicture).toBe(0);
});

test('workspace: the choice of another layout is painted before a long text is laid out', async () => {
  const tool = await openLongText();
  const radio = document.querySelector<HTMLInputElement>('input[value=paragraphs]')!;
  const before = tool.area().value;
  let framesBeforeLayout = 0;
  const count = () => {
    if (tool.area().value !== before) return;
    if (radio.checked) framesBeforeLayout += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  await textView('Paragraphs').click();
  await expect.element(tool.text).not.toHaveValue(before);
  expect(framesBeforeLayout).toBeGreaterThan(0);
});

test('workspace: picture and text scroll together until the user turns that off, which is stored', async () => {
  await openLongText();
  const [view, text] = [picture(), document.querySelector<HTMLElement>('.text-scroller')!];
  view.focus();
  for (let times = 0; times < 12; times++) await userEvent.keyboard('+');
  view.scrollTo({ top: 0 });
  await waitUntilStill(() => document.querySelector('.picture-viewport img'));
  await commands.wheel(middleOf(text), { x: 0, y: text.scrollHeight });
  await expect.poll(() => text.scrollTop).toBeGreaterThan(1000);
  await expect.poll(() => view.scrollTop).toBeGreaterThan(100);
  const end = view.scrollTop;
  await commands.wheel(middleOf(view), { x: 0, y: -view.scrollHeight });
  await expect.poll(() => view.scrollTop).toBeLessThan(end / 2);
  await expect.poll(() => text.scrollTop).toBeLessThan(1000);

  const toggle = page.getByRole('button', { name: 'Scroll together' });
  await toggle.click();
  await expect.element(toggle).toHaveAttribute('aria-pressed', 'false');
  const still = view.scrollTop;
  await commands.wheel(middleOf(text), { x: 0, y: text.scrollHeight });
  await expect.poll(() => text.scrollTop).toBeGreaterThan(1000);
  expect(view.scrollTop).toBe(still);
  expect(localStorage.getItem('scroll-together')).toBe('off');
});

test('workspace: on a desktop, the first word is at most 260 px below the header, notices included', async () => {
  const extraction = changedNote({ doubtful: ['Harbour'] });
  extraction.notices.push({ code: 'straightened', message: 'The page was photographed at an angle.' });
  await openResult('note', { state: { extraction } });
  await expect.element(page.getByText('The page was photographed at an angle.')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Extracted text' })).toBeInViewport();
  const word = () => document.querySelector('.text-editor [data-word]')!.getBoundingClientRect();
  const header = () => document.querySelector('header')!.getBoundingClientRect().bottom;
  await expect.poll(() => word().top > header() && word().top - header() <= 260).toBe(true);
  const heroHeight = document.querySelector('.hero')!.getBoundingClientRect().height;
  expect(heroHeight, 'the heading of the page is one line').toBeLessThan(40);
});

test('workspace: on a small phone, the text has nearly half of the screen, and the toast covers neither text nor review bar', async () => {
  await page.viewport(375, 667);
  const tool = await openTool();
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await expect.element(tool.text).toBeVisible();
  const text = () => document.querySelector('.text-scroller')!.getBoundingClientRect();
  // The page scrolls to the result.
  await expect.poll(() => Math.floor(text().y)).toBeLessThan(667 / 2 + 35);
  const message = toast().element().getBoundingClientRect();
  expect(message.y).toBeGreaterThanOrEqual(64);
  const covered = [...document.querySelectorAll('[data-lines] > div, [data-review]')].filter((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < message.bottom && bottom > message.top;
  });
  expect(covered).toEqual([]);
});

test.each([{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const)(
  'workspace: with forced colors and %o, switches, the chosen view, doubtful and active words remain distinguishable',
  async (scheme) => {
    await commands.emulateMedia({ ...scheme, forcedColors: 'active' });
    const tool = await openTool({ state: { extraction: changedNote({ doubtful: ['Harbour'] }) } });
    const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });
    const look = (element: Element, pseudo?: string) => getComputedStyle(element, pseudo);
    const background = (pseudo?: string) => look(filtering.element(), pseudo).backgroundColor;
    const [on, knob] = [background(), background('::before')];
    expect(on, 'the knob of the switch is visible').not.toBe(knob);
    await filtering.click();
    await expect.poll(background, { message: 'off looks different from on' }).not.toBe(on);
    await filtering.click();

    await tool.choose(await pictureFile('note'));
    await tool.read();
    await expect.poll(() => marked('doubtful')).toEqual(['Harbour']);
    await expectAccessible();
    const [lines, paragraphs] = (['Lines', 'Paragraphs'] as const).map((view) =>
      look(textView(view).element()),
    );
    expect(lines!.backgroundColor).not.toBe(paragraphs!.backgroundColor);
    const doubt = look(document.querySelector('.text-editor [data-state=doubtful]')!);
    expect(doubt.textDecorationLine).toBe('underline');
    expect(doubt.textDecorationColor).not.toBe(doubt.color);
    await page.getByRole('button', { name: 'Next doubtful word' }).click();
    await expect.poll(() => marked('active')).toEqual(['Harbour']);
    expect(look(document.querySelector('.text-editor [data-state=active]')!).outlineStyle).toBe('solid');
  },
);
