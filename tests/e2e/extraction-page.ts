import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extractText } from '#contract/calls/recognition';
import type { Extraction } from '#contract/extraction';
import { waitForHydration } from './people.ts';

const folder = join(import.meta.dirname, 'fixtures');

export const NOTE = join(folder, 'note.png');
export const SKY = join(folder, 'sky.png');

/** Page object of the extraction tool. */
export interface Tool {
  file: Locator;
  extract: Locator;
  text: Locator;
  toast: Locator;
  choose: (picture: string | TestFile) => Promise<void>;
  /** Clicks the button and waits for the result. */
  read: () => Promise<void>;
  /** Opens the recorded result of a sample, which sends and counts nothing. */
  openSample: (name: 'Receipt' | 'Table' | 'Code') => Promise<void>;
}

export async function openTool(page: Page): Promise<Tool> {
  await page.goto('/');
  const file = page.locator('input[type=file]');
  const extract = page.getByRole('button', { name: 'Extract Text' });
  const text = page.getByRole('textbox', { name: 'Extracted text' });
  const toast = page.getByRole('region', { name: /notifications/i }).getByRole('listitem');
  const result = page.getByRole('heading', { name: 'Extracted text' });
  await waitForHydration(page);
  return {
    file,
    extract,
    text,
    toast,
    choose: (picture) => file.setInputFiles(typeof picture === 'string' ? picture : payloadOf(picture)),
    async read() {
      await extract.click();
      await result.waitFor({ timeout: 30_000 });
    },
    async openSample(name) {
      await page.getByRole('group', { name: 'Samples' }).getByRole('button', { name }).click();
      await result.waitFor();
    },
  };
}

/** Chooses an image in the file dialog that `open` opens. */
export async function chooseInDialog(page: Page, open: () => Promise<void>, picture: string): Promise<void> {
  const dialog = page.waitForEvent('filechooser');
  // Ensures that the file chooser is intercepted before the press.
  await page.evaluate(() => {});
  await open();
  await (await dialog).setFiles(picture);
}

interface TestFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export const note: TestFile = { name: 'note.png', type: 'image/png', bytes: readFileSync(NOTE) };

/** An in-memory file for Playwright. */
export const payloadOf = ({ name, type, bytes }: TestFile) => ({ name, mimeType: type, buffer: bytes });

/** The same picture with other bytes: data after the end of a PNG is ignored. */
export const copyOfNote = (number: number): TestFile => ({
  ...note,
  bytes: Buffer.concat([note.bytes, Buffer.from(`copy ${number}`)]),
});

/** Drops files on an element. */
export async function dropFiles(target: Locator, files: TestFile[]): Promise<void> {
  const transfer = await transferOf(target.page(), files);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer: transfer });
  }
}

/** Pastes files anywhere on the page. */
export async function pasteFiles(page: Page, files: TestFile[]): Promise<void> {
  const transfer = await transferOf(page, files);
  await page.evaluate((clipboardData) => {
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, transfer);
}

function transferOf(page: Page, files: TestFile[]) {
  return page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      return transfer;
    },
    files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') })),
  );
}

/** Gives the page the camera input of phones, which this browser lacks. */
export const haveCamera = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(HTMLInputElement.prototype, 'capture', { writable: true }));

/**
 * Changes the server's response to an upload. The page uploads by XMLHttpRequest, because of the progress events, so
 * `fetch` need not be changed. `change` runs in the page.
 */
export async function changeExtraction<With>(
  page: Page,
  change: (extraction: Extraction, changes: With) => void,
  changes: With,
): Promise<void> {
  await page.addInitScript(
    `(${installChange.toString()})(${change.toString()}, ${JSON.stringify([changes, extractText.path])})`,
  );
}

/** Serialized into the page. */
function installChange(
  change: (extraction: Extraction, changes: unknown) => void,
  [changes, path]: unknown[],
) {
  const { get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText') ?? {};
  Object.defineProperty(XMLHttpRequest.prototype, 'responseText', {
    get(this: XMLHttpRequest) {
      const text: string = get?.call(this);
      if (this.status !== 200 || !this.responseURL.endsWith(String(path))) return text;
      const extraction: Extraction = JSON.parse(text);
      change(extraction, changes);
      return JSON.stringify(extraction);
    },
  });
}

/** Records every percentage that the button shows. */
export async function recordPercentages(page: Page): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle(() => {
    const percentages: number[] = [];
    new MutationObserver(() => {
      for (const button of document.querySelectorAll('button')) {
        const percentage = /^Processing\.\.\. (\d+)%$/.exec(button.textContent ?? '')?.[1];
        if (percentage !== undefined && percentages.at(-1) !== Number(percentage))
          percentages.push(Number(percentage));
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    return percentages;
  });
  return () => seen.jsonValue();
}
