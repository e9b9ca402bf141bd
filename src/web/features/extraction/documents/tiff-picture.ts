import { decode, decodeImage, type IFD, toRGBA8 } from 'utif2';
import type { TiffDirectory } from './tiff-directories.ts';

const WIDTH = 't256';
const LENGTH = 't257';
const COMPRESSION = 't259';
const ORIENTATION = 't274';
/** JPEG compressions, which are used for photos. */
const JPEGS: readonly unknown[] = [6, 7];
/** Maximum pixels: a large page at 600 dpi. More would be too much for many browsers. */
const MAX_DECODED = 60_000_000;

export interface TiffPicture {
  width: number;
  height: number;
  /** RGBA, one byte per channel. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The EXIF orientation, 1 to 8. */
  orientation: number;
  isPhoto: boolean;
}

/**
 * Decodes one page of a TIFF, without applying its orientation.
 * @param bytes of the file; the offset of the first page is overwritten
 * @throws if the page is too large or cannot be decoded
 */
export function tiffPicture(bytes: ArrayBuffer, directory: TiffDirectory): TiffPicture {
  const page = decodeDirectory(bytes, directory);
  const claimed = (numberOf(page, WIDTH) ?? 0) * (numberOf(page, LENGTH) ?? 0);
  if (!(claimed > 0 && claimed <= MAX_DECODED)) throw new RangeError('The page is too large or has no size');
  decodeImage(bytes, page);
  const { width, height } = page;
  const pixels = new Uint8ClampedArray(toRGBA8(page));
  if (pixels.length !== width * height * 4) throw new RangeError('The page is incomplete');
  return {
    width,
    height,
    pixels,
    orientation: numberOf(page, ORIENTATION) ?? 1,
    isPhoto: JPEGS.includes(numberOf(page, COMPRESSION)),
  };
}

/** Decodes the tags of one page. Without this, the library would decode all pages and follow a circular chain forever. */
function decodeDirectory(bytes: ArrayBuffer, { at, pointer }: TiffDirectory): IFD {
  const view = new DataView(bytes);
  const little = view.getUint8(0) === 0x49;
  view.setUint32(4, at, little);
  const hasPointer = pointer + 4 <= bytes.byteLength;
  const next = hasPointer ? view.getUint32(pointer, little) : 0;
  if (hasPointer) view.setUint32(pointer, 0, little);
  const [page] = decode(bytes);
  if (hasPointer) view.setUint32(pointer, next, little);
  if (!page) throw new RangeError('No page');
  return page;
}

function numberOf(page: IFD, tag: string): number | undefined {
  const value = page[tag];
  return Array.isArray(value) && typeof value[0] === 'number' ? value[0] : undefined;
}
