/** Writes PDFs: adds a text layer to an input PDF, and converts images to pages. */
import { basename } from 'node:path';
import { type Jpeg, readJpeg } from '#formats/jpeg';
import { positionedTextOf } from '#formats/positioned-text';
import { addTextLayer, type LayerOptions, toPdfA } from '#formats/text-layer/text-layer';
import { toExtraction } from '../answer/answer.ts';
import type { Engine } from '../library/engine.ts';
import { ReadFailure, type ReadPage } from './documents.ts';

export interface PdfOptions extends Omit<LayerOptions, 'pdfa'> {
  /** Whether to write PDF/A-2b. */
  pdfa: boolean;
}

/** Pixels of the longer side of an A4 page at 300 dots an inch. */
const PICTURE_SIDE = 3508;
const QUALITY = 82;

/** Adds invisible text to the recognized pages of a PDF. @throws {PdfError} */
export async function withTextLayer(
  { name, bytes, pages }: { name: string; bytes: Uint8Array; pages: readonly ReadPage[] },
  engine: Engine,
  { pdfa, ...options }: PdfOptions,
): Promise<{ content: Uint8Array; unchangedPages: number }> {
  const layers = [];
  for (const page of pages) {
    const positionedText = positionedTextOf({
      extraction: toExtraction(page.recognition),
      name: basename(name),
    });
    const isReplaced = options.pagesWithText === 'force' && page.hasText;
    const picture = isReplaced ? { picture: await renderAsJpeg(bytes, page, engine) } : {};
    layers.push({ number: page.number, positionedText, ...picture });
  }
  const profile = pdfa ? { pdfa: await colorProfile() } : {};
  const [first] = pages;
  const pageCount = first ? { pageCount: first.of } : {};
  const { pdf, unchanged } = await addTextLayer(bytes, layers, { ...options, ...pageCount, ...profile });
  return { content: pdf, unchangedPages: unchanged.length };
}

/** Converts a PDF that was made from images to PDF/A-2b. @throws {PdfError} */
export const asPdfA = async (pdf: Uint8Array): Promise<Uint8Array> => toPdfA(pdf, await colorProfile());

/** The ICC profile of sRGB that is built into libvips; it is in the public domain. */
async function colorProfile(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
  const { icc } = await sharp(await dot.withIccProfile('srgb').png().toBuffer()).metadata();
  if (!icc) throw new ReadFailure('internal', 'the color profile of PDF/A is missing');
  return new Uint8Array(icc);
}

/** The original bytes of a JPEG; any other image is encoded as JPEG. */
export const jpegOf = async (bytes: Uint8Array, page: ReadPage, engine: Engine): Promise<Jpeg> =>
  readJpeg(bytes) ?? renderAsJpeg(bytes, page, engine);

async function renderAsJpeg(bytes: Uint8Array, { number }: ReadPage, engine: Engine): Promise<Jpeg> {
  const png = await engine.picture(bytes, { page: number, maxSide: PICTURE_SIDE });
  const { default: sharp } = await import('sharp');
  const jpeg = await sharp(png).flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).toBuffer();
  const found = readJpeg(new Uint8Array(jpeg));
  if (!found) throw new ReadFailure('internal', 'its image cannot be encoded for a PDF');
  return found;
}
