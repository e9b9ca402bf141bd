import { decode, decodeImage, type IFD, toRGBA8 } from 'utif2';
import type { TiffDirectory } from './tiff-directories.ts';

const WIDTH = 't256';
const LENGTH = 't257';
const COMPRESSION = 't259';
const ORIENTATION = 't274';
/** Compressions of photographs. */
const JPEGS: readonly unknown[] = [6, 7];
/** A page of a large format at 600 dots an inch; more would be too much for many a browser. */
const MAX_DECODED = 60_000_000;

export interface TiffPicture {
  width: number;
  height: number;
  /** Red, green, blue and how opaque, a byte each. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** 1 to 8, as Exif has it: how the picture is to be turned. */
  orientation: number;
  photographed: boolean;
}

/**
 * One page of a TIFF as it is stored.
 * @param bytes of the file; where its first page lies is written over
 * @throws where it cannot be decoded, or is too large to be
 */
export function tiffPicture(bytes: ArrayBuffer, directory: TiffDirectory): TiffPicture {
  const page = alone(bytes, directory);
  const claimed = (numberOf(page, WIDTH) ?? 0) * (numberOf(page, LENGTH) ?? 0);
  if (!(claimed > 0 && claimed <= MAX_DECODED)) throw new RangeError('No size that can be decoded');
  decodeImage(bytes, page);
  const { width, height } = page;
  const pixels = new Uint8ClampedArray(toRGBA8(page));
  if (pixels.length !== width * height * 4) throw new RangeError('Not all of it is there');
  return {
    width,
    height,
    pixels,
    orientation: numberOf(page, ORIENTATION) ?? 1,
    photographed: JPEGS.includes(numberOf(page, COMPRESSION)),
  };
}

/** Has the library see one page: it would read the tags of all of them, and follow a chain that has no end. */
function alone(bytes: ArrayBuffer, { at, pointer }: TiffDirectory): IFD {
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
