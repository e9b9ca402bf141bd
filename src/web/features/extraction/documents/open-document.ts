import pdfiumAddress from '@hyzyla/pdfium/pdfium.wasm?url';
import type { Extraction } from '#contract/extraction';
import { ENGINE_PIXELS } from '#contract/product';
import { callWorker, WorkerError } from '../../../workers/call-worker.ts';
import type { DocumentFailure, DocumentReport, DocumentTask } from './document-worker.ts';
import { kindOf } from './file-kind.ts';
import pdfWorkerAddress from './pdf-worker.ts?worker&url';
import tiffWorkerAddress from './tiff-worker.ts?worker&url';

/** Pages of a document as pictures, made in a worker; nothing is sent to a server. */

/** The largest document that is opened, in bytes: it is in memory as a whole. */
const MAX_BYTES = 100 * 1024 ** 2;
/** The longest time for one page, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Why the pages could not be opened, in words for a person. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

const WORDS: Readonly<Record<DocumentFailure, string>> = {
  encrypted: 'It is locked with a password. Open it, save or print it as a PDF without one, and choose that.',
  damaged: 'It is broken. It may not have been copied or downloaded whole: get it once more.',
  'no-pages': 'There is no page in it.',
  'cannot-draw':
    'This browser has too little room to draw its pages. Close other tabs, or try another browser.',
};

export interface DocumentPage {
  number: number;
  file: File;
  /** The page's own text; null where it has to be read. */
  extraction: Extraction | null;
}

interface Opening extends Pick<DocumentTask, 'from' | 'room'> {
  /** `last`: the last one that is opened now. */
  onCount: (pages: number, last: number) => void;
  onPage: (page: DocumentPage) => void;
  signal: AbortSignal;
}

/**
 * Resolves with the numbers of the pages that could not be drawn once the others are delivered, or once `signal` is
 * aborted. @throws {DocumentError}
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
  if (!answer.ok) throw new Error(`PDFium was answered with ${answer.status}`);
  return answer.arrayBuffer();
}

async function inWorker(
  address: string,
  file: File,
  wasm: ArrayBuffer | null,
  { from, room, onCount, onPage, signal }: Opening,
): Promise<number[]> {
  const task: DocumentTask = { file, from, room, mostPixels: ENGINE_PIXELS, wasm };
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
    if (error.why === 'crashed') throw new DocumentError(WORDS['cannot-draw']);
    throw new DocumentError(WORDS[error.message as DocumentFailure] ?? WORDS.damaged);
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
