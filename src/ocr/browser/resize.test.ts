import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { textPicture } from '../../../tests/support/pictures.ts';
import { type Kernel, resize } from './resize.ts';

/** Text with some noise, so that no level is rare; of an odd size. */
async function page() {
  const { data, info } = await textPicture()
    .removeAlpha()
    .resize({ width: 481, height: 161, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noisy = Uint8Array.from(data, (level, at) => Math.abs(level - ((at * 2_654_435_761) >>> 26)));
  return { data: noisy, width: info.width, height: info.height };
}

const FACTORS: readonly [across: number, down: number][] = [
  [0.8, 0.8],
  [0.455, 0.46],
  [0.21, 0.24],
  [0.15, 0.09],
  [2, 2],
  [1.37, 1.4],
  [1, 0.5],
];

describe('resize: gives the levels of sharp', () => {
  it.each(
    (['cubic', 'lanczos3'] as const).flatMap((kernel) =>
      FACTORS.map(([across, down]): [Kernel, number, number] => [kernel, across, down]),
    ),
  )('by %s at %f of the width and %f of the height', async (kernel, across, down) => {
    const picture = await page();
    const size = { width: Math.round(picture.width * across), height: Math.round(picture.height * down) };
    const raw = { width: picture.width, height: picture.height, channels: 3 } as const;
    const expected = await sharp(picture.data, { raw })
      .resize({ ...size, fit: 'fill', kernel })
      .raw()
      .toBuffer();
    expect(Buffer.compare(resize(picture, size, 3, kernel), expected)).toBe(0);
  });
});

it('resize: a picture of the wanted size is returned as it is', async () => {
  const picture = await page();
  expect(Buffer.compare(resize(picture, picture, 3, 'lanczos3'), picture.data)).toBe(0);
});
