import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { FirstPicture, PictureFormat } from './format.ts';
import { checkCostOfHeif } from './heif.ts';
import { firstOfTiff } from './tiff.ts';

/** The reference picture for costs, in pixels; larger where larger ones are read. */
const LARGEST_PICTURE = 100_000_000;
/** Memory of a decoder that cannot decode row by row: four channels of 8 bits of the largest picture. */
const HELD_BYTES_PER_PIXEL = 4;
/** Passes over one color of all pixels of the largest picture. An ordinary progressive JPEG in color makes 14. */
const JPEG_PASSES = 64;
/** Fixed cost of a scan, even an empty one; programs write ten, and the most thorough some sixty. */
const JPEG_SCANS = 1_000;

/**
 * Computes the decoding cost of a file from its headers, in one pass over its bytes, and cuts off everything after the first
 * picture where its decoder would count all of them first.
 * @throws {OcrError} `too_costly`. Other header errors, and too many pixels, are reported by the decoder.
 */
export function firstPictureWithinCost(
  bytes: Uint8Array,
  format: PictureFormat,
  maxPixels: number,
): FirstPicture {
  const largest = Math.max(LARGEST_PICTURE, maxPixels);
  switch (format) {
    case 'jpeg':
      checkCostOfJpeg(bytes, largest);
      break;
    case 'png':
      checkCostOfPng(bytes, largest);
      break;
    case 'tiff':
      return firstOfTiff(bytes);
    case 'webp':
      return firstOfWebp(bytes);
    case 'avif':
    case 'heic':
      checkCostOfHeif(bytes, largest);
      break;
    case 'gif':
    case 'bmp':
      // Decoded in time proportional to bytes and pixels.
      break;
  }
  return { bytes, firstOfMany: false };
}

/** One color of a JPEG and its share of coded pixels, relative to the finest color: 0 to 1. */
interface JpegColor {
  id: number;
  across: number;
  down: number;
}

/**
 * A scan costs a pass over each pixel of its colors, however few bytes it has, and a JPEG of several scans holds all pixels
 * in memory.
 */
function checkCostOfJpeg(bytes: Uint8Array, largest: number): void {
  /** A file may end within a number, and then misses zeros. */
  const word = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  let pixels = 0;
  let colors: JpegColor[] = [];
  let progressive = false;
  let scans = 0;
  let passes = 0;
  const share = ({ across, down }: JpegColor) =>
    (across / Math.max(...colors.map((color) => color.across))) *
    (down / Math.max(...colors.map((color) => color.down)));
  const shareOf = (some: readonly JpegColor[]) => some.reduce((sum, color) => sum + share(color), 0);

  for (let at = 2; at + 3 < bytes.length; ) {
    const marker = bytes[at + 1]!;
    // Coded pixels, a byte of ones among them, a restart, or filling.
    if (bytes[at] !== 0xff || marker === 0xff) at++;
    else if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker === 0xd9) break;
    else {
      const content = at + 4;
      if (isFrame(marker)) {
        progressive = (marker & 3) === 2;
        pixels = word(content + 1) * word(content + 3);
        if (pixels > largest) return;
        colors = Array.from({ length: Math.min(bytes[content + 5] ?? 0, 4) }, (_, index) => {
          const [id = 0, sampling = 0] = bytes.subarray(content + 6 + index * 3);
          return { id, across: sampling >> 4, down: sampling & 15 };
        });
      } else if (marker === 0xda) {
        const inScan = Array.from({ length: Math.min(bytes[content] ?? 0, 4) }, (_, index) => {
          const id = bytes[content + 1 + index * 2];
          return colors.filter((color) => color.id === id).slice(0, 1);
        }).flat();
        passes += shareOf(inScan) * pixels;
        if (++scans > JPEG_SCANS || passes > JPEG_PASSES * largest) {
          throw tooCostly(`a JPEG of ${pixels} pixels has at least ${scans} scans`);
        }
      }
      at += 2 + Math.max(2, word(at + 2));
    }
  }
  // Coefficients have 16 bits.
  const held = progressive || scans > 1 ? 2 * pixels * shareOf(colors) : 0;
  if (held > HELD_BYTES_PER_PIXEL * largest) throw tooCostly(`a JPEG is decoded by holding ${held} bytes`);
}

/** Start of a frame of any coding: 0xC0 to 0xCF except tables (C4, CC) and the reserved one (C8). */
function isFrame(marker: number): boolean {
  return marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0);
}

/** An interlaced PNG is held whole, at its full depth; any other is decoded row by row. */
function checkCostOfPng(bytes: Uint8Array, largest: number): void {
  if (bytes.length < 29 || bytes[28] !== 1) return;
  const view = withTables(bytes);
  const pixels = view.getUint32(16) * view.getUint32(20);
  if (pixels > largest) return;
  const color = view.getUint8(25);
  const channels = color === 0 ? 1 : color === 2 ? 3 : color === 4 ? 2 : 4;
  const held = pixels * channels * (bytes[24] === 16 ? 2 : 1);
  if (held > HELD_BYTES_PER_PIXEL * largest) {
    throw tooCostly(`an interlaced PNG is decoded by holding ${held} bytes`);
  }
}

/** Ends an animation after its first frame: the decoder searches each frame from the start. */
function firstOfWebp(bytes: Uint8Array): FirstPicture {
  const view = withTables(bytes);
  const typeAt = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  let end: number | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (typeAt(at) === 'ANMF') {
      if (end !== undefined) {
        const cut = Uint8Array.from(bytes.subarray(0, end));
        withTables(cut).setUint32(4, end - 8, true);
        return { bytes: cut, firstOfMany: true };
      }
      end = at + 8 + length + (length % 2);
    }
    at += 8 + length + (length % 2);
  }
  return { bytes, firstOfMany: false };
}

function withTables(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooCostly(message: string): OcrError {
  return new OcrError(OCR_ERRORS.tooCostly, message);
}
