import type { Extraction } from '#contract/extraction';

/*
 * The messages of the document workers. `pdf-worker.ts` and `tiff-worker.ts` are separate, so that neither loads the
 * other's code.
 */

export interface DocumentTask {
  file: Blob;
  /** Number of the first page to open, from 1. */
  from: number;
  /** Maximum number of pages while the document's item stays in the list. The last page may replace the item. */
  room: number;
  /** Maximum number of pixels of a page. */
  maxPixels: number;
  /** The WebAssembly of PDFium, for a PDF: the worker may not fetch it. */
  wasm: ArrayBuffer | null;
}

/** A page as a picture, with its text layer if the document has one. */
export interface OpenedPage {
  /** Page number from 1. */
  number: number;
  picture: Blob;
  /** The text layer, with boxes in pixels of the picture; null without a usable one. */
  extraction: Extraction | null;
}

export type DocumentFailure = 'encrypted' | 'damaged' | 'no-pages' | 'cannot-draw';

export type DocumentReport =
  /** `last`: number of the last page that is opened now. */
  | { pages: number; last: number }
  | { page: OpenedPage }
  /** Number of a page that cannot be opened and is skipped. */
  | { unreadable: number };

/**
 * Opens the requested pages one after another. A page that cannot be opened is reported and skipped.
 * @param isFatal whether an error prevents that further pages are opened
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

/** The reason why a document cannot be opened. Any other error of a worker means that the document is damaged. */
export class DocumentOpenError extends Error {
  override name = 'DocumentOpenError';
  constructor(reason: DocumentFailure) {
    super(reason);
  }
}

/** The server's upload limit, minus space for the rest of the form. */
const MAX_BYTES = 9 * 1024 ** 2;
const JPEG = { type: 'image/jpeg', quality: 0.92 } as const;

/** Encodes a page as PNG, or as JPEG if it is large or `isPhoto`: a scan is lossy already and would be large as PNG. */
export async function encoded(canvas: OffscreenCanvas, isPhoto: boolean): Promise<Blob> {
  if (isPhoto) return canvas.convertToBlob(JPEG);
  const whole = await canvas.convertToBlob({ type: 'image/png' });
  return whole.size <= MAX_BYTES ? whole : canvas.convertToBlob(JPEG);
}

export function canvasOf(width: number, height: number) {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new DocumentOpenError('cannot-draw');
  return context;
}
