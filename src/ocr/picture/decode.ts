import { createInflate } from 'node:zlib';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { PageList, PageSize } from '../types.ts';
import { headerSizeOfBmp } from './bmp.ts';
import { firstPictureWithinCost } from './decode-cost.ts';
import { formatOf, isPdf, noSuchPage, type PictureFormat } from './format.ts';
import { headerSizeOfHeif } from './heif.ts';
import type { Picture } from './picture.ts';
import { completedPng, type Inflate } from './png-end.ts';
import { pageOfTiff, pagesOfTiff, storageOfTiff } from './tiff.ts';
import { withKnownCompression } from './tiff-recompress.ts';
import { checkSize, mostPixelsOf, WORKING_PIXELS, workingPicture, workingSize } from './working-picture.ts';

/** Working size in pixels of a large page, such as a plan, whose letters have the usual size. */
const LARGE_PAGE_PIXELS = 36_000_000;
/** Greatest resolution of a rendered PDF page, as scanners use for text. */
export const DOTS_PER_INCH = 300;
/** Rows of the largest block of a JPEG. */
const JPEG_BLOCK_ROWS = 16;
const MAX_CHANNELS = 5;

/** Pixels of a format that sharp does not read: upright, 8 bits a channel. */
export interface RawPixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3 | 4;
  /** Size of the original picture. */
  original: { width: number; height: number };
}

/** Size limits of a rendered PDF page. */
export interface DrawLimits {
  /** Most pixels. */
  pixels: number;
  /** Most pixels of a page on which the first limit would be too coarse for ordinary letters. */
  ofLargePage: number;
}

export interface DecodeContext {
  /** More pixels than this in the header are refused before decoding. */
  maxPixels: number;
  /** Decodes BMP and HEIC on another thread. Large pictures may be reduced. */
  decodeRaw(format: 'bmp' | 'heic', bytes: Uint8Array, workingPixels: number): Promise<RawPixels>;
  /** Enlarges small pictures to twice their size for recognition. False by default: a preview keeps its size. */
  enlargesSmall?: boolean;
  /** Opens PDFs, on another thread too; without it, PDFs are refused. */
  pdf?: {
    /** A page, counted from 1. */
    draw(bytes: Uint8Array, page: number, limits: DrawLimits): Promise<RawPixels>;
    pages(bytes: Uint8Array): Promise<PageSize[]>;
  };
}

/** A picture whose header was read and accepted, ready to be decoded. */
interface OpenedPicture {
  /** Of the first picture in the file. */
  bytes: Uint8Array;
  /** Pixels after the EXIF orientation. */
  width: number;
  height: number;
  firstOfMany: boolean;
  /** The size of its pixels where it was already reduced. */
  reducedTo?: { width: number; height: number };
  /** A new pipeline whose output is upright. */
  pixels(strictness: Strictness): Sharp;
  format: PictureFormat | 'pdf';
}

/**
 * How much damage a decoder tolerates. `truncated`: broken values inside are tolerated, missing data is not. `warning`: none
 * is.
 */
type Strictness = 'truncated' | 'warning';

