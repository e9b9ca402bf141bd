import { createRequire } from 'node:module';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import sharp from 'sharp';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { decodeBmp, headerSizeOfBmp } from '../picture/bmp.ts';
import type { RawPixels } from '../picture/decode.ts';
import type { ThreadResult } from './tasks.ts';

export interface RawDecodeTask {
  format: 'bmp' | 'heic';
  bytes: Uint8Array;
  workingPixels: number;
}

type HeicDecode = (options: {
  buffer: Uint8Array;
}) => Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;

/** The decoding thread's one task handler: a `ThreadResult<RawPixels>`, its pixels moved and not copied. */
export async function work(task: RawDecodeTask): Promise<unknown> {
  try {
    const answer =
      task.format === 'bmp'
        ? { ...decodeBmp(task.bytes, task.workingPixels), original: headerSizeOfBmp(task.bytes) }
        : await decodeHeic(task.bytes, task.workingPixels);
    const result: ThreadResult<RawPixels> = { ok: true, answer };
    return move({ [transferableSymbol]: answer.data.buffer as ArrayBuffer, [valueSymbol]: result });
  } catch (error) {
    return { ok: false, failure: toFailure(error) } satisfies ThreadResult<RawPixels>;
  }
}

/** libheif applies the file's rotation and mirroring; its EXIF orientation repeats them and is ignored. */
async function decodeHeic(bytes: Uint8Array, workingPixels: number): Promise<RawPixels> {
  const decode = createRequire(import.meta.url)('heic-decode') as HeicDecode;
  // The package knows only some of the brands that HEVC pictures carry; by now it is known to be one.
  bytes.set(Buffer.from('heic'), 8);
  try {
    const { data, width, height } = await decode({ buffer: bytes });
    const original = { width, height };
    const scale = Math.sqrt(workingPixels / (width * height));
    if (scale >= 1) return { data: new Uint8Array(data.buffer), width, height, channels: 4, original };
    // What is too large to be worked on leaves this thread smaller, and the rest goes when the thread ends.
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
