import pdfiumAddress from '@hyzyla/pdfium/pdfium.wasm?url';
import type { Extraction } from '#contract/extraction';
import { ENGINE_PIXELS } from '#contract/product';
import { trustedScript } from '../../../workers/trusted-script.ts';
import type { DocumentAnswer, DocumentFailure, DocumentTask } from './document-worker.ts';
import { kindOf } from './file-kind.ts';
import pdfWorkerAddress from './pdf-worker.ts?worker&url';
import tiffWorkerAddress from './tiff-worker.ts?worker&url';

/** Pages of a document as pictures, made in a worker of this browser; nothing of it is sent anywhere. */

/** The largest document that is opened, in bytes: it is in memory as a whole. */
const MOST_BYTES = 100 * 1024 ** 2;
/** A page that takes longer than this comes to no end, in milliseconds. */
const PATIENCE_MS = 60_000;

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
  if (file.size > MOST_BYTES)
    throw new DocumentError(
      `It is larger than ${MOST_BYTES / 1024 ** 2} MB, which is too much for a browser. Split it first.`,
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

function inWorker(
  address: string,
  file: File,
  wasm: ArrayBuffer | null,
  { from, room, onCount, onPage, signal }: Opening,
): Promise<number[]> {
  const task: DocumentTask = { file, from, room, mostPixels: ENGINE_PIXELS, wasm };
  return new Promise((resolve, reject) => {
    const unreadable: number[] = [];
    const worker = new Worker(trustedScript(address), { type: 'module' });
    let patience: ReturnType<typeof setTimeout>;
    const end = (settle: () => void) => {
      clearTimeout(patience);
      worker.terminate();
      settle();
    };
    const wait = () => {
      clearTimeout(patience);
      patience = setTimeout(
        () => end(() => reject(new DocumentError('Its next page takes too long to draw.'))),
        PATIENCE_MS,
      );
    };
    worker.onmessage = ({ data }: MessageEvent<DocumentAnswer>) => {
      wait();
      if ('pages' in data) onCount(data.pages, data.last);
      else if ('page' in data) {
        const { number, picture, extraction } = data.page;
        onPage({ number, file: fileOf(picture, file.name, number), extraction });
      } else if ('unreadable' in data) unreadable.push(data.unreadable);
      else if ('failed' in data) end(() => reject(new DocumentError(WORDS[data.failed])));
      else end(() => resolve(unreadable));
    };
    worker.onerror = (event) =>
      end(() =>
        reject(
          event instanceof ErrorEvent
            ? new DocumentError(WORDS['cannot-draw'])
            : new Error('The worker could not be had'),
        ),
      );
    signal.addEventListener('abort', () => end(() => resolve(unreadable)), { once: true });
    wait();
    worker.postMessage(task, wasm ? [wasm] : []);
  });
}

function fileOf(picture: Blob, name: string, number: number): File {
  const base = name.replace(/\.[^.]*$/, '') || 'document';
  const extension = picture.type === 'image/png' ? 'png' : 'jpg';
  return new File([picture], `${base}-page-${number}.${extension}`, { type: picture.type });
}