/** Process-wide limits of the decoder: no cache between pictures, and only the supported formats. */
export function restrictDecoder(concurrency: number): void {
  sharp.cache(false);
  sharp.concurrency(concurrency);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}Buffer`) });
}

/**
 * Bytes of a picture to pixels: upright, sRGB, without transparency, at most the working size.
 * @param page of a document, counted from 1; a PDF is read only where one is named
 * @throws {OcrError} `unsupported`, `vector`, `damaged`, `too_many_pixels`, `too_costly`, `encrypted`, `no_such_page`
 */
export async function decodePicture(
  bytes: Uint8Array,
  context: DecodeContext,
  page?: number,
): Promise<Picture> {
  const opened = await openPage(bytes, context, { page, largestPage: LARGE_PAGE_PIXELS });
  const { width, height, reducedTo } = opened;
  const isPage = opened.format === 'pdf';
  const size = workingSize(opened, {
    enlargesSmall: context.enlargesSmall ?? false,
    keepsSize: isPage,
    reducedTo,
  });
  const { result, incomplete } = await decoded(opened, (pipeline) =>
    pipeline
      .resize({ width: size.width, height: size.height, fit: 'fill', kernel: 'lanczos3' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  return workingPicture({
    data: result.data,
    channels: result.info.channels,
    size,
    original: { width, height },
    firstOfMany: opened.firstOfMany,
    incomplete,
    dotsPerInch: isPage ? DOTS_PER_INCH : undefined,
  });
}

/**
 * The picture as a PNG, upright and at most `maxSide` pixels on its longer side.
 * @throws {OcrError} as `decodePicture`
 */
export async function renderPreview(
  bytes: Uint8Array,
  maxSide: number,
  context: DecodeContext,
  page?: number,
): Promise<Uint8Array> {
  const opened = await openPage(bytes, context, { page, largestPage: WORKING_PIXELS });
  const { result } = await decoded(opened, (pipeline) =>
    pipeline
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 6 })
      .toBuffer(),
  );
  return result;
}

/**
 * The pages of a document. A picture has one page, its first frame.
 * @throws {OcrError} as `decodePicture`, and `too_many_pages`
 */
export async function pagesOf(bytes: Uint8Array, context: DecodeContext): Promise<PageList> {
  if (context.pdf && isPdf(bytes)) return { unit: 'point', pages: await context.pdf.pages(bytes) };
  const format = formatOf(bytes);
  if (format === 'tiff') return { unit: 'pixel', pages: pagesOfTiff(bytes) };
  return { unit: 'pixel', pages: [{ ...(await headerSizeOf(bytes, format)), hasText: false }] };
}

async function headerSizeOf(
  bytes: Uint8Array,
  format: PictureFormat,
): Promise<{ width: number; height: number }> {
  if (format === 'bmp') return headerSizeOfBmp(bytes);
  if (format === 'heic') return headerSizeOfHeif(bytes);
  const { width, height } = (await readHeader(bytes, format)).autoOrient;
  return { width, height };
}

async function openPage(
  file: Uint8Array,
  context: DecodeContext,
  { page, largestPage }: { page: number | undefined; largestPage: number },
): Promise<OpenedPicture> {
  if (page === undefined) return openPicture(file, context);
  if (!(Number.isSafeInteger(page) && page >= 1)) throw noSuchPage(page, 1);
  if (context.pdf && isPdf(file)) {
    const within = (most: number) => Math.min(most, context.maxPixels);
    const limits = { pixels: within(WORKING_PIXELS), ofLargePage: within(largestPage) };
    const raw = await context.pdf.draw(file, page, limits);
    return openedRaw(file, 'pdf', raw);
  }
  if (formatOf(file) === 'tiff') return openPicture(pageOfTiff(file, page), context);
  if (page > 1) throw noSuchPage(page, 1);
  return openPicture(file, context);
}

async function openPicture(file: Uint8Array, context: DecodeContext): Promise<OpenedPicture> {
  const format = formatOf(file);
  const { bytes: first, firstOfMany } = firstPictureWithinCost(file, format, context.maxPixels);
  const bytes = format === 'tiff' ? await withKnownCompression(first, context.maxPixels) : first;
  if (format === 'bmp' || format === 'heic') return openRaw(format, bytes, context);
  const metadata = await readHeader(bytes, format);
  const { width, height } = metadata.autoOrient;
  checkSize({ width, height }, mostPixelsOf(format, context.maxPixels));
  if (metadata.channels > MAX_CHANNELS) throw damaged('the header claims an absurd number of channels');
  const floating = format === 'tiff' && storageOfTiff(bytes)?.floating === true;
  const lift = floating && (await isOfShares(bytes)) ? 255 : 1;
  return {
    bytes,
    format,
    width,
    height,
    firstOfMany: firstOfMany || (metadata.pages ?? 1) > 1,
    pixels(strictness) {
      const decoded = sharp(bytes, {
        failOn: strictness,
        limitInputPixels: context.maxPixels,
        autoOrient: true,
      });
      return lift === 1 ? decoded : decoded.linear(lift, 0);
    },
  };
}

/** Whether the levels of a floating-point picture range from 0 for black to 1 for white, rather than to 255. */
async function isOfShares(bytes: Uint8Array): Promise<boolean> {
  try {
    const { channels } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).stats();
    return channels.every(({ max }) => max <= 1);
  } catch {
    // Decoding the pixels fails as well, and its error reports that the file is damaged.
    return false;
  }
}

async function openRaw(
  format: 'bmp' | 'heic',
  bytes: Uint8Array,
  context: DecodeContext,
): Promise<OpenedPicture> {
  const claimed = format === 'bmp' ? headerSizeOfBmp(bytes) : headerSizeOfHeif(bytes);
  const mostPixels = mostPixelsOf(format, context.maxPixels);
  checkSize(claimed, mostPixels);
  const raw = await context.decodeRaw(format, bytes, WORKING_PIXELS);
  // A HEIC may be turned by its own transformations, which its decoder has applied.
  checkSize(raw.original, mostPixels);
  return openedRaw(bytes, format, raw);
}

function openedRaw(bytes: Uint8Array, format: OpenedPicture['format'], raw: RawPixels): OpenedPicture {
  const { data, width, height, channels, original } = raw;
  return {
    bytes,
    format,
    ...original,
    firstOfMany: false,
    ...(width < original.width && { reducedTo: { width, height } }),
    pixels: () => sharp(data, { raw: { width, height, channels } }),
  };
}

async function readHeader(bytes: Uint8Array, format: PictureFormat): Promise<Metadata> {
  try {
    const metadata = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
    const named: string = metadata.format === 'heif' ? 'avif' : metadata.format;
    if (named === format) return metadata;
  } catch (cause) {
    throw damaged(`the header of a ${format} cannot be read`, cause);
  }
  throw damaged(`the content is not the ${format} that its first bytes promise`);
}

/** Formats whose decoders keep the pixels before the damage. */
const READ_AS_FAR_AS_IT_GOES: ReadonlySet<OpenedPicture['format']> = new Set(['jpeg', 'png']);

/**
 * Decodes. Of a truncated file it keeps the received part; `incomplete` reports that, except for the very last rows of a
 * JPEG, which hold no letter.
 */
async function decoded<Output>(
  opened: OpenedPicture,
  finish: (pipeline: Sharp) => Promise<Output>,
): Promise<{ result: Output; incomplete: boolean }> {
  try {
    return { result: await finish(opened.pixels('truncated')), incomplete: false };
  } catch (cause) {
    if (READ_AS_FAR_AS_IT_GOES.has(opened.format)) {
      try {
        const bytes = (await completedPngOf(opened)) ?? opened.bytes;
        const forgiving = sharp(bytes, { failOn: 'none', limitInputPixels: false, autoOrient: true });
        const result = await finish(forgiving);
        return { result, incomplete: opened.format !== 'jpeg' || !(await isNearlyWhole(opened.bytes)) };
      } catch {
        // The first failure is more informative.
      }
    }
    throw damaged(`the content of a ${opened.format} cannot be decoded`, cause);
  }
}

/** The decoder itself would repeat rows in place of missing ones. The header's size is checked already. */
const completedPngOf = async ({ format, bytes }: OpenedPicture): Promise<Uint8Array | undefined> =>
  format === 'png' ? completedPng(bytes, Number.POSITIVE_INFINITY, inflate) : undefined;

export const inflate: Inflate = async (stream, target) => {
  let length = 0;
  const inflater = createInflate();
  inflater.on('data', (part: Uint8Array) => {
    target.set(part.subarray(0, target.length - length), length);
    length = Math.min(target.length, length + part.length);
  });
  try {
    for (const part of stream) {
      if (length === target.length) break;
      await new Promise<void>((resolve, reject) => {
        inflater.once('error', reject);
        inflater.write(part, () => resolve());
      });
      inflater.removeAllListeners('error');
    }
  } catch {
    // Damage ends the pixels, as the end of the stream does.
  } finally {
    inflater.destroy();
  }
  return length;
};

/**
 * Whether only the end marker, or a few bytes of the last row of blocks, are missing: common after an interrupted transfer,
 * and no letter is lost. With an end marker added, everything above must decode without a warning; a decoder that runs out of
 * data earlier warns.
 */
async function isNearlyWhole(bytes: Uint8Array): Promise<boolean> {
  const completed = Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]);
  const options = { failOn: 'warning', limitInputPixels: false } as const;
  try {
    const { width, height } = await sharp(completed, options).metadata();
    if (height <= JPEG_BLOCK_ROWS) return false;
    const whole = { left: 0, top: 0, width, height: height - JPEG_BLOCK_ROWS };
    await sharp(completed, options).extract(whole).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

function damaged(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message, { cause });
}
