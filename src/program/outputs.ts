/** Results as the requested files and lines. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FORMATS, type FormatId } from '#contract/formats';
import type { Material } from '#formats/material';
import { findTables } from '#formats/tables';
import { transcriptOf } from '#formats/transcript';
import { holdsTables, loadWriter } from '#formats/writers';
import { toExtraction } from '../answer/answer.ts';
import type { Engine } from '../library/engine.ts';
import { ReadFailure as Failure, type ReadFailure, type ReadPage } from './documents.ts';
import { makeFolderBelow } from './folders.ts';
import type { PdfOptions } from './pdf-output.ts';

/** `text` beside the formats of the product; `md` is what people type for Markdown. */
export type OutputFormat = 'text' | FormatId;

const NAMES: Readonly<Record<string, OutputFormat>> = {
  text: 'text',
  txt: 'text',
  md: 'markdown',
  ...Object.fromEntries(Object.keys(FORMATS).map((id) => [id, id as FormatId])),
};

export const FORMAT_NAMES = ['text', 'md', 'json', 'hocr', 'alto', 'pdf', 'csv', 'docx', 'xlsx'] as const;

export const formatNamed = (name: string): OutputFormat | undefined =>
  Object.hasOwn(NAMES, name.toLowerCase()) ? NAMES[name.toLowerCase()] : undefined;

export const endingOf = (format: OutputFormat) => (format === 'text' ? 'txt' : FORMATS[format].extension);

export const isBinary = (format: OutputFormat) => format === 'pdf' || format === 'docx' || format === 'xlsx';

/** Between pages, as tesseract and pdftotext have it. */
const NEXT_PAGE = '\f';

interface WholeDocument {
  /** Shown in the file, and to people who open it. */
  name: string;
  bytes: Uint8Array;
  isPdf: boolean;
  pages: readonly ReadPage[];
}

export interface Content {
  content: string | Uint8Array;
  /** Pages of a PDF that were read and then left as they are, because they hold text. */
  left: number;
}

/**
 * A file's content.
 * @throws {ReadFailure} `no_table` where there is nothing to be written in this format
 */
export async function contentOf(
  format: OutputFormat,
  document: WholeDocument,
  engine: Engine,
  pdf: PdfOptions,
): Promise<Content> {
  const { name, pages, isPdf } = document;
  if (format === 'text')
    return {
      content: `${pages.map(({ recognition }) => recognition.text).join(`\n${NEXT_PAGE}`)}\n`,
      left: 0,
    };
  if (format === 'pdf' && isPdf)
    return (await import('./pdf-output.ts')).withTextLayer(document, engine, pdf);
  const materials: Material[] = [];
  for (const page of pages) {
    const transcript = transcriptOf({ extraction: toExtraction(page.recognition), name: basename(name) });
    const { needs } = FORMATS[format];
    materials.push({
      transcript,
      tables: holdsTables(format) ? findTables(transcript) : [],
      picture:
        needs === 'picture'
          ? await (await import('./pdf-output.ts')).jpegOf(document.bytes, page, engine)
          : null,
    });
  }
  if (FORMATS[format].needs === 'table' && materials.every(({ tables }) => tables.length === 0)) {
    throw new Failure('no_table', `no table was found to write as ${endingOf(format)}`);
  }
  const content = await (await loadWriter(format))(materials);
  if (format !== 'pdf' || !pdf.pdfa || typeof content === 'string') return { content, left: 0 };
  return { content: await (await import('./pdf-output.ts')).asPdfA(content), left: 0 };
}

/** One page as one line for programs. */
export function jsonLine(file: string, page: ReadPage | ReadFailure): string {
  if (page instanceof Failure) {
    const { code, message } = page;
    return JSON.stringify({ file, page: page.page ?? null, error: { code, message } });
  }
  const { lines, extractedText, ...extraction } = toExtraction(page.recognition);
  return JSON.stringify({
    file,
    page: page.number,
    pages: page.of,
    text: extractedText,
    confidence: extraction.confidence,
    words: lines.flatMap(({ words, paragraph }, line) => words.map((word) => ({ ...word, line, paragraph }))),
    leftOut: page.leftOut,
    ...extraction.image,
    language: extraction.language,
    notices: extraction.notices,
    durationMs: extraction.durationMs,
  });
}

const unfinished = new Set<string>();

interface Writing {
  force: boolean;
  /** The folder that was named for results; folders between it and the file are made, and no foreign link in it followed. */
  below?: string;
}

/**
 * Written under another name first: no reader sees half a file, whenever this ends.
 * @throws {ReadFailure} which names the file
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { force, below = dirname(file) }: Writing,
): Promise<void> {
  if (!force && existsSync(file)) throw fileExistsError(file);
  try {
    await makeFolderBelow(below, dirname(file));
    await writeDraftOf(file, content);
  } catch (error) {
    throw writingFailure(file, error);
  }
}

async function writeDraftOf(file: string, content: string | Uint8Array): Promise<void> {
  // A name that others can guess could be laid in wait as a link.
  const draft = join(dirname(file), `.${randomBytes(8).toString('hex')}.part`);
  unfinished.add(draft);
  try {
    // Made at once: one that is still being made when a signal comes could not be taken away.
    closeSync(openSync(draft, 'wx'));
    const handle = await open(draft, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    unfinished.delete(draft);
  }
}

/** For an exit that cannot wait. */
export const pendingTempFiles = (): string[] => [...unfinished];

export const fileExistsError = (file: string) =>
  new Failure('exists', `${file} is there already; --force writes over it`);

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  EACCES: 'this is not permitted',
  EPERM: 'this is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left of what this user may have',
  EFBIG: 'it is larger than a file may be there',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a file stands where a folder is needed',
  EEXIST: 'a file stands where a folder is needed',
  EISDIR: 'a folder has that name',
  ENOTEMPTY: 'a folder has that name',
  ELOOP: 'a link of somebody else stands in the way',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
};

/** Why something could not be written, with the place that it was to go to. */
export function writingFailure(place: string, error: unknown): ReadFailure {
  const { code = 'internal', message } = error as NodeJS.ErrnoException;
  return new Failure(
    code.toLowerCase(),
    `${place} cannot be written: ${NOT_WRITTEN[code] ?? message}`,
    undefined,
    {
      cause: error,
    },
  );
}
