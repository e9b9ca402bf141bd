/** Recognition of the pages of a file. */
import { itemAt } from '#formats/checked';
import { PdfError } from '#formats/pdf-file';
import type { Engine, PageList, Recognition } from '../library/engine.ts';
import { OcrError } from '../library/engine.ts';
import type { PageRange } from './command-line.ts';

export interface ReadPage {
  number: number;
  /** Number of pages of the document. */
  of: number;
  /** Whether a PDF page contains text. */
  hasText: boolean;
  recognition: Recognition;
  /** Words below the minimum confidence, which were left out. */
  leftOut: number;
}

/** A file or page that could not be read; `page` is set if only one page of several failed. */
export class ReadFailure extends Error {
  override name = 'ReadFailure';
  constructor(
    readonly code: string,
    message: string,
    readonly page?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface ReadingOptions {
  engine: Engine;
  languages: readonly string[];
  /** Minimum confidence in percent; words below it are left out. */
  minConfidence: number;
  /** Pages to read; all if undefined. */
  pages: readonly PageRange[] | undefined;
  /** Skip pages of a PDF that already contain text. */
  skipPagesWithText: boolean;
  slots: PageSlots;
  signal: AbortSignal;
}

/** A semaphore: limits the number of concurrent tasks; further tasks wait in FIFO order. */
export class PageSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

export interface OpenDocument {
  isPdf: boolean;
  /** Number of pages that were skipped, because they contain text. */
  skipped: number;
  /** One promise per page, in page order. */
  reads: Promise<ReadPage | ReadFailure>[];
}

/** @throws {ReadFailure} if nothing can be read */
export async function openDocument(
  bytes: Uint8Array,
  { engine, pages, skipPagesWithText, languages, minConfidence, slots, signal }: ReadingOptions,
): Promise<OpenDocument> {
  let list: PageList;
  try {
    list = await engine.pages(bytes, { signal });
  } catch (error) {
    throw failureOf(error);
  }
  const selected = list.pages
    .map(({ hasText }, index) => ({ hasText, number: index + 1 }))
    .filter(({ number }) => pages?.some(({ from, to }) => number >= from && number <= to) ?? true);
  if (selected.length === 0) throw new ReadFailure('no_such_page', `it has ${list.pages.length} pages only`);
  const several = list.pages.length > 1;
  const isPdf = list.unit === 'point';
  const pagesToRead = selected.filter(({ hasText }) => !(skipPagesWithText && isPdf && hasText));
  const reads = pagesToRead.map(({ hasText, number }) =>
    slots.take(async () => {
      try {
        const recognition = await engine.read(bytes, { page: number, languages, signal });
        const filtered = withoutDoubtful(recognition, minConfidence / 100);
        return { number, of: list.pages.length, hasText, ...filtered };
      } catch (error) {
        return failureOf(error, several ? number : undefined);
      }
    }),
  );
  return { isPdf, skipped: selected.length - pagesToRead.length, reads };
}

function withoutDoubtful(
  recognition: Recognition,
  minConfidence: number,
): Pick<ReadPage, 'recognition' | 'leftOut'> {
  let leftOut = 0;
  const lines = recognition.lines.flatMap((line) => {
    const words = line.words.filter(({ confidence }) => confidence >= minConfidence);
    leftOut += line.words.length - words.length;
    if (words.length === line.words.length) return [line];
    if (words.length === 0) return [];
    const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
    return [{ ...line, words, confidence, text: words.map(({ text }) => text).join(' ') }];
  });
  if (leftOut === 0) return { recognition, leftOut };
  const text = lines
    .map((line, at) =>
      at > 0 && itemAt(lines, at - 1).paragraph !== line.paragraph ? `\n${line.text}` : line.text,
    )
    .join('\n');
  // Hidden text refers to line numbers, which have changed.
  return { recognition: { ...recognition, lines, text, hidden: [] }, leftOut };
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  unsupported: 'not a picture or PDF that can be read',
  vector: 'an SVG drawing, which cannot be read; save it as PNG or PDF',
  damaged: 'damaged or incomplete',
  too_many_pixels: 'more pixels than can be read; make it smaller',
  too_costly: 'it takes too long to decode; save it again as an ordinary PNG, JPEG or PDF',
  encrypted: 'protected by a password; save it without one',
  too_many_pages: 'too many pages; split it',
  no_such_page: 'it does not have that page',
  language_unavailable: 'the data of a language is missing or unusable; see “glyphlift languages list”',
  timed_out: 'reading it took too long',
  crashed: 'the recognition process crashed',
};

const OPEN_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'a folder, not a file',
  ELOOP: 'a link or a pipe, not a file',
  ENXIO: 'a link or a pipe, not a file',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  EIO: 'the disk could not read it (I/O error)',
};

export function failureOf(error: unknown, page?: number): ReadFailure {
  if (error instanceof ReadFailure) return error;
  if (error instanceof PdfError) return new ReadFailure(error.code, error.message, page, { cause: error });
  if (error instanceof OcrError) {
    return new ReadFailure(error.code, READ_ERRORS[error.code] ?? error.message, page, { cause: error });
  }
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = OPEN_ERRORS[code ?? ''] ?? message;
  return new ReadFailure(typeof code === 'string' ? code.toLowerCase() : 'internal', reason, page, {
    cause: error,
  });
}
