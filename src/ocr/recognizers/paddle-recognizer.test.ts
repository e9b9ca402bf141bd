import { expect, test } from 'vitest';
import { openModel } from '../networks/onnxruntime.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { LineFeatures } from './paddle-features.ts';
import { PaddleHead } from './paddle-head.ts';
import { PaddleRecognizer } from './paddle-recognizer.ts';

/** One feature: a value above 0 favors an a, below 0 a b. */
const head = new PaddleHead(['', 'a', 'b'], 1, [new Float32Array([0, -9, 1, 0, -1, 0])], openModel);
/** Crops of one pixel, whose level is the feature. */
const crop = (feature: number): GrayImage => ({ gray: Uint8Array.of(feature + 128), width: 1, height: 1 });
const recognizer = new PaddleRecognizer(
  async ({ gray }): Promise<LineFeatures> => ({
    data: Float32Array.of((gray[0]! - 128) / 10),
    steps: 1,
    width: 8,
  }),
  head,
);
const textOf = async (feature: number, views: readonly number[] = []) => {
  const reading = await recognizer.read(crop(feature), { views: views.map(crop) });
  return reading!.glyphs.map(({ text }) => text).join('');
};

test('read: averages the probabilities over all views of a line', async () => {
  expect(await textOf(-5)).toBe('b');
  expect(await textOf(-5, [40])).toBe('a');
  expect(await textOf(-40, [-5, 20])).toBe('b');
});
