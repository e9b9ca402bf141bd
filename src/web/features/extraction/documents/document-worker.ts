import type { Extraction } from '#contract/extraction';

/*
 * The messages of the document workers. `pdf-worker.ts` and `tiff-worker.ts` each open one kind, so that neither loads
 * the other's code.
 */

export interface DocumentTask {
  file: Blob;
  /** The first page that is wanted, from 1. */
  from: number;
  /** How many pages may be opened while the document keeps its own place, which its last page may take. */
  room: number;
  /** More pixels than these a page does not get. */
  mostPixels: number;
  /** Of PDFium, for a PDF: the worker itself may fetch nothing. */
  wasm: ArrayBuffer | null;
}

/** A page as a picture, with its text where the document holds it. */
export interface OpenedPage {
  /** From 1. */
  number: number;
  picture: Blob;
  /** In pixels of the picture; null where there is none that could be used. */
  extraction: Extraction | null;
}

export type DocumentFailure = 'encrypted' | 'damaged' | 'no-pages' | 'cannot-draw';

export type DocumentReport =
  /** `last`: the last one that is opened now. */
  | { pages: number; last: number }
  | { page: OpenedPage }
  /** The page is left out. */
  | { unreadable: number };

/**
 * Opens the pages that are wanted one after another. One that cannot be opened is reported and left out.
 * @param isFatal after such an error there is nothing to go on with
 */
export async function openPages(
  { from, room }: DocumentTask,
  pages: number,
  report: (report: DocumentReport) => void,
  open: (number: number) => Promise<Omit<OpenedPage, 'number'>>,
  isFatal = (_error: unknown) => false,
): Promise<void> {
  const last = pages - from < room + 1 ? pages : from + room - 1;
  report({ pages, last });
  for (let number = from; number <= last; number += 1) {
    try {
      report({ page: { number, ...(await open(number)) } });
    } catch (error) {
      if (isFatal(error)) throw error;
      report({ unreadable: number });
    }
  }
}

/** Why a document cannot be opened. Any other error of a worker means that it is damaged. */
export class Unopened extends Error {
  override name = 'Unopened';
  constructor(why: DocumentFailure) {
    super(why);
  }
}

/** The server's upload limit, minus room for the rest of the form. */
const MAX_BYTES = 9 * 1024 ** 2;
const JPEG = { type: 'image/jpeg', quality: 0.92 } as const;

/** `photographed`: a scan is lossy already, and would be large as PNG. */
export async function encoded(canvas: OffscreenCanvas, photographed: boolean): Promise<Blob> {
  if (photographed) return canvas.convertToBlob(JPEG);
  const whole = await canvas.convertToBlob({ type: 'image/png' });
  return whole.size <= MAX_BYTES ? whole : canvas.convertToBlob(JPEG);
}

export function canvasOf(width: number, height: number) {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Unopened('cannot-draw');
  return context;
}
