import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { textPicture } from '../../../tests/support/pictures.ts';
import { type Kernel, resize } from './resize.ts';

const page = async () => {
  const { data, info } = await textPicture().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
};

/** How far the levels lie from those of sharp. */
async function apart(factor: number, kernel: Kernel): Promise<{ most: number; mean: number }> {
  const picture = await page();
  const size = { width: Math.round(picture.width * factor), height: Math.round(picture.height * factor) };
  const expected = await sharp(picture.data, {
    raw: { width: picture.width, height: picture.height, channels: 3 },
  })
    .resize({ ...size, fit: 'fill', kernel })
    .raw()
    .toBuffer();
  const found = resize(picture, size, 3, kernel);
  expect(found).toHaveLength(expected.length);
  let [most, sum] = [0, 0];
  for (const [at, level] of found.entries()) {
    const difference = Math.abs(level - expected[at]!);
    most = Math.max(most, difference);
    sum += difference;
  }
  return { most, mean: sum / found.length };
}

describe('resize: gives the levels of sharp', () => {
  it.each<[Kernel, number]>(
    (['cubic', 'lanczos3'] as const).flatMap((kernel): [Kernel, number][] =>
      [0.8, 0.455, 0.32, 0.21, 0.09, 2, 1.37].map((factor) => [kernel, factor]),
    ),
  )('by %s at %f of the size', async (kernel, factor) => {
    const { most, mean } = await apart(factor, kernel);
    expect(most).toBeLessThanOrEqual(2);
    // Small pictures of blocks have few pixels to average over.
    expect(mean).toBeLessThan(factor < 0.1 ? 0.2 : 0.05);
  });
});

it('resize: a picture of the wanted size is returned as it is', async () => {
  const picture = await page();
  expect(Buffer.compare(resize(picture, picture, 3, 'lanczos3'), picture.data)).toBe(0);
});
