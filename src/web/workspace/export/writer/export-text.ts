import { FORMAT_IDS, FORMATS, type FormatId } from '#contract/formats';
import { htmlOf, preformattedHtml } from '#formats/html';
import { type Jpeg, readJpeg } from '#formats/jpeg';
import { rubyIn } from '#formats/ruby';
import { blocksOf } from '#formats/structure';
import { type Transcript, transcriptOf } from '#formats/transcript';
import { callWorker } from '../../../workers/call-worker.ts';
import { foundTables, type TableSource } from '../../tables/found-tables.ts';
import type { ExportAnswer, ExportPage, ExportTask } from './export-worker.ts';
import workerAddress from './export-worker.ts?worker&url';

export type Exported = TableSource & {
  /** `url`: where it is shown from; null where this browser cannot show it. Null for a text that has none any more. */
  picture: { file: File; url: string | null } | null;
};

export function formatsFor(texts: readonly Exported[]): FormatId[] {
  const tables = texts.some((exported) => tablesIn(exported, transcriptOf(exported)).length > 0);
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

/** A text alone does not know where its words stood. */
const hasPlaces = ({ picture, extraction }: Exported) => picture !== null || extraction.lines.length > 0;

/** Tables are seen by where their words stand. */
const tablesIn = (exported: Exported, transcript: Transcript) =>
  hasPlaces(exported) ? foundTables(exported, transcript).map(({ table }) => table) : [];

/** The text as HTML, of the blocks that it is made of. */
export function formattedText(exported: Exported): string {
  const transcript = transcriptOf(exported);
  return htmlOf(blocksOf(transcript, tablesIn(exported, transcript)), rubyIn(transcript));
}

/** A text that stands as on the page: its spaces carry meaning. */
export const formattedPage = preformattedHtml;

export class ExportError extends Error {
  override name = 'ExportError';
}

/**
 * A file's content, from texts as they stand: a page for each. Written in a worker.
 * @throws ExportError where a picture cannot be part of such a file
 * @throws {WorkerError} if its code cannot be loaded or fails
 */
export async function writeExport(
  id: FormatId,
  texts: readonly Exported[],
): Promise<string | Uint8Array<ArrayBuffer>> {
  const pages: ExportPage[] = [];
  for (const exported of texts) {
    const picture = FORMATS[id].needs === 'picture' ? await jpegOf(exported) : null;
    const { picture: _, ...text } = exported;
    pages.push({ text, hasPlaces: hasPlaces(exported), picture });
  }
  return callWorker<ExportTask, ExportAnswer>(workerAddress, { id, pages });
}

/** Pixels that a canvas of any browser holds. */
const MAX_PIXELS = 16_000_000;
const QUALITY = 0.92;

/** The picture itself if it is a JPEG, or redrawn as one. */
async function jpegOf({ picture, extraction: { image } }: Exported): Promise<Jpeg> {
  const own = picture && readJpeg(new Uint8Array(await picture.file.arrayBuffer()));
  if (own) return own;
  const drawn = picture?.url && (await drawnAnew(picture.url, image));
  const jpeg = drawn && readJpeg(drawn);
  if (!jpeg) throw new ExportError('A PDF needs the picture, and this browser cannot show this one.');
  return jpeg;
}

async function drawnAnew(url: string, { width, height }: { width: number; height: number }) {
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
  const pen = canvas.getContext('2d');
  if (!pen) return null;
  // Transparent pixels would be black.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  return blob && new Uint8Array(await blob.arrayBuffer());
}
