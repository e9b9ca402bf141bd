import { itemAt } from '#formats/checked';
import { mapText, piecesOf } from '#formats/pieces';
import type { ExportSource } from '../../../workspace/export/writer/export-text.ts';
import { type Reading, withTables } from '../../../workspace/reading.ts';
import { inReadingOrder } from '../../../workspace/text/text-layout.ts';
import { needsServerPreview } from '../tool/image-file.ts';
import { requestPreview } from '../tool/use-preview.ts';

export const textOf = ({ extraction, work }: Reading): string =>
  work?.history.present.mapped.text ?? extraction.extractedText;

/**
 * All texts one below the other: those of several pictures below their names, as the program on one's own machine writes them,
 * and the pages of a document as one text.
 */
export const together = (readings: readonly Reading[], isDocument: boolean): string =>
  readings
    .map((reading) => {
      const text = `${textOf(reading)}\n`;
      return isDocument ? text : `==> ${reading.picture.file.name} <==\n\n${text}`;
    })
    .join('\n');

/** As formats are written from. `withPictures`: for those that hold them. */
export async function exportedOf(
  readings: readonly Reading[],
  withPictures: boolean,
): Promise<ExportSource[]> {
  const made: ExportSource[] = [];
  for (const { picture, extraction, work } of readings) {
    const { file } = picture;
    const { filled = [], notTables = new Set<number>(), tables } = work?.history.present ?? {};
    const pieces = [...piecesOf(extraction), ...filled];
    made.push({
      extraction: withTables(extraction, tables),
      name: file.name,
      edited: work
        ? inReadingOrder(work.history.present, { pieces, image: extraction.image })
        : mapText(extraction.extractedText, pieces),
      filled,
      notTables,
      picture: { file, url: withPictures ? await addressOf(file) : null },
    });
  }
  return made;
}

/** How long a rendered preview can be fetched, in milliseconds. */
const DRAWN_FOR = 60_000;

async function addressOf(file: File): Promise<string | null> {
  const shown = needsServerPreview(file)
    ? await requestPreview(file, AbortSignal.timeout(DRAWN_FOR)).catch(() => null)
    : file;
  if (!shown) return null;
  const url = URL.createObjectURL(shown);
  setTimeout(() => URL.revokeObjectURL(url), DRAWN_FOR);
  return url;
}

/** A text file for each picture, under its name. */
export async function zipOf(readings: readonly Reading[]): Promise<Uint8Array<ArrayBuffer>> {
  const { strToU8, zipSync } = await import('fflate');
  const names = fileNames(readings.map(({ picture }) => picture.file.name));
  return new Uint8Array(
    zipSync(Object.fromEntries(readings.map((reading, at) => [itemAt(names, at), strToU8(textOf(reading))]))),
  );
}

/** Names of text files, in the order of the pictures; equal names are numbered. */
export function fileNames(pictures: readonly string[]): string[] {
  const taken = new Set<string>();
  return pictures.map((picture) => {
    const base = picture.replaceAll(/[/\\]/g, '_').replace(/\.[^.]*$/, '') || 'picture';
    let name = `${base}.txt`;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base} (${number}).txt`;
    taken.add(name.toLowerCase());
    return name;
  });
}
