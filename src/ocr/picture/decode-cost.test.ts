import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  avifOfLayers,
  blankPng,
  bmpOfRuns,
  heicOfBoxes,
  heicOfNestedBoxes,
  jpegOfScans,
  tiffOf,
  tiffOfPages,
  webpOfFrames,
} from '../../../tests/support/hostile-pictures.ts';
import { bmp, fixture, textPicture } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS } from '../errors.ts';
import { decodeBmp, headerSizeOfBmp } from './bmp.ts';
import { type DecodeContext, decodePicture, renderPreview } from './decode.ts';
import { firstPictureWithinCost } from './decode-cost.ts';

const MAX_PIXELS = 100_000_000;

/** All decoders except HEIC's, which needs a thread of its own. */
const context: DecodeContext = {
  maxPixels: MAX_PIXELS,
  async decodeRaw(format, bytes, workingPixels) {
    if (format === 'heic') throw new Error('what is refused does not come here');
    return { ...decodeBmp(bytes, workingPixels), original: headerSizeOfBmp(bytes) };
  },
};

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } });

const stillAvif = (side: number) => flat(side, side).avif({ effort: 0 }).toBuffer();

async function fourPages(): Promise<Buffer> {
  const pages = [textPicture(), textPicture().negate(), textPicture().flip(), textPicture().flop()];
  const files = await Promise.all(pages.map((page) => page.png().toBuffer()));
  return sharp(files, { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toBuffer();
}

async function animation(frames: number): Promise<Buffer> {
  return webpOfFrames(await textPicture().webp({ lossless: true }).toBuffer(), frames, 480, 160);
}

describe('decodePicture: a picture that costs far more than its pixels', () => {
  const { tooCostly, tooManyPixels, damaged } = OCR_ERRORS;
  it.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a JPEG of 5,000 scans over 100 million pixels', tooCostly, () => jpegOfScans(5_000, 10_000)],
    ['a JPEG of 5,000 scans over 64 pixels', tooCostly, () => jpegOfScans(5_000, 8)],
    [
      'an interlaced PNG of 16 bits and 100 million pixels',
      tooCostly,
      () => blankPng(10_000, 10_000, { bits: 16, color: 'rgb', interlaced: true }),
    ],
    [
      'a TIFF of 30,000 tags',
      tooCostly,
      () => tiffOf([Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [index + 1_000, 1]))]),
    ],
    ['a HEIC of 1,000,000 boxes', tooCostly, () => heicOfBoxes(1_000_000)],
    ['a HEIC of 800,000 boxes in each other', damaged, () => heicOfNestedBoxes(800_000)],
    [
      'an AVIF that lays a picture over itself 60 times',
      tooCostly,
      async () => avifOfLayers(await stillAvif(3_000), { side: 3_000, layers: 60 }),
    ],
    [
      'an AVIF of 100 million pixels, of which its decoder holds several whole planes',
      tooManyPixels,
      async () => {
        const avif = await stillAvif(64);
        avif.writeUInt32BE(10_000, avif.indexOf('ispe') + 8);
        avif.writeUInt32BE(10_000, avif.indexOf('ispe') + 12);
        return avif;
      },
    ],
  ])('because it is %s is refused as %s, for a preview too', async (_case, code, make) => {
    const bytes = await make();
    await expect(decodePicture(bytes, context)).rejects.toMatchObject({ code });
    await expect(renderPreview(bytes, 400, context)).rejects.toMatchObject({ code });
  });

  it('because it is a TIFF of 90,000 pages reaches its decoder as one page', async () => {
    const pages = tiffOfPages(90_000);
    const { bytes, firstOfMany } = firstPictureWithinCost(pages, 'tiff', MAX_PIXELS);
    expect(firstOfMany).toBe(true);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  });

  it('because it is an animated WebP of 180,000 frames reaches its decoder as one frame', async () => {
    const still = await flat(1, 1).webp({ lossless: true }).toBuffer();
    const animated = webpOfFrames(still, 180_000, 1, 1);
    const { bytes, firstOfMany } = firstPictureWithinCost(animated, 'webp', MAX_PIXELS);
    expect(firstOfMany).toBe(true);
    expect(bytes.length).toBeLessThan(200);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  });

  it('because it is a bitmap of runs outside its rows is read in time proportional to its bytes', () => {
    const short = bmpOfRuns(4_000_000, 1);
    const long = bmpOfRuns(4_000_000, 255);
    const seconds = (bytes: Buffer) => {
      const before = process.cpuUsage();
      decodeBmp(bytes, 1_000);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    seconds(short);
    expect(seconds(long) / seconds(short)).toBeLessThan(10);
  });
});

describe('decodePicture: a picture as cameras, scanners and programs make it', () => {
  const real: [string, () => Promise<Buffer>][] = [
    [
      'a JPEG whose scans were chosen to be small',
      () => textPicture().jpeg({ mozjpeg: true, optimiseScans: true }).toBuffer(),
    ],
    ['a TIFF of four pages', fourPages],
    ['an animated WebP', () => animation(100)],
    ['a packed bitmap', () => bmp('rle8')],
    [
      'an AVIF that is laid over another',
      async () => avifOfLayers(await stillAvif(400), { side: 400, layers: 2 }),
    ],
  ];
  it.each(real)('such as %s is decoded', async (_case, make) => {
    const picture = await decodePicture(await make(), context);
    expect(picture.gray.length).toBe(picture.width * picture.height);
  });

  it.each([
    ['a TIFF', fourPages],
    ['an animated WebP', () => animation(3)],
  ])(
    'with several pages or frames, such as %s, is read by the first and gets a notice',
    async (_case, make) => {
      const [first, picture] = await Promise.all([
        decodePicture(fixture('harbour-lights.png'), context),
        decodePicture(await make(), context),
      ]);
      expect(Buffer.compare(picture.gray, first.gray)).toBe(0);
      expect(picture.notices.map((notice) => notice.code)).toEqual(['first_frame']);
    },
  );
});
