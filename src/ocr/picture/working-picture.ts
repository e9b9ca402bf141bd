/** From decoded pixels to the picture that the stages work on: its size and its notices, on every platform. */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { Notice } from '../types.ts';
import { MAX_HEIF_PIXELS } from './heif.ts';
import type { Picture } from './picture.ts';
import { flattenPixels } from './pixels.ts';

/** Working size in pixels: letters of an A4 page at 300 dots per inch stay whole. */
export const WORKING_PIXELS = 9_000_000;
/** Tesseract counts coordinates in 16 bits. */
const WORKING_SIDE = 32_000;
/** A picture whose longer side is at most this many pixels is enlarged before it is read: its letters are few pixels high. */
const SMALL_SIDE = 520;
const ENLARGED = 2;
/** A strip of single pixels this long is no picture, and scaling it takes a decoder half a minute. */
const MAX_SIDE = 100_000;

interface Size {
  width: number;
  height: number;
}

/** @throws {OcrError} `damaged`, `too_many_pixels` */
export function checkSize({ width, height }: Size, maxPixels: number): void {
  if (!(width > 0 && height > 0))
    throw new OcrError(OCR_ERRORS.damaged, 'the header claims a picture without pixels');
  if (width * height > maxPixels || Math.max(width, height) > MAX_SIDE) {
    throw new OcrError(OCR_ERRORS.tooManyPixels, `the header claims ${width} × ${height} pixels`);
  }
}

/** The most pixels that a picture of a format may have. */
export const mostPixelsOf = (format: string, maxPixels: number): number =>
  format === 'avif' || format === 'heic' ? Math.min(maxPixels, MAX_HEIF_PIXELS) : maxPixels;

/**
 * The size in which a picture is read; `scale` times its own.
 * @param options `enlargesSmall`: letters of small pictures are few pixels high. `keepsSize`: it was drawn to be read.
 * `reducedTo`: the size of its pixels where its decoder reduced it; more pixels than it has would add nothing
 */
export function workingSize(
  { width, height }: Size,
  {
    enlargesSmall,
    keepsSize = false,
    reducedTo,
  }: { enlargesSmall: boolean; keepsSize?: boolean; reducedTo?: Size | undefined },
): Size & { scale: number } {
  const wanted = Math.min(
    enlargesSmall && Math.max(width, height) <= SMALL_SIDE ? ENLARGED : 1,
    keepsSize ? 1 : Math.sqrt(WORKING_PIXELS / (width * height)),
    WORKING_SIDE / Math.max(width, height),
  );
  if (reducedTo && reducedTo.width < width * wanted) {
    return { width: reducedTo.width, height: reducedTo.height, scale: reducedTo.width / width };
  }
  return {
    width: Math.max(1, Math.round(width * wanted)),
    height: Math.max(1, Math.round(height * wanted)),
    scale: wanted,
  };
}

export interface ScaledPixels {
  /** Interleaved, 8 bits a channel: gray, gray and alpha, RGB or RGBA. */
  data: Uint8Array;
  channels: number;
  /** Of the pixels. */
  size: ReturnType<typeof workingSize>;
  original: Size;
  /** The file holds more pictures. */
  firstOfMany: boolean;
  /** The end of the file is missing. */
  incomplete: boolean;
  /** Of the original, where it was drawn at a known resolution. */
  dotsPerInch?: number | undefined;
}

export function workingPicture(pixels: ScaledPixels): Picture {
  const { data, channels, original, firstOfMany, incomplete, dotsPerInch } = pixels;
  const { width, height, scale } = pixels.size;
  const notices: Notice[] = [];
  if (firstOfMany) {
    notices.push({ code: 'first_frame', message: 'Only the first picture in this file was read.' });
  }
  if (incomplete) {
    notices.push({
      code: 'incomplete',
      message: 'This file is incomplete: the end of the picture is missing. What arrived of it was read.',
    });
  }
  if (scale < 1) {
    notices.push({
      code: 'scaled_down',
      message: 'This picture is very large and was scaled down to be read.',
    });
  }
  return {
    width,
    height,
    ...flattenPixels(data, width * height, channels),
    original,
    scale,
    ...(dotsPerInch !== undefined && { dotsPerInch: dotsPerInch * scale }),
    notices,
  };
}
