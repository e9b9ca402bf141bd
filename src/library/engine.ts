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
  /** Number of pages read in parallel, each on its own thread; default: the number of cores. */
  jobs?: number;
  /** Folders of `.traineddata` files; for each language the first folder that has it counts. English is built in. */
  languageFolders?: readonly string[];
  /** Maximum pixels of an image, by its header; default 100 million. */
  maxPixels?: number;
  /** Time limit of a page in milliseconds, without its time in the queue. Default: two minutes. */
  timeoutMs?: number;
  /** Memory limit of the recognition process in bytes; default by `jobs` and the machine's memory. */
  memoryLimit?: number;
  /**
   * Sandbox of the process that decodes images, against access to files, network and privileges: as far as the system allows
   * (`auto`, the default), none (`off`), or required: reading fails if the sandbox is incomplete (`require`).
   */
  confinement?: 'auto' | 'off' | 'require';
}

export interface ReadOptions {
  /** Page of a PDF or TIFF, from 1; default 1. An image has one page. */
  page?: number;
  /**
   * Codes of `languages()`; default `['eng']`, at most five. With several, such as `['deu', 'eng']`, each line is read in the
   * language that fits it best; the first language has the highest weight, and each further one makes reading slower.
   */
  languages?: readonly string[];
  /** Leave out text of user interfaces, icons and noise; default true. Hidden text is in `hidden`. */
  filter?: boolean;
  /** Aborts reading: the promise rejects with `aborted`. */
  signal?: AbortSignal;
  onStage?: (stage: Stage) => void;
}

export interface PictureOptions {
  page?: number;
  /** Maximum length of the longer side in pixels; default 4,000. Images are never enlarged. */
  maxSide?: number;
  signal?: AbortSignal;
}

export interface Engine extends AsyncDisposable {
  /**
   * Reads one page of an image, PDF or TIFF. The bytes are neither changed nor kept.
   * @throws {OcrError} with a code of `OCR_ERRORS`; a page without text is not an error
   * @throws {TypeError} for anything but bytes, such as a path
   */
  read(document: Uint8Array, options?: ReadOptions): Promise<Recognition>;
  /** The pages of a document. A picture has one. @throws {OcrError} */
  pages(document: Uint8Array, options?: { signal?: AbortSignal }): Promise<PageList>;
  /** Renders a page as an upright PNG. @throws {OcrError} */
  picture(document: Uint8Array, options?: PictureOptions): Promise<Uint8Array>;
  /** The available languages, by English name. */
  languages(): Promise<Language[]>;
  /** Resolves once pages can be read. Optional, because `read` waits for it. @throws {OcrError} */
  ready(): Promise<void>;
  /** Finishes running pages, rejects new ones, and ends the recognition process. Without it, that process ends with this one. */
  close(): Promise<void>;
}

/** Unlimited queue: the caller decides how many pages wait. */
const NO_LIMIT = 2 ** 31 - 1;
const TWO_MINUTES_MS = 120_000;
const MAX_PIXELS = 100_000_000;
const PICTURE_SIDE = 4_000;

/** Checks by name, because a `Uint8Array` may come from another realm, as in test runners. */
function bytesOf(document: Uint8Array): Uint8Array {
  if (Object.prototype.toString.call(document) === '[object Uint8Array]') return document;
  const given = document === null ? 'null' : typeof document;
  throw new TypeError(
    `the engine reads the bytes of a file, as a Uint8Array or Buffer, and was given: ${given}`,
  );
}

/** Creates an engine that works in a child process, started by the first page or `ready()`. */
export function createEngine(options: EngineOptions = {}): Engine {
  const timeoutMs = options.timeoutMs ?? TWO_MINUTES_MS;
  const inner = createInnerEngine({
    maxPixels: options.maxPixels ?? MAX_PIXELS,
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
    read: async (document, { page = 1, ...rest }: ReadOptions = {}) =>
      inner.recognize(bytesOf(document), { ...rest, page }),
    pages: async (document, rest = {}) => inner.pages(bytesOf(document), rest),
    picture: async (document, { page = 1, maxSide = PICTURE_SIDE, ...rest }: PictureOptions = {}) =>
      inner.preview(bytesOf(document), maxSide, { ...rest, page }),
    languages: () => inner.languages(),
    ready: () => inner.ready(),
    close: () => inner.close(),
    [Symbol.asyncDispose]: () => inner.close(),
  };
}
