import { itemAt } from '#formats/checked';
import { mapText, piecesOf } from '#formats/pieces';
import type { ExportSource } from '../../../workspace/export/writer/export-text.ts';
import { type RecognitionResult, withTables } from '../../../workspace/reading.ts';
import { inReadingOrder } from '../../../workspace/text/text-layout.ts';
import { needsServerPreview } from '../tool/image-file.ts';
import { requestPreview } from '../tool/use-preview.ts';

export const textOf = ({ extraction, work }: RecognitionResult): string =>
  work?.history.present.mapped.text ?? extraction.extractedText;

/**
 * Joins all texts. Texts of several pictures have their file names as headings, like the output of the command-line program.
 * Texts of a document's pages have none.
 */
export const combineTexts = (readings: readonly RecognitionResult[], isDocument: boolean): string =>
  readings
    .map((reading) => {
      const text = `${textOf(reading)}\n`;
      return isDocument ? text : `==> ${reading.picture.file.name} <==\n\n${text}`;
    })
    .join('\n');

/** Converts results into the input of the export formats. `withPictures`: for formats that contain the pictures. */
export async function toExported(
  readings: readonly RecognitionResult[],
  withPictures: boolean,
): Promise<ExportSource[]> {
  const exported: ExportSource[] = [];
  for (const { picture, extraction, work } of readings) {
    const { file } = picture;
    const { filled = [], notTables = new Set<number>(), tables } = work?.history.present ?? {};
    const pieces = [...piecesOf(extraction), ...filled];
    exported.push({
      extraction: withTables(extraction, tables),
      name: file.name,
      edited: work
        ? inReadingOrder(work.history.present, { pieces, image: extraction.image })
        : mapText(extraction.extractedText, pieces),
      filled,
      notTables,
      picture: { file, url: withPictures ? await previewUrlOf(file) : null },
    });
  }
  return exported;
}

/** How long the URL of a preview is valid. */
const PREVIEW_LIFETIME_MS = 60_000;

async function previewUrlOf(file: File): Promise<string | null> {
  const shown = needsServerPreview(file)
    ? await requestPreview(file, AbortSignal.timeout(PREVIEW_LIFETIME_MS)).catch(() => null)
    : file;
  if (!shown) return null;
  const url = URL.createObjectURL(shown);
  setTimeout(() => URL.revokeObjectURL(url), PREVIEW_LIFETIME_MS);
  return url;
}

/** A ZIP file with one text file per picture. */
export async function zipTexts(readings: readonly RecognitionResult[]): Promise<Uint8Array<ArrayBuffer>> {
  const { strToU8, zipSync } = await import('fflate');
  const names = fileNames(readings.map(({ picture }) => picture.file.name));
  return new Uint8Array(
    zipSync(Object.fromEntries(readings.map((reading, at) => [itemAt(names, at), strToU8(textOf(reading))]))),
  );
}

/** The names of the text files in the order of the pictures. Equal names get numbers. */
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
