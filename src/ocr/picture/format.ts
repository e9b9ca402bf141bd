import { OCR_ERRORS, OcrError } from '../errors.ts';

/** Supported formats; `heic` is HEVC inside HEIF, `avif` AV1 inside it. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'bmp';

/** The part of a file to decode, and whether it holds further pictures. */
export interface FirstPicture {
  bytes: Uint8Array;
  firstOfMany: boolean;
}

const HEVC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AV1_BRANDS = new Set(['avif', 'avis']);
const BMP_HEADER_SIZES = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/**
 * The format of a picture, from its first bytes only.
 * @throws {OcrError} `vector` for SVG and other XML, `unsupported` for every other format
 */
export function formatOf(bytes: Uint8Array): PictureFormat {
  const start = bytes.subarray(0, 1024);
  const at = (offset: number, text: string) => lettersAt(start, offset, text.length) === text;
  if (at(0, '\xff\xd8\xff')) return 'jpeg';
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'gif';
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp';
  if (at(0, 'II*\0') || at(0, 'MM\0*') || at(0, 'II+\0') || at(0, 'MM\0+')) return 'tiff';
  // Two letters alone would make a bitmap of any note that starts with "BM".
  if (at(0, 'BM') && start.length >= 18 && BMP_HEADER_SIZES.has(withTables(start).getUint32(14, true)))
    return 'bmp';
  if (at(4, 'ftyp')) return heifFormatOf(start);
  if (isMarkup(start)) throw new OcrError(OCR_ERRORS.vector, 'the upload is SVG or other XML');
  throw new OcrError(OCR_ERRORS.unsupported, 'the first bytes belong to no picture format that is read');
}

/** The major brand decides; `mif1` and `msf1` leave it to the list of compatible brands. */
function heifFormatOf(start: Uint8Array): PictureFormat {
  const end = Math.min(withTables(start).getUint32(0), start.length);
  const brands = [lettersAt(start, 8, 4)];
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(lettersAt(start, offset, 4));
  for (const brand of brands) {
    if (AV1_BRANDS.has(brand)) return 'avif';
    if (HEVC_BRANDS.has(brand)) return 'heic';
  }
  throw new OcrError(OCR_ERRORS.unsupported, 'an ISO media file that is neither HEIC nor AVIF');
}

function isMarkup(start: Uint8Array): boolean {
  const wide = start[0] === 0xff && start[1] === 0xfe;
  // The decoder drops a byte order mark itself.
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(start).trimStart();
  return /^<(\?xml|!--|!doctype\s+svg|svg[\s>/:])/i.test(text) || /^<[^>]*>\s*<svg[\s>]/i.test(text);
}

/** One letter a byte. */
const lettersAt = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

const withTables = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Counts the pages of documents of any format. */

/** A document with more pages is refused. */
export const MAX_PAGES = 2_000;

const LOOKED_THROUGH = 1024;

/** From its bytes. Some programs write a little before a PDF's first line, and readers accept it. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_THROUGH)).includes('%PDF-');
}

export function noSuchPage(page: number, count: number): OcrError {
  return new OcrError(OCR_ERRORS.noSuchPage, `page ${page} was asked for, of ${count}`);
}

export function tooManyPages(count: number | string): OcrError {
  return new OcrError(OCR_ERRORS.tooManyPages, `a document of ${count} pages`);
}
