import { expect, it } from 'vitest';
import type { Piece } from '#formats/pieces';
import { wordBox } from './word-box.ts';

const word = (x: number, y: number, line = 0): Piece => ({
  text: 'word',
  confidence: 50,
  box: { x, y, width: 80, height: 30 },
  line,
  paragraph: 0,
  hidden: null,
  readings: [],
});
const image = { width: 1000, height: 500, rotation: 0 };

it('wordBox: has the height and the angle of its line', () => {
  const level = wordBox([word(0, 10), word(100, 10), word(100, 200, 1)], 1, image);
  expect(level).toEqual({ x: 140, y: 25, width: 80, height: 30, angle: 0 });
  const slanted = wordBox([word(0, 10), word(100, 20), word(200, 30)], 1, image);
  expect(slanted?.angle).toBeCloseTo(Math.atan(0.1));
  expect(slanted?.height).toBeLessThan(30);
});

it('wordBox: is rotated with a rotated picture', () => {
  const place = wordBox([{ ...word(0, 0), box: { x: 10, y: 20, width: 30, height: 80 } }], 0, {
    ...image,
    rotation: 90,
  });
  expect(place).toMatchObject({ width: 80, height: 30, x: 500 - 20 - 40, y: 10 + 15 });
});

it('wordBox: is null for a missing piece', () => {
  expect(wordBox([word(0, 0)], 3, image)).toBeNull();
});
