import { expect } from 'vitest';
import { commands, type Locator, page } from 'vitest/browser';
import type { Extraction } from '#contract/extraction';
import { middleOf, readingOf, waitUntilStill } from './extraction.ts';
import { requests } from './server.ts';

/* The workspace of a result: the picture with its word boxes, and the text. */

export const picture = () => document.querySelector<HTMLElement>('.picture-viewport')!;

/** The box of a word on the picture; `piece` is its index in reading order. */
export const wordBox = (piece: number) =>
  document.querySelector<SVGRectElement>(`.word-boxes rect[data-piece="${piece}"]`)!;

export const countOnPicture = (selector: string) =>
  document.querySelectorAll(`.word-boxes ${selector}`).length;

/** The words that are marked with this state in the text. */
export const marked = (state: 'active' | 'hovered' | 'doubtful') =>
  [...document.querySelectorAll(`.text-editor [data-state=${state}]`)].map(({ textContent }) => textContent);

/** The selected part of the text. */
export function selectedText(): string {
  const { value, selectionStart, selectionEnd } =
    document.querySelector<HTMLTextAreaElement>('.text-editor textarea')!;
  return value.slice(selectionStart, selectionEnd);
}

/** The toolbar of the words that are selected on the picture. */
export const wordBar = () => page.getByRole('toolbar', { name: 'Selected words' });

/** The button of one layout of the text. */
export const textView = (name: 'Lines' | 'Paragraphs' | 'Layout' | 'Table') =>
  page.getByRole('group', { name: 'Text as' }).getByText(name, { exact: true });

/** Taps an element after it has stopped moving. */
export async function tap(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
  await waitUntilStill(() => locator.element());
  await commands.touch([middleOf(locator.element())]);
}

export interface ReadingChanges {
  /** Words that become doubtful. */
  doubtful?: string[];
  /** Alternative readings of a doubtful word. */
  readings?: Record<string, string[]>;
  /** Texts that the filter has hidden. */
  hidden?: Extraction['hidden'];
}

/** The result of the note with changes that no picture produces reliably. */
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

/** The form of the last extraction request. */
export async function lastUpload(): Promise<{ file: File; fields: Record<string, FormDataEntryValue> }> {
  const { request } = requests.findLast(({ call }) => call === 'POST /api/extract-text')!;
  const { file, ...fields } = Object.fromEntries(await request.clone().formData());
  return { file: file as File, fields };
}

/** The number of CSS pixels by which the page is wider than its window. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** The text of each matching element of the HTML on the clipboard. */
export async function copiedElements(selector: string): Promise<(string | null)[]> {
  return [...(await copiedHtml()).querySelectorAll(selector)].map(({ textContent }) => textContent);
}

/** The HTML on the clipboard, as other programs receive it. */
export async function copiedHtml(): Promise<Document> {
  // By default the browser removes styles that only spreadsheets use. TypeScript's types lack the option.
  const read: (options: { unsanitized: string[] }) => Promise<ClipboardItem[]> =
    navigator.clipboard.read.bind(navigator.clipboard);
  const [item] = await read({ unsanitized: ['text/html'] });
  return new DOMParser().parseFromString(await (await item!.getType('text/html')).text(), 'text/html');
}
