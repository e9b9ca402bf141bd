import { expect } from 'vitest';
import { commands, type Locator, page } from 'vitest/browser';
import codePicture from '../e2e/fixtures/code.png?url';
import notePicture from '../e2e/fixtures/note.png?url';
import noteTiff from '../e2e/fixtures/note.tif?url';
import noteCameraPicture from '../e2e/fixtures/note-camera.jpg?url';
import noteSlantedPicture from '../e2e/fixtures/note-slanted.png?url';
import orderPicture from '../e2e/fixtures/order.png?url';
import posterPicture from '../e2e/fixtures/poster.png?url';
import skyPicture from '../e2e/fixtures/sky.png?url';
import code from '../fixtures/readings/code.json' with { type: 'json' };
import note from '../fixtures/readings/note.json' with { type: 'json' };
import noteCamera from '../fixtures/readings/note-camera.json' with { type: 'json' };
import noteSlanted from '../fixtures/readings/note-slanted.json' with { type: 'json' };
import order from '../fixtures/readings/order.json' with { type: 'json' };
import poster from '../fixtures/readings/poster.json' with { type: 'json' };
import sky from '../fixtures/readings/sky.json' with { type: 'json' };
import {
  type OpenApplication,
  type OpenOptions,
  openApplication,
  reloadApplication,
} from './application.tsx';
import { recorded } from './server.ts';

/* The extraction tool: its controls, pictures and files. */

/** Pictures with recorded results of the engine. */
const PICTURES = {
  note: { file: 'note.png', type: 'image/png', url: notePicture, reading: note },
  'note-slanted': {
    file: 'note-slanted.png',
    type: 'image/png',
    url: noteSlantedPicture,
    reading: noteSlanted,
  },
  'note-camera': { file: 'note-camera.jpg', type: 'image/jpeg', url: noteCameraPicture, reading: noteCamera },
  'note-tiff': { file: 'note.tif', type: 'image/tiff', url: noteTiff, reading: note },
  order: { file: 'order.png', type: 'image/png', url: orderPicture, reading: order },
  poster: { file: 'poster.png', type: 'image/png', url: posterPicture, reading: poster },
  code: { file: 'code.png', type: 'image/png', url: codePicture, reading: code },
  sky: { file: 'sky.png', type: 'image/png', url: skyPicture, reading: sky },
} as const;

export type PictureName = keyof typeof PICTURES;

/** @param name of the file; the fixture's name by default */
export async function pictureFile(picture: PictureName, name?: string): Promise<File> {
  const { file, type, url } = PICTURES[picture];
  return new File([await (await fetch(url)).arrayBuffer()], name ?? file, { type });
}

/** The picture of the note in a different file: PNG decoders ignore bytes after the end of the picture. */
export async function copyOfNote(number: number): Promise<File> {
  const picture = await pictureFile('note');
  return new File([picture, `copy ${number}`], picture.name, { type: picture.type });
}

/** A copy of the recorded result of a picture; a test may change it. */
export const readingOf = (picture: PictureName) => recorded(PICTURES[picture].reading);

export interface Tool extends OpenApplication {
  file: Locator;
  extract: Locator;
  text: Locator;
  /** The text area itself, for its value and selection. */
  area: () => HTMLTextAreaElement;
  choose: (files: File | File[]) => Promise<void>;
  /** Clicks “Extract Text” and waits for the result. */
  read: () => Promise<void>;
}

export const openTool = async (options: OpenOptions = {}): Promise<Tool> =>
  toolOf(await openApplication('/', options));

/** The tool after a reload: the state in memory is lost, the browser's storage is not. */
export const reloadTool = async (tool: Tool): Promise<Tool> => toolOf(await reloadApplication(tool));

/** The tool of an application that is open at the start page. */
export async function toolOf(application: OpenApplication): Promise<Tool> {
  const input = () => document.querySelector<HTMLInputElement>('input[type=file]')!;
  const extract = page.getByRole('button', { name: 'Extract Text' });
  const text = page.getByRole('textbox', { name: 'Extracted text' });
  await expect.element(extract).toBeInTheDocument();
  return {
    ...application,
    file: page.elementLocator(input()),
    extract,
    text,
    area: () => text.element() as HTMLTextAreaElement,
    // Like the browser's file dialog. `upload` would send each file through the driver, which takes seconds for a large file.
    async choose(files) {
      const field = input();
      field.files = transferOf([files].flat()).files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    },
    async read() {
      await extract.click();
      await expect.element(page.getByRole('heading', { name: 'Extracted text' })).toBeVisible();
    },
  };
}

/** The tool with the result of a picture. The picture is visible, also on small screens where it has a separate tab. */
export async function openResult(
  picture: PictureName = 'note',
  { state = {}, ...options }: OpenOptions = {},
): Promise<Tool> {
  const tool = await openTool({ ...options, state: { extraction: readingOf(picture), ...state } });
  await tool.choose(await pictureFile(picture));
  await tool.read();
  const tab = page.getByRole('tab', { name: 'Picture' });
  if (tab.query()) await tab.click();
  await waitUntilStill(() => document.querySelector('.picture-viewport img'));
  const { lines } = state.extraction ?? readingOf(picture);
  // The boxes of the words are drawn after the picture.
  if (lines.length > 0 && document.querySelector('.word-boxes'))
    await expect.poll(() => document.querySelector('.word-boxes [data-piece]')).not.toBeNull();
  return tool;
}

/** Waits until an element exists and has not moved for three frames, so that the mouse can hit it. */
export async function waitUntilStill(find: () => Element | null): Promise<void> {
  let last = '';
  let frames = 0;
  await expect
    .poll(
      async () => {
        await new Promise(requestAnimationFrame);
        const place = JSON.stringify(find()?.getBoundingClientRect() ?? null);
        frames = place === last && place !== 'null' ? frames + 1 : 0;
        last = place;
        return frames;
      },
      { interval: 0 },
    )
    .toBeGreaterThanOrEqual(3);
}

const transferOf = (files: File[]): DataTransfer => {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
};

/** Drops files on an element, like a drag from the desktop. */
export function dropFiles(target: Element, files: File[]): void {
  const dataTransfer = transferOf(files);
  for (const type of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}

/** Pastes files anywhere on the page. */
export function pasteFiles(files: File[]): void {
  paste(document.body, transferOf(files));
}

/** Pastes a text into an element. Returns false if the page has prevented the browser's default action. */
export function pasteText(text: string, into: Element = document.body): boolean {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  return paste(into, data);
}

const paste = (into: Element, clipboardData: DataTransfer) =>
  into.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));

/** The center of an element in the frame, in CSS pixels. */
export function middleOf(element: Element): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** A promise and the function that resolves it: delays a response until a test has made its checks. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The file that an action downloads. */
export async function downloadBy(
  action: () => Promise<unknown>,
): Promise<{ name: string; bytes: Uint8Array; text: string }> {
  const download = commands.nextDownload();
  await action();
  const { name, base64 } = await download;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return { name, bytes, text: new TextDecoder().decode(bytes) };
}

export const clipboard = (): Promise<string> => navigator.clipboard.readText();
