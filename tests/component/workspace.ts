import { expect } from 'vitest';
import { commands, type Locator, page } from 'vitest/browser';
import type { Extraction } from '#contract/extraction';
import { middleOf, readingOf, settled } from './extraction.ts';
import { requests } from './server.ts';

/* The workspace of a picture that was read: its words in the picture and in the text. */

export const picture = () => document.querySelector<HTMLElement>('.picture-viewport')!;

/** Where a word lies on the picture; `piece` is its number in reading order. */
export const wordBox = (piece: number) =>
  document.querySelector<SVGRectElement>(`.word-boxes rect[data-piece="${piece}"]`)!;

export const countOnPicture = (selector: string) =>
  document.querySelectorAll(`.word-boxes ${selector}`).length;

/** The words of the text in this state, as they are marked there. */
export const marked = (state: 'active' | 'hovered' | 'doubtful') =>
  [...document.querySelectorAll(`.text-editor [data-state=${state}]`)].map(({ textContent }) => textContent);

/** What is selected in the text. */
export function selectedText(): string {
  const { value, selectionStart, selectionEnd } =
    document.querySelector<HTMLTextAreaElement>('.text-editor textarea')!;
  return value.slice(selectionStart, selectionEnd);
}

/** The bar of what is selected on the picture. */
export const wordBar = () => page.getByRole('toolbar', { name: 'Selected words' });

/** One of the ways to lay out the text. */
export const textView = (name: 'Lines' | 'Paragraphs' | 'Layout' | 'Table') =>
  page.getByRole('group', { name: 'Text as' }).getByText(name, { exact: true });

/** A tap of a finger, once the element stays in its place. */
export async function tap(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
  await settled(() => locator.element());
  await commands.touch([middleOf(locator.element())]);
}

export interface ReadingChanges {
  /** Words that become doubtful. */
  doubtful?: string[];
  /** What else such a word could say. */
  readings?: Record<string, string[]>;
  /** What the filter left out. */
  hidden?: Extraction['hidden'];
}

/** The reading of the note with changes that no picture produces reliably. */
export function changedNote({ doubtful = [], readings = {}, hidden = [] }: ReadingChanges): Extraction {
  const reading = readingOf('note');
  for (const word of reading.lines.flatMap(({ words }) => words)) {
    if (!doubtful.includes(word.text)) continue;
    word.confidence = 41;
    const others = readings[word.text];
    if (others) word.readings = others;
  }
  reading.hidden.push(...hidden);
  return reading;
}

/** The form of the last picture that was sent to be read. */
export async function lastUpload(): Promise<{ file: File; fields: Record<string, FormDataEntryValue> }> {
  const { request } = requests.findLast(({ call }) => call === 'POST /api/extract-text')!;
  const { file, ...fields } = Object.fromEntries(await request.clone().formData());
  return { file: file as File, fields };
}

/** By how much the page is wider than its window. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** The text of each such element in what was copied with its form. */
export async function copiedElements(selector: string): Promise<(string | null)[]> {
  return [...(await copied()).querySelectorAll(selector)].map(({ textContent }) => textContent);
}

/** What was copied with its form, as programs outside of the browser find it. */
export async function copied(): Promise<Document> {
  // A web page would be given it without the styles that only spreadsheets know. The option is missing in TypeScript's types.
  const read: (options: { unsanitized: string[] }) => Promise<ClipboardItem[]> =
    navigator.clipboard.read.bind(navigator.clipboard);
  const [item] = await read({ unsanitized: ['text/html'] });
  return new DOMParser().parseFromString(await (await item!.getType('text/html')).text(), 'text/html');
}
