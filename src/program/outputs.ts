/** Writes results as files of the requested formats and as lines of JSON. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FORMATS, type FormatId } from '#contract/formats';
import { positionedTextOf } from '#formats/positioned-text';
import { findTables } from '#formats/tables';
import type { WriterInput } from '#formats/writer-input';
import { loadWriter, needsTables } from '#formats/writers';
import { toExtraction } from '../answer/answer.ts';
import type { Engine } from '../library/engine.ts';
import { replaceFile } from './atomic-file.ts';
import { ReadFailure as Failure, type ReadFailure, type ReadPage } from './documents.ts';
import { makeFolderBelow } from './folders.ts';
import type { PdfOptions } from './pdf-output.ts';

/** The file formats, and plain text. */
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

export const extensionOf = (format: OutputFormat) => (format === 'text' ? 'txt' : FORMATS[format].extension);

export const isBinary = (format: OutputFormat) => format === 'pdf' || format === 'docx' || format === 'xlsx';

/** Page separator, as in tesseract and pdftotext. */
const NEXT_PAGE = '\f';

interface WholeDocument {
  /** Document title. */
  name: string;
  bytes: Uint8Array;
  isPdf: boolean;
  pages: readonly ReadPage[];
}

export interface Content {
  content: string | Uint8Array;
  /** Number of PDF pages that stay unchanged, because they already contain text. */
  unchangedPages: number;
}

/**
 * The content of an output file.
 * @throws {ReadFailure} `no_table` for a table format without a table
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
      unchangedPages: 0,
    };
  if (format === 'pdf' && isPdf)
    return (await import('./pdf-output.ts')).withTextLayer(document, engine, pdf);
  const writerInputs: WriterInput[] = [];
  for (const page of pages) {
    const positionedText = positionedTextOf({
      extraction: toExtraction(page.recognition),
      name: basename(name),
    });
    const { needs } = FORMATS[format];
    writerInputs.push({
      positionedText,
      tables: needsTables(format) ? findTables(positionedText) : [],
      picture:
        needs === 'picture'
          ? await (await import('./pdf-output.ts')).jpegOf(document.bytes, page, engine)
          : null,
    });
  }
  if (FORMATS[format].needs === 'table' && writerInputs.every(({ tables }) => tables.length === 0)) {
    throw new Failure('no_table', `no table was found to write as ${extensionOf(format)}`);
  }
  const content = await (await loadWriter(format))(writerInputs);
  if (format !== 'pdf' || !pdf.pdfa || typeof content === 'string') return { content, unchangedPages: 0 };
  return { content: await (await import('./pdf-output.ts')).asPdfA(content), unchangedPages: 0 };
}

/** A page as a line of NDJSON. */
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

interface WriteOptions {
  force: boolean;
  /** Output folder: missing folders below it are created, and symlinks of other users are not followed. */
  root?: string;
}

/**
 * Writes a file atomically, with its missing folders.
 * @throws {ReadFailure} with the path
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { force, root = dirname(file) }: WriteOptions,
): Promise<void> {
  if (!force && existsSync(file)) throw fileExistsError(file);
  try {
    await makeFolderBelow(root, dirname(file));
    await replaceFile(file, content);
  } catch (error) {
    throw writingFailure(file, error);
  }
}

export const fileExistsError = (file: string) =>
  new Failure('exists', `${file} already exists; use --force to overwrite`);

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large for the file system',
  ENOENT: 'no such folder',
  ENOTDIR: 'a file is in the way of a folder',
  EEXIST: 'a file is in the way of a folder',
  EISDIR: 'a folder has that name',
  ENOTEMPTY: 'a folder has that name',
  ELOOP: 'a symbolic link of another user is in the way',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
};

/** Why a file could not be written, with the target path. */
export function writingFailure(place: string, error: unknown): ReadFailure {
  const { code = 'internal', message } = error as NodeJS.ErrnoException;
  return new Failure(
    code.toLowerCase(),
    `${place} cannot be written: ${WRITE_ERRORS[code] ?? message}`,
    undefined,
    {
      cause: error,
    },
  );
}
