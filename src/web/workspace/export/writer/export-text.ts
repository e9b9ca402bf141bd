import { FORMAT_IDS, FORMATS, type FormatId } from '#contract/formats';
import { htmlOf, preformattedHtml } from '#formats/html';
import { type Jpeg, readJpeg } from '#formats/jpeg';
import { type PositionedText, positionedTextOf } from '#formats/positioned-text';
import { rubyIn } from '#formats/ruby';
import { blocksOf } from '#formats/structure';
import { callWorker } from '../../../workers/call-worker.ts';
import { foundTables, type TableSource } from '../../tables/found-tables.ts';
import type { ExportAnswer, ExportPage, ExportTask } from './export-worker.ts';
import workerAddress from './export-worker.ts?worker&url';

export type ExportSource = TableSource & {
  /** `url`: the URL of its preview; null if this browser cannot show it. Null for a saved text, which has no picture. */
  picture: { file: File; url: string | null } | null;
};

export function formatsFor(texts: readonly ExportSource[]): FormatId[] {
  const tables = texts.some((exported) => tablesIn(exported, positionedTextOf(exported)).length > 0);
  const has = {
    picture: texts.every(({ picture }) => picture),
    places: texts.every(hasPlaces),
    table: texts.every(hasPlaces) && tables,
  };
  return FORMAT_IDS.filter((id) => {
    const { needs } = FORMATS[id];
    return needs === null || has[needs];
  });
}

/** Saved texts without a reading have no word positions. */
const hasPlaces = ({ picture, extraction }: ExportSource) => picture !== null || extraction.lines.length > 0;

/** Tables are found by word positions. */
const tablesIn = (exported: ExportSource, positionedText: PositionedText) =>
  hasPlaces(exported) ? foundTables(exported, positionedText).map(({ table }) => table) : [];

/** The text as HTML with headings, paragraphs, lists and tables. */
export function formattedText(exported: ExportSource): string {
  const positionedText = positionedTextOf(exported);
  return htmlOf(blocksOf(positionedText, tablesIn(exported, positionedText)), rubyIn(positionedText));
}

/** A text in Layout view as HTML, which keeps its spaces. */
export const formattedPage = preformattedHtml;

export class ExportError extends Error {
  override name = 'ExportError';
}

/**
 * Writes a file in a worker, with one page for each text.
 * @throws {ExportError} if the file needs a picture that this browser cannot show
 * @throws {WorkerError} if its code cannot be loaded or fails
 */
export async function writeExport(
  id: FormatId,
  texts: readonly ExportSource[],
): Promise<string | Uint8Array<ArrayBuffer>> {
  const pages: ExportPage[] = [];
  for (const exported of texts) {
    const picture = FORMATS[id].needs === 'picture' ? await jpegOf(exported) : null;
    const { picture: _, ...text } = exported;
    pages.push({ text, hasPlaces: hasPlaces(exported), picture });
  }
  return callWorker<ExportTask, ExportAnswer>(workerAddress, { id, pages });
}

/** Maximal number of pixels of a canvas in every browser. */
const MAX_PIXELS = 16_000_000;
const QUALITY = 0.92;

/** The picture itself if it is a JPEG; otherwise it is re-encoded. */
async function jpegOf({ picture, extraction: { image } }: ExportSource): Promise<Jpeg> {
  const own = picture && readJpeg(new Uint8Array(await picture.file.arrayBuffer()));
  if (own) return own;
  const reencoded = picture?.url && (await reencodedJpeg(picture.url, image));
  const jpeg = reencoded && readJpeg(reencoded);
  if (!jpeg) throw new ExportError('A PDF needs the picture, and this browser cannot show this one.');
  return jpeg;
}

async function reencodedJpeg(url: string, { width, height }: { width: number; height: number }) {
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch {
    return null;
  }
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)), picture.naturalWidth / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency, and transparent pixels would be black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  return blob && new Uint8Array(await blob.arrayBuffer());
}
