/**
 * The engine for other programs: `import { createEngine } from 'glyphlift/engine'`. These exports are the public
 * interface; docs/library.md says how it may change.
 */
import { OCR_ERRORS, OcrError } from '../ocr/errors.ts';
import { createEngine as createInnerEngine } from '../ocr/index.ts';
import type { Language, PageList, Recognition, Stage } from '../ocr/types.ts';

export type { OcrErrorCode } from '../ocr/errors.ts';
export type {
  Box,
  HiddenText,
  Language,
  Layout,
  LayoutCell,
  LayoutField,
  LayoutHeading,
  LayoutListItem,
  LayoutTable,
  Line,
  LineRun,
  Notice,
  NoticeCode,
  PageList,
  PageSize,
  Point,
  Recognition,
  Stage,
  Word,
  WordRun,
} from '../ocr/types.ts';
export { OCR_ERRORS, OcrError };

export interface EngineOptions {
  /** Pages that are read at once, each on a thread of its own; default: the machine's cores. */
  jobs?: number;
  /** Folders of `.traineddata` files, the first that has a language wins. English is built in. */
  languageFolders?: readonly string[];
  /** More pixels than this in a picture's header are refused; default 100 million. */
  maxPixels?: number;
  /** How long a page may be in work, in milliseconds; waiting for its turn does not count. Default: two minutes. */
  timeoutMs?: number;
  /** Bytes of memory that the reading process may hold; default by `jobs` and the machine's memory. */
  memoryLimit?: number;
  /**
   * Whether the process that opens pictures is kept from files, network and rights: as far as the system offers it (`auto`, the
   * default), not at all (`off`), or wholly, so that nothing is read where it cannot be had (`require`).
   */
  confinement?: 'auto' | 'off' | 'require';
}

export interface ReadOptions {
  /** Which page of a PDF or TIFF, counted from 1; default 1. A picture has one page. */
  page?: number;
  /**
   * Codes of `languages()`; default `['eng']`, at most five. With several, such as `['deu', 'eng']`, each line is read
   * in the language that fits it best; the first one weighs most, and each further one makes reading slower.
   */
  languages?: readonly string[];
  /** Leave out text of interfaces, icons and noise; default true. What was left out is in `hidden`. */
  filter?: boolean;
  /** Gives the page up: the promise rejects with `aborted`. */
  signal?: AbortSignal;
  onStage?: (stage: Stage) => void;
}

export interface PictureOptions {
  page?: number;
  /** Pixels of the longer side at most; default 4,000. A picture is never enlarged. */
  maxSide?: number;
  signal?: AbortSignal;
}

export interface Engine extends AsyncDisposable {
  /**
   * Reads one page of a picture, PDF or TIFF. The bytes are neither changed nor kept.
   * @throws {OcrError} with a code of `OCR_ERRORS`; a page without text is an empty text and no error
   * @throws {TypeError} for anything but bytes, such as a path
   */
  read(document: Uint8Array, options?: ReadOptions): Promise<Recognition>;
  /** The pages of a document. A picture has one. @throws {OcrError} */
  pages(document: Uint8Array, options?: { signal?: AbortSignal }): Promise<PageList>;
  /** A page as a PNG, upright, as it is read. @throws {OcrError} */
  picture(document: Uint8Array, options?: PictureOptions): Promise<Uint8Array>;
  /** The available languages, by English name. */
  languages(): Promise<Language[]>;
  /** Resolves once a page can be read; the first `read` waits for it by itself. @throws {OcrError} */
  ready(): Promise<void>;
  /** Lets pages in work finish, refuses new ones, and ends the process. Without it, it ends with this one. */
  close(): Promise<void>;
}

/** The caller decides how many pages wait, and for how long. */
const NO_LIMIT = 2 ** 31 - 1;
const TWO_MINUTES_MS = 120_000;
const MOST_PIXELS = 100_000_000;
const PICTURE_SIDE = 4_000;

/** By its name: a `Uint8Array` of another realm, as test runners make them, is one too. */
function bytesOf(document: Uint8Array): Uint8Array {
  if (Object.prototype.toString.call(document) === '[object Uint8Array]') return document;
  const given = document === null ? 'null' : typeof document;
  throw new TypeError(
    `the engine reads the bytes of a file, as a Uint8Array or Buffer, and was given: ${given}`,
  );
}

/** An engine whose work is done in a process of its own, which starts with the first page or `ready()`. */
export function createEngine(options: EngineOptions = {}): Engine {
  const timeoutMs = options.timeoutMs ?? TWO_MINUTES_MS;
  const inner = createInnerEngine({
    maxPixels: options.maxPixels ?? MOST_PIXELS,
    ...(options.jobs !== undefined && { concurrency: options.jobs }),
    queueLimit: NO_LIMIT,
    premiumReserve: 0,
    waitMs: NO_LIMIT,
    timeoutMs,
    previewTimeoutMs: timeoutMs,
    languageDirs: options.languageFolders ?? [],
    ...(options.memoryLimit !== undefined && { memoryLimit: options.memoryLimit }),
    ...(options.confinement && { confinement: options.confinement }),
  });
  return {
    read: async (document, { page = 1, ...looks }: ReadOptions = {}) =>
      inner.recognize(bytesOf(document), { ...looks, page }),
    pages: async (document, looks = {}) => inner.pages(bytesOf(document), looks),
    picture: async (document, { page = 1, maxSide = PICTURE_SIDE, ...looks }: PictureOptions = {}) =>
      inner.preview(bytesOf(document), maxSide, { ...looks, page }),
    languages: () => inner.languages(),
    ready: () => inner.ready(),
    close: () => inner.close(),
    [Symbol.asyncDispose]: () => inner.close(),
  };
}
