import { valueSymbol } from 'piscina';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { brokenPdfs, scanJpeg, scanPage, twoPageTiff } from '../../../tests/support/documents.ts';
import { tiffOf, tiffOfPages } from '../../../tests/support/hostile-pictures.ts';
import { lockedPdf, pdfOf } from '../../../tests/support/pdf.ts';
import { fixture } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { work } from '../threads/decoder-worker.ts';
import type { ThreadResult } from '../threads/tasks.ts';
import type { PageSize } from '../types.ts';
import { type DecodeContext, decodePicture, pagesOf, type RawPixels, renderPreview } from './decode.ts';

/** The decoding thread's work, on this thread; a transferred result is in an envelope. */
async function worked<Answer>(task: Parameters<typeof work>[0]): Promise<Answer> {
  const sent = (await work(task)) as ThreadResult<Answer> & { [valueSymbol]?: ThreadResult<Answer> };
  const result = sent[valueSymbol] ?? sent;
  if (!result.ok) throw new OcrError(result.failure.code, result.failure.message);
  return result.answer;
}

const MAX_PIXELS = 20_000_000;
const context: DecodeContext = {
  maxPixels: MAX_PIXELS,
  decodeRaw: (format, bytes, workingPixels) => worked<RawPixels>({ format, bytes, workingPixels }),
  pdf: {
    draw: (bytes, page, limits) => worked<RawPixels>({ format: 'pdf', bytes, page, limits }),
    pages: (bytes) => worked<PageSize[]>({ format: 'pdf-pages', bytes }),
  },
};

const { unsupported, damaged, encrypted, tooManyPages, noSuchPage, tooCostly } = OCR_ERRORS;

describe('PDF', () => {
  it('reports the size of each page in points, after rotation, and which pages hold text', async () => {
    const bytes = pdfOf([
      await scanPage(),
      { width: 612, height: 792, words: 'Written by a program' },
      { ...(await scanPage()), rotate: 90 },
    ]);
    expect(await pagesOf(bytes, context)).toEqual({
      unit: 'point',
      pages: [
        { width: 480, height: 160, hasText: false },
        { width: 612, height: 792, hasText: true },
        { width: 160, height: 480, hasText: false },
      ],
    });
  });

  it('is rendered page by page at 300 dots per inch, in its own colors', async () => {
    const red = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#c01020' } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const bytes = pdfOf([await scanPage(), { width: 72, height: 36, jpeg: red }]);
    const { width, height, rgb, original, scale, notices } = await decodePicture(bytes, context, 2);
    expect({ width, height, original, scale, notices }).toEqual({
      width: 300,
      height: 150,
      original: { width: 300, height: 150 },
      scale: 1,
      notices: [],
    });
    const [r, g, b] = rgb.subarray(3 * (75 * 300 + 150));
    expect(Math.abs(r! - 0xc0) + Math.abs(g! - 0x10) + Math.abs(b! - 0x20)).toBeLessThan(8);
    const preview = await sharp(await renderPreview(bytes, 100, context, 2)).metadata();
    expect([preview.width, preview.height]).toEqual([100, 50]);
  });

  it('with a page larger than A3 is rendered at 150 dots per inch, with at most 36 million pixels', async () => {
    const large = { ...context, maxPixels: 100_000_000 };
    const plan = pdfOf([{ width: 1684, height: 2384, words: 'A1' }]);
    const a1 = await decodePicture(plan, large, 1);
    expect([a1.width, a1.height]).toEqual([3508, 4966]);
    expect(a1.dotsPerInch).toBeCloseTo(150, 1);
    const poster = pdfOf([{ width: 9_000, height: 7_000, words: 'Large' }]);
    const { width, height } = await decodePicture(poster, large, 1);
    expect(width * height).toBeLessThanOrEqual(36_000_000);
    expect(width * height).toBeGreaterThan(35_900_000);
    const fewer = await decodePicture(poster, { ...context, maxPixels: 1_000_000 }, 1);
    expect(fewer.width * fewer.height).toBeLessThanOrEqual(1_000_000);
  });

  it('is refused as a picture without a page number, or without a PDF decoder', async () => {
    const bytes = pdfOf([await scanPage()]);
    await expect(decodePicture(bytes, context)).rejects.toMatchObject({ code: unsupported });
    await expect(renderPreview(bytes, 100, context)).rejects.toMatchObject({ code: unsupported });
    const without = { maxPixels: MAX_PIXELS, decodeRaw: context.decodeRaw };
    await expect(decodePicture(bytes, without, 1)).rejects.toMatchObject({ code: unsupported });
  });

  it('that opens with a password only is reported as encrypted', async () => {
    const bytes = lockedPdf();
    await expect(pagesOf(bytes, context)).rejects.toMatchObject({ code: encrypted });
    await expect(decodePicture(bytes, context, 1)).rejects.toMatchObject({ code: encrypted });
  });

  it.each([0, 3, 1.5, Number.NaN])('has no page %d of two', async (page) => {
    const words = { width: 200, height: 200, words: 'x' };
    await expect(decodePicture(pdfOf([words, words]), context, page)).rejects.toMatchObject({
      code: noSuchPage,
    });
  });

  it('with more pages than the limit is refused', async () => {
    const pages = Array.from({ length: 2_001 }, () => ({ width: 100, height: 100, words: '' }));
    await expect(pagesOf(pdfOf(pages), context)).rejects.toMatchObject({ code: tooManyPages });
  });

  it('that is broken is read up to the damage, or refused for its content', async () => {
    for (const [how, bytes] of Object.entries(await brokenPdfs())) {
      for (const attempt of [
        () => pagesOf(bytes, context).then(({ pages }) => pages.length),
        () => decodePicture(bytes, context, 1).then(({ width, height }) => width * height),
      ]) {
        const outcome = await attempt().catch((error) => error);
        if (typeof outcome === 'number') expect(outcome, how).toBeLessThanOrEqual(9_000_000);
        else expect([damaged, encrypted, tooManyPages, noSuchPage, tooCostly], how).toContain(outcome.code);
      }
    }
  });
});

