import { expect, test } from 'vitest';
import { gapsOf } from './crop.ts';

const HEIGHT = 48;

/** Two letters of 10 pixels at 20 and at 80, and a rule of `wide` pixels between them in the lowest rows. */
function crop(wide: number) {
  const width = 110;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  for (let y = 12; y < 36; y++) for (const x of [20, 80]) gray.fill(0, y * width + x, y * width + x + 10);
  for (let y = HEIGHT - 3; y < HEIGHT - 1; y++) gray.fill(0, y * width + 40, y * width + 40 + wide);
  return { gray, width, height: HEIGHT };
}

test('gapsOf: an underscore in the lowest rows is ink', () => {
  expect(gapsOf(crop(24))).toEqual([
    { from: 0, to: 20 },
    { from: 30, to: 40 },
    { from: 64, to: 80 },
    { from: 90, to: 110 },
  ]);
});

test('gapsOf: narrow ink in the lowest rows, which reaches in from the line below, is no ink', () => {
  expect(gapsOf(crop(10))).toEqual([
    { from: 0, to: 20 },
    { from: 30, to: 80 },
    { from: 90, to: 110 },
  ]);
});
