import { createRequire } from 'node:module';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import sharp from 'sharp';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { decodeBmp, headerSizeOfBmp } from '../picture/bmp.ts';
import type { DrawLimits, RawPixels } from '../picture/decode.ts';
import type { PageSize } from '../types.ts';
import type { ThreadResult } from './tasks.ts';

export type RawDecodeTask = { bytes: Uint8Array } & (
  | { format: 'bmp' | 'heic'; workingPixels: number }
  /** A page counted from 1. */
  | { format: 'pdf'; page: number; limits: DrawLimits }
);

export interface PageListTask {
  format: 'pdf-pages';
  bytes: Uint8Array;
}

type HeicDecode = (options: {
  buffer: Uint8Array;
}) => Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;

/**
 * The task handler of the decoding thread: a `ThreadResult` of a page list, or of `RawPixels`, which are transferred and not
 * copied.
 */
export async function work(task: RawDecodeTask | PageListTask): Promise<unknown> {
  try {
    if (task.format === 'pdf-pages') {
      const { pagesOfPdf } = await import('../picture/pdf.ts');
      return { ok: true, answer: await pagesOfPdf(task.bytes) } satisfies ThreadResult<PageSize[]>;
    }
    const answer = await decode(task);
    const result: ThreadResult<RawPixels> = { ok: true, answer };
    return move({ [transferableSymbol]: answer.data.buffer as ArrayBuffer, [valueSymbol]: result });
  } catch (error) {
    return { ok: false, failure: toFailure(error) } satisfies ThreadResult<RawPixels>;
  }
}

async function decode(task: RawDecodeTask): Promise<RawPixels> {
  const { bytes } = task;
  if (task.format === 'pdf') {
    const { drawPdfPage } = await import('../picture/pdf.ts');
    return drawPdfPage(bytes, task.page, task.limits);
  }
  const { workingPixels } = task;
  if (task.format === 'heic') return decodeHeic(bytes, workingPixels);
  return { ...decodeBmp(bytes, workingPixels), original: headerSizeOfBmp(bytes) };
}

/** libheif applies the file's rotation and mirroring; its EXIF orientation repeats them and is ignored. */
async function decodeHeic(bytes: Uint8Array, workingPixels: number): Promise<RawPixels> {
  const decode = createRequire(import.meta.url)('heic-decode') as HeicDecode;
  // The package accepts only some of the brands of HEVC pictures; at this point the format is known.
  bytes.set(Buffer.from('heic'), 8);
  try {
    const { data, width, height } = await decode({ buffer: bytes });
    const original = { width, height };
    const scale = Math.sqrt(workingPixels / (width * height));
    if (scale >= 1) return { data: new Uint8Array(data.buffer), width, height, channels: 4, original };
    // A picture above the working size leaves this thread reduced, and its memory is freed when the thread ends.
    const smaller = await sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
      .resize({ width: Math.round(width * scale), height: Math.round(height * scale), fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return {
      data: Uint8Array.from(smaller.data),
      width: smaller.info.width,
      height: smaller.info.height,
      channels: 4,
      original,
    };
  } catch (cause) {
    throw new OcrError(OCR_ERRORS.damaged, 'the content of a HEIC cannot be decoded', { cause });
  }
}
