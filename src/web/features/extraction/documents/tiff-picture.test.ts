import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { halfBrokenTiff, twoPageTiff } from '../../../../../tests/support/documents.ts';
import { textPicture } from '../../../../../tests/support/pictures.ts';
import { tiffDirectories } from './tiff-directories.ts';
import { type TiffPicture, tiffPicture } from './tiff-picture.ts';

const bufferOf = (file: Buffer) => new Uint8Array(file).buffer;

async function pagesOf(file: Buffer): Promise<TiffPicture[]> {
  const bytes = bufferOf(file);
  return (await tiffDirectories(new Blob([bytes]))).map((directory) => tiffPicture(bytes, directory));
}

/** The share of pixels with a difference that is larger than rounding errors. */
async function difference(page: TiffPicture, expected: Sharp): Promise<number> {
  const { data, info } = await expected.ensureAlpha().toColourspace('srgb').raw().toBuffer({
    resolveWithObject: true,
  });
  expect([page.width, page.height]).toEqual([info.width, info.height]);
  let differing = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (Math.abs(data[at]! - page.pixels[at]!) > 8) differing += 1;
  }
  return differing / (info.width * info.height);
}

describe('TIFF', () => {
  it('TIFF: each page is a separate picture', async () => {
    const [first, second, ...more] = await pagesOf(await twoPageTiff());
    expect(more).toEqual([]);
    expect(await difference(first!, textPicture())).toBeLessThan(0.001);
    expect(await difference(second!, textPicture().negate({ alpha: false }))).toBeLessThan(0.001);
  });

  it.each(['ccittfax4', 'deflate', 'packbits', 'none', 'jpeg'] as const)(
    'TIFF: decodes one page with %s compression',
    async (compression) => {
      const isFax = compression === 'ccittfax4';
      const paper = textPicture().flatten({ background: 'white' });
      const drawn = isFax ? paper.toColourspace('b-w') : paper;
      const file = await drawn.tiff({ compression, ...(isFax && { bitdepth: 1 as const }) }).toBuffer();
      const [page, ...more] = await pagesOf(file);
      expect(more).toEqual([]);
      expect(await difference(page!, sharp(file))).toBeLessThan(0.01);
    },
  );

  it('TIFF: a circular chain of pages has each page once', async () => {
    const bytes = bufferOf(await twoPageTiff());
    const [first, second] = await tiffDirectories(new Blob([bytes]));
    new DataView(bytes).setUint32(second!.pointer, first!.at, true);
    expect(await tiffDirectories(new Blob([bytes]))).toEqual([first, second]);
  });

  it('TIFF: a truncated file has its complete pages, or none', async () => {
    const bytes = bufferOf(await twoPageTiff());
    const [first] = await tiffDirectories(new Blob([bytes]));
    expect(await tiffDirectories(new Blob([bytes.slice(0, 6)]))).toEqual([]);
    const cut = bytes.slice(0);
    new DataView(cut).setUint32(first!.pointer, cut.byteLength + 100, true);
    expect(await tiffDirectories(new Blob([cut]))).toEqual([first]);
  });

  it('TIFF: rejects a page with too many pixels, and decodes the others', async () => {
    const bytes = bufferOf(await halfBrokenTiff());
    const [first, second] = await tiffDirectories(new Blob([bytes]));
    expect(() => tiffPicture(bytes, second!)).toThrow(RangeError);
    expect(await difference(tiffPicture(bytes, first!), textPicture())).toBeLessThan(0.001);
  });
});
