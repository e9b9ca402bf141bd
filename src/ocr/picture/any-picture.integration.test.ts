import fc from 'fast-check';
import { valueSymbol } from 'piscina';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { randomFrom } from '../../../scripts/random.ts';
import { FORMATS } from '../../../tests/fuzz/anatomy.ts';
import { mutate, type SeedPicture } from '../../../tests/fuzz/mutations.ts';
import { drawnPictures } from '../../../tests/fuzz/seed-pictures.ts';
import { brokenPdfs, scanPage } from '../../../tests/support/documents.ts';
import { pdfOf } from '../../../tests/support/pdf.ts';
import { holds } from '../../../tests/support/properties.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { work } from '../threads/decoder-worker.ts';
import type { ThreadResult } from '../threads/tasks.ts';
import { decodeBmp, headerSizeOfBmp } from './bmp.ts';
import { type DecodeContext, decodePicture, pagesOf, renderPreview } from './decode.ts';
import { formatOf } from './format.ts';
import { headerSizeOfHeif } from './heif.ts';

const REFUSALS: readonly string[] = [
  OCR_ERRORS.damaged,
  OCR_ERRORS.unsupported,
  OCR_ERRORS.vector,
  OCR_ERRORS.tooManyPixels,
  OCR_ERRORS.tooCostly,
  OCR_ERRORS.encrypted,
  OCR_ERRORS.tooManyPages,
  OCR_ERRORS.noSuchPage,
];

/** The result, or undefined where the picture was refused for its content. Any other error is a fault. */
async function unlessRefused<Result>(attempt: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof OcrError && REFUSALS.includes(error.code)) return undefined;
    throw error;
  }
}

const MAX_PIXELS = 2_000_000;
const context: DecodeContext = {
  maxPixels: MAX_PIXELS,
  decodeRaw: (format, bytes, workingPixels) => worked({ format, bytes, workingPixels }),
  pdf: {
    draw: (bytes, page, limits) => worked({ format: 'pdf', bytes, page, limits }),
    pages: (bytes) => worked({ format: 'pdf-pages', bytes }),
  },
};

/** The decoding thread's work, on this thread; a transferred result is in an envelope. */
async function worked<Answer>(task: Parameters<typeof work>[0]): Promise<Answer> {
  const sent = (await work(task)) as ThreadResult<Answer> & { [valueSymbol]?: ThreadResult<Answer> };
  const result = sent[valueSymbol] ?? sent;
  if (!result.ok) throw new OcrError(result.failure.code, result.failure.message);
  return result.answer;
}

let pictures: SeedPicture[];
beforeAll(async () => {
  pictures = await drawnPictures();
  // HEIC's decoder also logs the errors that it throws.
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

/** Another number is another picture, so shrinking makes no sense. */
const anyChance = fc.noShrink(fc.nat(2 ** 31 - 1));
function mutated(format: (typeof FORMATS)[number], chance: number): Uint8Array {
  const random = randomFrom(chance);
  const seed = random.of(pictures.filter((one) => one.format === format));
  return Uint8Array.from(mutate(seed, pictures, random).bytes);
}

describe('decoding: arbitrary bytes', () => {
  it('have a known format, or are refused with a reason', () =>
    holds(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const format = await unlessRefused(() => formatOf(bytes));
        if (format !== undefined) expect(FORMATS).toContain(format);
      }),
      1_000,
    ));

  it('behind a bitmap’s first letters decode to the stated size, or are refused as damaged', () => {
    const header = fc.record({
      size: fc.constantFrom(12, 16, 40, 52, 56, 64, 108, 124),
      width: fc.integer({ min: -4, max: 70 }),
      height: fc.integer({ min: -70, max: 70 }),
      bits: fc.constantFrom(0, 1, 2, 4, 8, 16, 24, 32, 33),
      packing: fc.constantFrom(0, 1, 2, 3, 4, 6),
      offset: fc.oneof(fc.constantFrom(0, 54, 66, 118, 1078), fc.nat(5_000)),
      rest: fc.uint8Array({ maxLength: 4_000 }),
    });
    return holds(
      fc.asyncProperty(header, async ({ size, width, height, bits, packing, offset, rest }) => {
        const bytes = Buffer.concat([Buffer.alloc(54), rest]);
        bytes.write('BM');
        bytes.writeUInt32LE(offset, 10);
        bytes.writeUInt32LE(size, 14);
        if (size === 12) {
          bytes.writeInt16LE(width, 18);
          bytes.writeInt16LE(height, 20);
          bytes.writeUInt16LE(bits, 24);
        } else {
          bytes.writeInt32LE(width, 18);
          bytes.writeInt32LE(height, 22);
          bytes.writeUInt16LE(bits, 28);
          bytes.writeUInt32LE(packing, 30);
        }
        const claimed = await unlessRefused(() => headerSizeOfBmp(bytes));
        if (claimed === undefined || claimed.width * claimed.height > MAX_PIXELS) return;
        const whole = await unlessRefused(() => decodeBmp(bytes, MAX_PIXELS));
        if (whole === undefined) return;
        expect(whole).toMatchObject(claimed);
        expect(whole.data.length).toBe(claimed.width * claimed.height * 4);
        const smaller = decodeBmp(bytes, 100);
        expect(smaller.width * smaller.height).toBeLessThanOrEqual(
          4 * Math.max(100, claimed.width + claimed.height),
        );
      }),
      600,
    );
  });

  it('of boxes state a size, or are refused as damaged', () => {
    const box = fc.record({
      type: fc.constantFrom('ftyp', 'meta', 'iprp', 'ipco', 'ispe', 'mdat', 'free'),
      length: fc.oneof(fc.constantFrom(0, 1, 7, 8, 20, 0xffffffff), fc.nat(300)),
      content: fc.uint8Array({ maxLength: 24 }),
    });
    return holds(
      fc.asyncProperty(fc.array(box, { maxLength: 30 }), async (boxes) => {
        const bytes = Buffer.concat(
          boxes.map(({ type, length, content }) => {
            const head = Buffer.alloc(8);
            head.writeUInt32BE(length);
            head.write(type, 4, 'latin1');
            return Buffer.concat([head, content]);
          }),
        );
        const size = await unlessRefused(() => headerSizeOfHeif(bytes));
        if (size) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
      }),
      500,
    );
  });
});

