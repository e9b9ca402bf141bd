/** What was read, as the files and lines that were asked for. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FORMATS, type FormatId } from '#contract/formats';
import { type Jpeg, readJpeg } from '#formats/jpeg';
import type { Material } from '#formats/material';
import { findTables } from '#formats/tables';
import { transcriptOf } from '#formats/transcript';
import { holdsTables, loadWriter } from '#formats/writers';
import type { Engine } from '../library/engine.ts';
import { toExtraction } from '../server/recognition/answer.ts';
import { ReadFailure as Failure, type ReadFailure, type ReadPage } from './documents.ts';

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
/** Pixels of the longer side of an A4 page at 300 dots an inch. */
const PICTURE_SIDE = 3508;
const QUALITY = 82;

interface WholeDocument {
  /** Shown in the file, and to people who open it. */
  name: string;
  bytes: Uint8Array;
  pages: readonly ReadPage[];
}

/**
 * A file's content.
 * @throws {ReadFailure} `no_table` where there is nothing to be written in this format
 */
export async function contentOf(
  format: OutputFormat,
  { name, bytes, pages }: WholeDocument,
  engine: Engine,
): Promise<string | Uint8Array> {
  if (format === 'text')
    return `${pages.map(({ recognition }) => recognition.text).join(`\n${NEXT_PAGE}`)}\n`;
  const materials: Material[] = [];
  for (const page of pages) {
    const transcript = transcriptOf({ extraction: toExtraction(page.recognition), name: basename(name) });
    const { needs } = FORMATS[format];
    materials.push({
      transcript,
      tables: holdsTables(format) ? findTables(transcript) : [],
      picture: needs === 'picture' ? await jpegOf(bytes, page, engine) : null,
      ...(page.points && { points: page.points }),
    });
  }
  if (FORMATS[format].needs === 'table' && materials.every(({ tables }) => tables.length === 0)) {
    throw new Failure('no_table', `no table was found to write as ${endingOf(format)}`);
  }
  return (await loadWriter(format))(materials);
}

/** The picture as it came where it is a JPEG, else drawn anew as one. */
async function jpegOf(bytes: Uint8Array, { number }: ReadPage, engine: Engine): Promise<Jpeg> {
  const own = readJpeg(bytes);
  if (own) return own;
  const png = await engine.picture(bytes, { page: number, maxSide: PICTURE_SIDE });
  const { default: sharp } = await import('sharp');
  const drawn = await sharp(png).flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).toBuffer();
  const jpeg = readJpeg(new Uint8Array(drawn));
  if (!jpeg) throw new Failure('internal', 'its picture cannot stand in a PDF');
  return jpeg;
}

/** One page as one line for programs. */
export function jsonLine(file: string, page: ReadPage | ReadFailure): string {
  if (page instanceof Failure) {
    const { code, message } = page;
    return JSON.stringify({ file, ...(page.page && { page: page.page }), error: { code, message } });
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

/** Under another name first: nobody sees half a file, whenever this ends. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { force }: { force: boolean },
): Promise<void> {
  if (!force && existsSync(file))
    throw new Failure('exists', `${file} is there already; --force writes over it`);
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  unfinished.add(draft);
  try {
    // Made at once: one that is still being made when a signal comes could not be taken away.
    closeSync(openSync(draft, 'w'));
    const handle = await open(draft, 'r+');
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

/** For whoever must end now. */
export const draftsLeft = (): string[] => [...unfinished];