describe('TIFF', () => {
  it('reports the size of each page, and any of them is decoded as if it stood alone', async () => {
    const bytes = await twoPageTiff();
    expect(await pagesOf(bytes, context)).toEqual({
      unit: 'pixel',
      pages: [
        { width: 480, height: 160, hasText: false },
        { width: 480, height: 160, hasText: false },
      ],
    });
    const upright = await decodePicture(fixture('harbour-lights.png'), context);
    const [first, second] = [await decodePicture(bytes, context, 1), await decodePicture(bytes, context, 2)];
    expect(Buffer.compare(first.gray, upright.gray)).toBe(0);
    expect(
      Buffer.compare(
        second.gray,
        upright.gray.map((gray) => 255 - gray),
      ),
    ).toBe(0);
    expect([...first.notices, ...second.notices]).toEqual([]);
    await expect(decodePicture(bytes, context, 3)).rejects.toMatchObject({ code: noSuchPage });
  });

  it('reports its size after rotation, and leaves small copies of a page out', async () => {
    const bytes = tiffOf([
      { 256: 40, 257: 20, 274: 6 },
      { 254: 1, 256: 4, 257: 2 },
      { 256: 30, 257: 10 },
    ]);
    expect((await pagesOf(bytes, context)).pages).toEqual([
      { width: 20, height: 40, hasText: false },
      { width: 30, height: 10, hasText: false },
    ]);
  });

  it('with too many pages, or with a cycle of pages, is refused', async () => {
    await expect(pagesOf(tiffOfPages(2_001), context)).rejects.toMatchObject({ code: tooManyPages });
    const circle = tiffOfPages(3);
    circle.writeUInt32LE(10, circle.length - 4);
    await expect(pagesOf(circle, context)).rejects.toMatchObject({ code: damaged });
    await expect(decodePicture(circle, context, 2)).rejects.toMatchObject({ code: damaged });
  });
});

describe('picture', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('such as a %s has one page', async (format) => {
    const bytes = await sharp(await scanJpeg())
      .resize(64, 32)
      .toFormat(format)
      .toBuffer();
    expect(await pagesOf(bytes, context)).toEqual({
      unit: 'pixel',
      pages: [{ width: 64, height: 32, hasText: false }],
    });
    expect((await decodePicture(bytes, context, 1)).width).toBe(64);
    await expect(decodePicture(bytes, context, 2)).rejects.toMatchObject({ code: noSuchPage });
  });

  it('with a sideways orientation tag has its size after rotation, and so has a HEIC', async () => {
    const sideways = await sharp(await scanJpeg())
      .resize(64, 32)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await pagesOf(sideways, context)).pages).toEqual([{ width: 32, height: 64, hasText: false }]);
    expect((await pagesOf(fixture('upright.heic'), context)).pages).toHaveLength(1);
  });

  it('with invalid content is refused as such', async () => {
    await expect(pagesOf(Buffer.from('hello'), context)).rejects.toMatchObject({ code: unsupported });
  });
});
