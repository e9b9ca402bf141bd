import { describe, expect, test } from 'vitest';
import type { Picture } from '../picture/picture.ts';
import type { Region } from './geometry.ts';
import { acrossLines, isPartOfStamp, stampLayer } from './stamps.ts';

const [WIDTH, HEIGHT] = [400, 200];
type Color = readonly [red: number, green: number, blue: number];
const BLACK: Color = [20, 20, 20];
const RED: Color = [230, 60, 60];
const UNDER_RED: Color = [40, 15, 15];

/** A white page with boxes of ink. */
function page(
  boxes: readonly (readonly [x: number, y: number, wide: number, high: number, ink: Color])[],
): Picture {
  const rgb = new Uint8Array(3 * WIDTH * HEIGHT).fill(255);
  for (const [x, y, wide, high, ink] of boxes)
    for (let row = y; row < y + high; row++)
      for (let column = x; column < x + wide; column++) rgb.set(ink, 3 * (row * WIDTH + column));
  const gray = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    Math.round((rgb[3 * i]! * 77 + rgb[3 * i + 1]! * 150 + rgb[3 * i + 2]! * 29) / 256),
  );
  return {
    width: WIDTH,
    height: HEIGHT,
    gray,
    rgb,
    original: { width: WIDTH, height: HEIGHT },
    scale: 1,
    notices: [],
  };
}
const line = (cy: number): Region => ({ cx: 150, cy, width: 260, height: 24, angle: 0 });
const lines = [line(40), line(100)];
const letters = (y: number) =>
  Array.from({ length: 20 }, (_, i) => [30 + 12 * i, y - 8, 5, 16, BLACK] as const);
const red = (y: number, high: number) => [100, y, 100, high, RED] as const;

describe('stampLayer', () => {
  test('has the colored ink that lies over dark lines, and nothing else', () => {
    const stamped = page([red(30, 80), ...letters(40), ...letters(100)]);
    const layer = stampLayer(stamped, lines)!;
    expect(layer.gray[70 * WIDTH + 110]).toBeLessThan(80);
    expect(layer.gray[40 * WIDTH + 32]).toBe(255);
  });

  test('is missing where colored words stand beside dark ones', () => {
    const beside = page([...letters(40).slice(0, 5), red(32, 16), ...letters(100).slice(0, 5), red(92, 16)]);
    expect(stampLayer(beside, lines)).toBeUndefined();
  });

  test('is missing on a page without colors and on a colored ground', () => {
    expect(stampLayer(page([...letters(40), ...letters(100)]), lines)).toBeUndefined();
    const ground = page([[0, 0, WIDTH, HEIGHT, RED], ...letters(40), ...letters(100)]);
    expect(stampLayer(ground, lines)).toBeUndefined();
  });
});

test('acrossLines: keeps what is tilted or large, and leaves the words of lines to the page', () => {
  const tilted: Region = { cx: 160, cy: 70, width: 140, height: 40, angle: -0.25 };
  const large: Region = { cx: 160, cy: 70, width: 160, height: 70, angle: 0 };
  const word: Region = { cx: 150, cy: 40, width: 60, height: 24, angle: 0 };
  const frame: Region = { cx: 160, cy: 70, width: 60, height: 70, angle: 0 };
  expect(acrossLines([tilted, large, word, frame], lines)).toEqual([tilted, large]);
});

test('isPartOfStamp: is true of a region on a stamp whose ink is the stamp’s', () => {
  const stamped = page([red(30, 80), ...letters(40), [100, 95, 100, 10, UNDER_RED], ...letters(100)]);
  const layer = stampLayer(stamped, lines)!;
  const stamp: Region = { cx: 160, cy: 70, width: 140, height: 100, angle: -0.2 };
  const between: Region = { cx: 150, cy: 70, width: 60, height: 20, angle: 0 };
  expect(isPartOfStamp(between, [stamp], stamped, layer)).toBe(true);
  expect(isPartOfStamp(between, [], stamped, layer)).toBe(false);
  expect(isPartOfStamp(line(40), [stamp], stamped, layer)).toBe(false);
});