describe.each(FORMATS)('decoding: a %s with changes where decoders have to be careful', (format) => {
  it('is read within its limits, or refused for its content', () =>
    holds(
      fc.asyncProperty(anyChance, async (chance) => {
        const picture = await unlessRefused(() => decodePicture(mutated(format, chance), context));
        if (!picture) return;
        const { width, height, original, gray, rgb } = picture;
        expect(original.width * original.height).toBeLessThanOrEqual(MAX_PIXELS);
        expect(width * height).toBeLessThanOrEqual(original.width * original.height);
        expect([gray.length, rgb.length]).toEqual([width * height, 3 * width * height]);
      }),
      40,
    ));

  it('has a preview within the requested size, or is refused for its content', () =>
    holds(
      fc.asyncProperty(anyChance, async (chance) => {
        const preview = await unlessRefused(() => renderPreview(mutated(format, chance), 64, context));
        if (!preview) return;
        const view = new DataView(preview.buffer, preview.byteOffset);
        expect(Math.max(view.getUint32(16), view.getUint32(20))).toBeLessThanOrEqual(64);
      }),
      25,
    ));
});

describe('pages of a document with changes anywhere', () => {
  /** With some bytes replaced, or a stretch missing or repeated. */
  function changed(bytes: Uint8Array, chance: number): Uint8Array {
    const random = randomFrom(chance);
    let copy = Buffer.from(bytes);
    for (let times = random.whole(1, 8); times > 0; times--) {
      const from = random.whole(0, copy.length - 1);
      const to = Math.min(copy.length, from + random.whole(1, 64));
      const how = random.whole(0, 2);
      if (how === 0) copy[from] = random.whole(0, 255);
      else if (how === 1) copy = Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
      else copy = Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
    }
    return new Uint8Array(copy);
  }

  it.each(['pdf', 'tiff'] as const)(
    'stay within their limits, or it is refused for its content: a %s',
    async (kind) => {
      const words = { width: 300, height: 200, words: 'Any words' };
      const pdfs = [pdfOf([await scanPage(), words]), ...Object.values(await brokenPdfs())];
      const tiffs = pictures.filter(({ format }) => format === 'tiff').map(({ bytes }) => bytes);
      const seeds = kind === 'pdf' ? pdfs : tiffs;
      await holds(
        fc.asyncProperty(anyChance, async (chance) => {
          const document = changed(randomFrom(chance).of(seeds), chance);
          const list = await unlessRefused(() => pagesOf(document, context));
          if (list) expect(list.pages.length).toBeLessThanOrEqual(2_000);
          const page = 1 + (chance % Math.min(3, list?.pages.length ?? 1));
          const drawn = await unlessRefused(() => decodePicture(document, context, page));
          if (drawn) expect(drawn.width * drawn.height).toBeLessThanOrEqual(MAX_PIXELS);
        }),
        60,
      );
    },
  );
});
