/** Pictures in a browser: its own decoders, and the sizes and notices of the server. */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { decodeBmp, headerSizeOfBmp } from '../picture/bmp.ts';
import { firstPictureWithinCost } from '../picture/decode-cost.ts';
import { formatOf, type PictureFormat } from '../picture/format.ts';
import { headerSizeOfHeif } from '../picture/heif.ts';
import { completedJpeg, isProgressive } from '../picture/jpeg-end.ts';
import type { Picture } from '../picture/picture.ts';
import { completedPng, type Inflate } from '../picture/png-end.ts';
import {
  checkSize,
  mostPixelsOf,
  WORKING_PIXELS,
  workingPicture,
  workingSize,
} from '../picture/working-picture.ts';
import { resize } from './resize.ts';

/** Rows of the largest block of a JPEG. */
const JPEG_BLOCK_ROWS = 16;
/** The level of missing pixels. */
const MISSING = 128;
/** Of one strip. */
const STRIP_PIXELS = 1_000_000;

interface Pixels {
  /** RGBA, or RGB. */
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  channels: 3 | 4;
}

/** The result of `heic-worker.ts`. */
export interface HeicPixels {
  /** RGBA. */
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

interface Decoded {
  pixels: Pixels;
  original: { width: number; height: number };
  /** The end of the file is missing. */
  incomplete: boolean;
}

/**
 * Bytes of a picture to pixels, as `decodePicture` on the server: upright, sRGB, without transparency, at most the working
 * size.
 * @throws {OcrError} `unsupported`, `vector`, `damaged`, `too_many_pixels`, `too_costly`
 */
export async function decodeInBrowser(file: Uint8Array, maxPixels: number): Promise<Picture> {
  const format = formatOf(file);
  const { bytes, firstOfMany } = firstPictureWithinCost(file, format, maxPixels);
  const { pixels, original, incomplete } = await pixelsOf(bytes, format, maxPixels);
  checkSize(original, mostPixelsOf(format, maxPixels));
  const size = workingSize(original, {
    enlargesSmall: true,
    reducedTo: pixels.width < original.width ? pixels : undefined,
  });
  const { data, channels } = scaled(pixels, size);
  return workingPicture({ data, channels, size, original, firstOfMany, incomplete });
}

async function pixelsOf(bytes: Uint8Array, format: PictureFormat, maxPixels: number): Promise<Decoded> {
  if (format === 'bmp') {
    const original = headerSizeOfBmp(bytes);
    return { pixels: decodeBmp(bytes, WORKING_PIXELS), original, incomplete: false };
  }
  const completed = format === 'jpeg' ? completedJpeg(bytes) : undefined;
  let bitmap: ImageBitmap;
  try {
    bitmap = await bitmapOf(bytes).catch((cause) =>
      completed ? bitmapOf(completed) : Promise.reject(cause),
    );
  } catch (cause) {
    const png = format === 'png' ? await incompletePng(bytes, maxPixels) : undefined;
    if (png) return png;
    if (format === 'heic') return pixelsOfHeic(bytes, maxPixels);
    if (format === 'tiff' || format === 'avif')
      throw new OcrError(OCR_ERRORS.unsupported, `this browser does not decode ${format}`, { cause });
    throw new OcrError(OCR_ERRORS.damaged, `the content of a ${format} cannot be decoded`, { cause });
  }
  try {
    const { width, height } = bitmap;
    const incomplete = completed !== undefined && !(await isNearlyWhole(completed));
    return { pixels: read(bitmap), original: { width, height }, incomplete };
  } finally {
    bitmap.close();
  }
}

/** As on the server, which also reduces it during decoding. */
async function pixelsOfHeic(bytes: Uint8Array, maxPixels: number): Promise<Decoded> {
  checkSize(headerSizeOfHeif(bytes), mostPixelsOf('heic', maxPixels));
  const { data: levels, ...original } = await decodeHeic(bytes);
  const { width, height } = original;
  const strips = [{ top: 0, levels }];
  const pixels = opaque(strips, width, height) ?? withAlpha(strips, width, height);
  const scale = Math.sqrt(WORKING_PIXELS / (width * height));
  if (scale >= 1) return { pixels, original, incomplete: false };
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const { data } = scaled(pixels, size);
  return { pixels: { data, ...size, channels: pixels.channels }, original, incomplete: false };
}

/**
 * The first picture of a HEIC, turned and mirrored as its file says. Its decoder is fetched for it.
 * @throws {OcrError} `damaged`, and `crashed` where the decoder could not be fetched or ended at work
 */
async function decodeHeic(bytes: Uint8Array): Promise<HeicPixels> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<HeicPixels | null>) => {
        if (data) resolve(data);
        else reject(new OcrError(OCR_ERRORS.damaged, 'the content of a heic cannot be decoded'));
      };
      worker.onerror = () => reject(new OcrError(OCR_ERRORS.crashed, 'the decoder of HEIC ended'));
      worker.postMessage(bytes);
    });
  } finally {
    worker.terminate();
  }
}

