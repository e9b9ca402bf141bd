import { type AnswerFormatId, needsTable } from '#contract/answer-format';
import { extractionSchema } from '#contract/extraction';
import { FORMATS } from '#contract/formats';
import { firstOf, itemAt } from '#formats/checked';
import { PdfError } from '#formats/pdf-file';
import { readPng, readTransparentPng } from '#formats/png';
import { positionedTextOf } from '#formats/positioned-text';
import { findTables } from '#formats/tables';
import type { WriterInput } from '#formats/writer-input';
import { loadWriter, needsTables } from '#formats/writers';

export interface ReadPage {
  number: number;
  file: number;
  page: number;
  /** The reading, as JSON in UTF-8. */
  extraction: Uint8Array<ArrayBuffer>;
  name: string;
}

/** Image of a PDF result: embedded unchanged from the file, or the page rendered as a PNG. */
export type PagePicture = { embedded: NonNullable<WriterInput['picture']> } | { rendered: Uint8Array };

/** The part of a PDF result made from one file of the job: the PDF itself, or an image per page. */
export type PdfPart = { pages: readonly ReadPage[] } & (
  | { document: Uint8Array }
  | { pictures: readonly PagePicture[] }
);

/** Input of the worker thread that writes a result. */
export type ResultTask =
  | { format: Exclude<AnswerFormatId, 'pdf'>; id: string; pages: readonly ReadPage[] }
  | { format: 'pdf'; parts: readonly PdfPart[] };

/** User message: why a PDF cannot be changed without loss. */
export interface Refusal {
  refused: string;
}

/** Separates the texts of pages: a form feed. */
const FORM_FEED = '\f';

/** One document of all pages, in order. Null for a table format if no table was found. */
export async function writeResult(task: ResultTask): Promise<Uint8Array<ArrayBuffer> | Refusal | null> {
  try {
    const content = task.format === 'pdf' ? await writePdf(task.parts) : await write(task);
    if (content === null) return null;
    return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  } catch (error) {
    if (error instanceof PdfError) return { refused: error.message };
    throw error;
  }
}

/** Joins several files to one PDF of all their pages. @throws {PdfError} */
async function writePdf(parts: readonly PdfPart[]): Promise<Uint8Array> {
  const { addTextLayer, joinPdfs } = await import('#formats/text-layer/text-layer');
  const files: Uint8Array[] = [];
  for (const part of parts) {
    const positionedTexts = extractionsOf(part.pages).map((extraction, at) =>
      positionedTextOf({ extraction, name: itemAt(part.pages, at).name }),
    );
    if ('document' in part) {
      const pages = positionedTexts.map((positionedText, at) => ({
        number: itemAt(part.pages, at).page,
        positionedText,
      }));
      files.push((await addTextLayer(part.document, pages, { pagesWithText: 'skip' })).pdf);
    } else {
      const materials = positionedTexts.map((positionedText, at): WriterInput => {
        return { positionedText, tables: [], picture: pictureOf(itemAt(part.pictures, at)) };
      });
      files.push((await (await loadWriter('pdf'))(materials)) as Uint8Array);
    }
  }
  return files.length === 1 ? firstOf(files) : joinPdfs(files);
}

const extractionsOf = (pages: readonly ReadPage[]) =>
  pages.map(({ extraction }) => extractionSchema.parse(JSON.parse(new TextDecoder().decode(extraction))));

async function write({
  id,
  format,
  pages,
}: Exclude<ResultTask, { format: 'pdf' }>): Promise<string | Uint8Array | null> {
  if (format === 'json') {
    // The stored pages are already JSON, so they are sent without parsing.
    const items = pages.map(
      ({ number, file, page, extraction }) =>
        `{"number":${number},"file":${file},"page":${page},"result":${new TextDecoder().decode(extraction)}}`,
    );
    return `{"id":${JSON.stringify(id)},"pages":[${items.join(',')}]}`;
  }
  const read = extractionsOf(pages);
  if (format === 'text') return read.map(({ extractedText }) => extractedText).join(`\n${FORM_FEED}`);
  const materials = read.map((extraction, at): WriterInput => {
    const positionedText = positionedTextOf({ extraction, name: itemAt(pages, at).name });
    return { positionedText, tables: needsTables(format) ? findTables(positionedText) : [], picture: null };
  });
  if (needsTable(format) && materials.every(({ tables }) => tables.length === 0)) return null;
  return (await loadWriter(format))(materials);
}

function pictureOf(picture: PagePicture): NonNullable<WriterInput['picture']> {
  if ('embedded' in picture) return picture.embedded;
  const rendered = readPng(picture.rendered) ?? readTransparentPng(picture.rendered);
  if (!rendered) throw new Error('a rendered picture cannot be embedded in a PDF');
  return rendered;
}

/** Media type of a result. `extension`: of the file name that browsers save. */
export function describeResult(format: AnswerFormatId): { mediaType: string; extension: string } {
  if (format === 'json') return { mediaType: 'application/json; charset=utf-8', extension: 'json' };
  if (format === 'text') return { mediaType: 'text/plain;charset=utf-8', extension: 'txt' };
  const { mediaType, extension } = FORMATS[format];
  return { mediaType, extension };
}
