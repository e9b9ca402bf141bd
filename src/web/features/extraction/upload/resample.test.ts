import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { sheet } from '../../../../../tests/support/pictures.ts';
import { CHANNELS, lanczosWeights, resampleHorizontally, resampleVertically } from './resample.ts';

async function pixelsOf(picture: Sharp) {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), ...info };
}

/** Resamples in strips, like the worker. */
function resample(
  data: Uint8ClampedArray,
  from: { width: number; height: number },
  width: number,
  height: number,
) {
  const across = lanczosWeights(from.width, width);
  const narrow = new Uint8ClampedArray(width * from.height * CHANNELS);
  const length = from.width * CHANNELS;
  for (let row = 0; row < from.height; row += 7) {
    resampleHorizontally(data.subarray(row * length, (row + 7) * length), from.width, across, narrow, row);
  }
  return resampleVertically(narrow, width, lanczosWeights(from.height, height));
}

it.each([0.93, 0.7, 0.51, 0.3])(
  "resample: a page scaled to %f of its sides equals the engine's result",
  async (factor) => {
    const page = sharp(await sheet(16));
    const large = await pixelsOf(page.clone());
    const width = Math.round(large.width * factor);
    const height = Math.round(large.height * factor);
    const resampled = resample(large.data, large, width, height);
    const engines = await pixelsOf(page.clone().resize({ width, height, fit: 'fill', kernel: 'lanczos3' }));
    let sum = 0;
    for (let i = 0; i < resampled.length; i++) sum += Math.abs(resampled[i]! - engines.data[i]!);
    expect(sum / resampled.length).toBeLessThan(1.5);
  },
);

it('resample: a uniform color stays the same up to the edges', () => {
  const data = new Uint8ClampedArray(50 * 40 * CHANNELS).map(
    (_value, at) => [12, 200, 255, 255][at % CHANNELS]!,
  );
  const made = resample(data, { width: 50, height: 40 }, 33, 21);
  expect(made.every((value, at) => value === [12, 200, 255, 255][at % CHANNELS])).toBe(true);
});