/** A PNG that is cut off, as far as it arrived; undefined for one with other damage. */
async function incompletePng(bytes: Uint8Array, maxPixels: number): Promise<Decoded | undefined> {
  const completed = await completedPng(bytes, maxPixels, inflate);
  const bitmap = completed && (await bitmapOf(completed).catch(() => undefined));
  if (!bitmap) return undefined;
  try {
    const { width, height } = bitmap;
    return { pixels: read(bitmap), original: { width, height }, incomplete: true };
  } finally {
    bitmap.close();
  }
}

const inflate: Inflate = async (stream, target) => {
  const { readable, writable } = new DecompressionStream('deflate');
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let length = 0;
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      target.set(part.value.subarray(0, target.length - length), length);
      length = Math.min(target.length, length + part.value.length);
    }
  })();
  try {
    for (const part of stream) await writer.write(part);
    // An error drops what was not read yet.
    await new Promise((resolve) => setTimeout(resolve));
    await writer.close();
  } catch {
    // Of a stream without its end.
  }
  await reading.catch(() => {});
  return length;
};

const bitmapOf = (bytes: Uint8Array, imageOrientation: ImageOrientation = 'from-image') =>
  createImageBitmap(new Blob([new Uint8Array(bytes)]), { imageOrientation, premultiplyAlpha: 'none' });

/**
 * Whether at most the last row of blocks is missing from a JPEG that was cut off, as on the server: no letter is lost. A
 * decoder leaves what is missing at one gray, and begins with the end of the row above.
 */
async function isNearlyWhole(completed: Uint8Array): Promise<boolean> {
  if (isProgressive(completed)) return false;
  const bitmap = await bitmapOf(completed, 'none');
  try {
    const { width, height } = bitmap;
    const bottom = height - JPEG_BLOCK_ROWS - 1;
    if (bottom < 0) return false;
    const side = Math.min(JPEG_BLOCK_ROWS / 2, width);
    const context = contextOf(side, 1);
    context.drawImage(bitmap, side - width, -bottom);
    return context.getImageData(0, 0, side, 1).data.some((level, at) => at % 4 !== 3 && level !== MISSING);
  } finally {
    bitmap.close();
  }
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new OcrError(OCR_ERRORS.internal, 'this browser gives no canvas of that size');
  return context;
}

/** Strip by strip: a canvas for the whole picture would take its memory a second and a third time. */
function read(bitmap: ImageBitmap): Pixels {
  const { width, height } = bitmap;
  const rows = Math.max(1, Math.min(height, Math.floor(STRIP_PIXELS / width)));
  const context = contextOf(width, rows);
  const strips = function* () {
    for (let top = 0; top < height; top += rows) {
      const count = Math.min(rows, height - top);
      context.clearRect(0, 0, width, rows);
      context.drawImage(bitmap, 0, -top);
      yield { top, levels: context.getImageData(0, 0, width, count).data };
    }
  };
  return opaque(strips(), width, height) ?? withAlpha(strips(), width, height);
}

interface Strip {
  top: number;
  /** RGBA. */
  levels: Uint8ClampedArray;
}

/** RGB; undefined where any pixel is transparent. */
function opaque(strips: Iterable<Strip>, width: number, height: number): Pixels | undefined {
  const data = new Uint8Array(width * height * 3);
  for (const { top, levels } of strips) {
    let to = top * width * 3;
    for (let from = 0; from < levels.length; from += 4) {
      if (levels[from + 3] !== 255) return undefined;
      data[to++] = levels[from]!;
      data[to++] = levels[from + 1]!;
      data[to++] = levels[from + 2]!;
    }
  }
  return { data, width, height, channels: 3 };
}

function withAlpha(strips: Iterable<Strip>, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (const { top, levels } of strips) data.set(levels, top * width * 4);
  return { data, width, height, channels: 4 };
}

function scaled(
  { data, width, height, channels }: Pixels,
  size: { width: number; height: number },
): { data: Uint8Array; channels: number } {
  const same = size.width === width && size.height === height;
  if (same) return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), channels };
  if (channels === 3) return { data: resize({ data, width, height }, size, 3, 'lanczos3'), channels };
  // Colors under transparent pixels must not bleed into their neighbors.
  const weighted = multiplied(data, (level, alpha) => Math.round((level * alpha) / 255));
  const smaller = resize({ data: weighted, width, height }, size, 4, 'lanczos3');
  const back = multiplied(smaller, (level, alpha) => (alpha === 0 ? 0 : Math.round((level * 255) / alpha)));
  return { data: new Uint8Array(back.buffer), channels };
}

function multiplied(
  data: Uint8Array | Uint8ClampedArray,
  by: (level: number, alpha: number) => number,
): Uint8ClampedArray<ArrayBuffer> {
  const result = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!;
    for (let channel = 0; channel < 3; channel++) result[at + channel] = by(data[at + channel]!, alpha);
    result[at + 3] = alpha;
  }
  return result;
}
