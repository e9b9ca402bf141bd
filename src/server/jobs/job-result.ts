import { type AnswerFormatId, needsTable } from '#contract/answer-format';
import { extractionSchema } from '#contract/extraction';
import { FORMATS } from '#contract/formats';
import type { Material } from '#formats/material';
import { readPng, readTransparentPng } from '#formats/png';
import { findTables } from '#formats/tables';
import { transcriptOf } from '#formats/transcript';
import { holdsTables, loadWriter } from '#formats/writers';

export interface ReadPage {
  number: number;
  file: number;
  page: number;
  /** The reading, as JSON in UTF-8. */
  extraction: Uint8Array<ArrayBuffer>;
  name: string;
}

/** For a PDF: as the file holds it, or rendered as a PNG. */
export type PagePicture = { asItCame: NonNullable<Material['picture']> } | { drawn: Uint8Array };

/** A result to be written, as it is handed to a thread. */
export type ResultTask = { id: string; pages: readonly ReadPage[] } & (
  | { format: Exclude<AnswerFormatId, 'pdf'> }
  /** One picture for each page. */
  | { format: 'pdf'; pictures: readonly PagePicture[] }
);

/** Separates the texts of pages: a form feed. */
const FORM_FEED = '\f';

/** One document of all pages, in their order. Null where it would hold tables, and there are none. */
export async function writeResult(task: ResultTask): Promise<Uint8Array<ArrayBuffer> | null> {
  const content = await write(task);
  if (content === null) return null;
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

async function write(task: ResultTask): Promise<string | Uint8Array | null> {
  const { id, format, pages } = task;
  const extractions = pages.map(({ extraction }) => new TextDecoder().decode(extraction));
  if (format === 'json') {
    // Nothing has to be parsed: the stored pages are sent as they are.
    const told = pages.map(
      ({ number, file, page }, at) =>
        `{"number":${number},"file":${file},"page":${page},"result":${extractions[at]}}`,
    );
    return `{"id":${JSON.stringify(id)},"pages":[${told.join(',')}]}`;
  }
  const read = extractions.map((json) => extractionSchema.parse(JSON.parse(json)));
  if (format === 'text') return read.map(({ extractedText }) => extractedText).join(`\n${FORM_FEED}`);
  const materials = read.map((extraction, at): Material => {
    const transcript = transcriptOf({ extraction, name: pages[at]!.name });
    return {
      transcript,
      tables: holdsTables(format) ? findTables(transcript) : [],
      picture: 'pictures' in task ? pictureOf(task.pictures[at]!) : null,
    };
  });
  if (needsTable(format) && materials.every(({ tables }) => tables.length === 0)) return null;
  return (await loadWriter(format))(materials);
}

function pictureOf(picture: PagePicture): NonNullable<Material['picture']> {
  if ('asItCame' in picture) return picture.asItCame;
  const drawn = readPng(picture.drawn) ?? readTransparentPng(picture.drawn);
  if (!drawn) throw new Error('a drawn picture cannot stand in a PDF');
  return drawn;
}

/** The media type of a result. `extension` names the file that a browser would save. */
export function describeResult(format: AnswerFormatId): { mediaType: string; extension: string } {
  if (format === 'json') return { mediaType: 'application/json; charset=utf-8', extension: 'json' };
  if (format === 'text') return { mediaType: 'text/plain;charset=utf-8', extension: 'txt' };
  const { mediaType, extension } = FORMATS[format];
  return { mediaType, extension };
}
