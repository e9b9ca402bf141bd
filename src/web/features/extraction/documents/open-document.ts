import pdfiumAddress from '@hyzyla/pdfium/pdfium.wasm?url';
import type { Extraction } from '#contract/extraction';
import { ENGINE_PIXELS } from '#contract/product';
import { callWorker, WorkerError } from '../../../workers/call-worker.ts';
import type { DocumentFailure, DocumentReport, DocumentTask } from './document-worker.ts';
import { kindOf } from './file-kind.ts';
import pdfWorkerAddress from './pdf-worker.ts?worker&url';
import tiffWorkerAddress from './tiff-worker.ts?worker&url';

/** Opens the pages of a document as pictures, in a worker. Nothing is sent to a server. */

/** Maximum bytes of a document, because it is completely in memory. */
const MAX_BYTES = 100 * 1024 ** 2;
/** Maximum time for one page. */
const TIMEOUT_MS = 60_000;

/** The pages could not be opened. The message is for the user. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

const MESSAGES: Readonly<Record<DocumentFailure, string>> = {
  encrypted: 'It is locked with a password. Open it, save or print it as a PDF without one, and choose that.',
  damaged: 'It is broken. It may not have been copied or downloaded completely: download it again.',
  'no-pages': 'It has no pages.',
  'cannot-draw':
    'This browser has too little memory to draw its pages. Close other tabs, or try another browser.',
};

export interface DocumentPage {
  number: number;
  file: File;
  /** The text layer of the page; null if the page has to be recognized. */
  extraction: Extraction | null;
}

interface Opening extends Pick<DocumentTask, 'from' | 'room'> {
  /** `last`: number of the last page that is opened now. */
  onCount: (pages: number, last: number) => void;
  onPage: (page: DocumentPage) => void;
  signal: AbortSignal;
}

/**
 * Delivers the pages to `onPage`. Resolves after the last page, or when `signal` is aborted, with the numbers of the pages
 * that could not be drawn. @throws {DocumentError}
 */
export async function openDocument(file: File, opening: Opening): Promise<number[]> {
  if (typeof Worker !== 'function' || typeof OffscreenCanvas !== 'function')
    throw new DocumentError('This browser cannot draw its pages. Try another, or a newer one.');
  if (file.size > MAX_BYTES)
    throw new DocumentError(
      `It is larger than ${MAX_BYTES / 1024 ** 2} MB, which is too much for a browser. Split it first.`,
    );
  const kind = await kindOf(file);
  const isPdf = kind?.is !== 'picture';
  const wasm = isPdf ? await pdfium() : null;
  return inWorker(isPdf ? pdfWorkerAddress : tiffWorkerAddress, file, wasm, opening);
}

async function pdfium(): Promise<ArrayBuffer> {
  const answer = await fetch(pdfiumAddress);
  if (!answer.ok) throw new Error(`PDFium could not be fetched: status ${answer.status}`);
  return answer.arrayBuffer();
}

async function inWorker(
  address: string,
  file: File,
  wasm: ArrayBuffer | null,
  { from, room, onCount, onPage, signal }: Opening,
): Promise<number[]> {
  const task: DocumentTask = { file, from, room, maxPixels: ENGINE_PIXELS, wasm };
  const unreadable: number[] = [];
  if (signal.aborted) return unreadable;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  signal.addEventListener('abort', stop, { once: true });
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timeout);
    timeout = setTimeout(stop, TIMEOUT_MS);
  };
  wait();
  try {
    await callWorker<DocumentTask, void, DocumentReport>(address, task, {
      transfer: wasm ? [wasm] : [],
      signal: stopping.signal,
      onReport(report) {
        wait();
        if ('pages' in report) onCount(report.pages, report.last);
        else if ('unreadable' in report) unreadable.push(report.unreadable);
        else {
          const { number, picture, extraction } = report.page;
          onPage({ number, file: fileOf(picture, file.name, number), extraction });
        }
      },
    });
  } catch (error) {
    if (signal.aborted) return unreadable;
    if (stopping.signal.aborted) throw new DocumentError('Its next page takes too long to draw.');
    if (!(error instanceof WorkerError) || error.why === 'not-loaded') throw error;
    if (error.why === 'crashed') throw new DocumentError(MESSAGES['cannot-draw']);
    throw new DocumentError(MESSAGES[error.message as DocumentFailure] ?? MESSAGES.damaged);
  } finally {
    clearTimeout(timeout);
  }
  return unreadable;
}

function fileOf(picture: Blob, name: string, number: number): File {
  const base = name.replace(/\.[^.]*$/, '') || 'document';
  const extension = picture.type === 'image/png' ? 'png' : 'jpg';
  return new File([picture], `${base}-page-${number}.${extension}`, { type: picture.type });
}
