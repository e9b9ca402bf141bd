import sharp from 'sharp';
import { expect, it } from 'vitest';
import { blankPng, jpegOfScans } from '../../../tests/support/hostile-pictures.ts';
import { encodeBmp } from '../../../tests/support/pictures.ts';
import { decodeBmp, headerSizeOfBmp } from './bmp.ts';
import { decodePicture } from './decode.ts';

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } });

const large: [string, () => Promise<Buffer>][] = [
  ['a JPEG of ten scans and 49 million pixels', async () => jpegOfScans(10, 7_000)],
  [
    'a progressive JPEG of a camera',
    () => flat(4_000, 3_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  ],
  ['a JPEG of 64 scans', async () => jpegOfScans(64, 4_000)],
  ['an interlaced PNG of 12 million pixels', () => flat(4_000, 3_000).png({ progressive: true }).toBuffer()],
  [
    'an interlaced PNG of 16 bits and 24 million pixels',
    async () => blankPng(6_000, 4_000, { bits: 16, color: 'rgb', interlaced: true }),
  ],
  [
    'a packed screenshot of 1,920 × 1,080 pixels',
    async () => {
      const gray = Array.from({ length: 1_920 * 1_080 }, (_, at) => (at % 37 < 5 ? 0 : 255));
      return encodeBmp('rle8', { gray, width: 1_920, height: 1_080 });
    },
  ],
];

it.each(large)(
  'decodePicture: a large picture as cameras and programs make it, such as %s, is decoded',
  async (_case, make) => {
    const picture = await decodePicture(await make(), {
      maxPixels: 100_000_000,
      async decodeRaw(_format, bytes, workingPixels) {
        return { ...decodeBmp(bytes, workingPixels), original: headerSizeOfBmp(bytes) };
      },
    });
    expect(picture.gray.length).toBe(picture.width * picture.height);
  },
);
