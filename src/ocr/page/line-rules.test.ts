import { expect, test } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import { withoutRules } from './line-rules.ts';

const HEIGHT = 48;

/** White paper with black rectangles: x, y, width and height in pixels. */
function drawn(width: number, rectangles: readonly (readonly [number, number, number, number])[]): GrayImage {
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  for (const [x, y, wide, high] of rectangles)
    for (let row = y; row < y + high; row++) gray.fill(0, row * width + x, row * width + x + wide);
  return { gray, width, height: HEIGHT };
}
const inkIn = ({ gray, width }: GrayImage, from: number, to: number) => {
  let ink = 0;
  for (let at = 0; at < gray.length; at++)
    if (at % width >= from && at % width < to && gray[at]! < 128) ink++;
  return ink;
};
/** A letter: a stem with a foot. */
const letter = (x: number) =>
  [
    [x, 8, 4, 28],
    [x, 32, 14, 4],
  ] as const;
const dots = (x: number, count: number) =>
  Array.from({ length: count }, (_, i) => [x + 12 * i, 32, 4, 4] as const);

test('withoutRules: a dotted leader between words is removed and the words stay', () => {
  const crop = drawn(300, [...letter(10), ...dots(60, 12), ...letter(250)]);
  const clean = withoutRules(crop);
  expect(inkIn(clean, 55, 210)).toBe(0);
  expect(inkIn(clean, 0, 40)).toBe(inkIn(crop, 0, 40));
  expect(inkIn(clean, 240, 300)).toBe(inkIn(crop, 240, 300));
});

test('withoutRules: the soft edges of a leader’s dots are removed, those of letters stay', () => {
  const crop = drawn(300, [...letter(10), ...dots(60, 12), ...letter(250)]);
  for (const x of [24, 58, 59, 196, 197]) crop.gray[34 * crop.width + x] = 180;
  const { gray, width } = withoutRules(crop);
  const shades = [24, 58, 59, 196, 197].map((x) => gray[34 * width + x]);
  expect(shades).toEqual([180, 255, 255, 255, 255]);
});

test('withoutRules: a leader whose last dot is cut off by the edge of the picture is removed', () => {
  const cut = [88 + 12, 32, 2, 4] as const;
  const crop = drawn(102, [...letter(10), ...dots(52, 4), cut]);
  expect(inkIn(withoutRules(crop), 40, 102)).toBe(0);
});

test('withoutRules: three dots behind a word stay', () => {
  const crop = drawn(120, [...letter(10), ...dots(40, 3)]);
  expect(withoutRules(crop)).toBe(crop);
});

test('withoutRules: the last two dots of a leader at the start of a line are removed', () => {
  const crop = drawn(120, [...dots(2, 2), ...letter(60)]);
  expect(inkIn(withoutRules(crop), 0, 40)).toBe(0);
});

test('withoutRules: a low quotation mark at the start of a line stays', () => {
  const marks = [4, 12].map((x) => [x, 32, 5, 9] as const);
  const crop = drawn(120, [...marks, ...letter(30)]);
  expect(withoutRules(crop)).toBe(crop);
});

test('withoutRules: low and narrow letters are no dots', () => {
  const thin = Array.from({ length: 8 }, (_, i) => [60 + 10 * i, 24, 3, 12] as const);
  const crop = drawn(200, [...letter(10), ...thin, ...letter(170)]);
  expect(withoutRules(crop)).toBe(crop);
});

test('withoutRules: an underline is removed, with its parts between descenders, and the descenders stay', () => {
  const crop = drawn(300, [...letter(10), [10, 40, 120, 2], [150, 40, 40, 2], [136, 12, 4, 34]]);
  const clean = withoutRules(crop);
  expect(inkIn(clean, 30, 130)).toBe(0);
  expect(inkIn(clean, 150, 190)).toBe(0);
  expect(inkIn(clean, 136, 140)).toBe(inkIn(crop, 136, 140));
});

test('withoutRules: the lower edge of touching bold letters stays', () => {
  const bold = Array.from({ length: 10 }, (_, i): [number, number, number, number] => [
    20 + 12 * i,
    20,
    9,
    20,
  ]);
  const crop = drawn(300, [...bold, [20, 38, 120, 2], [200, 20, 10, 20]]);
  expect(withoutRules(crop)).toBe(crop);
});

test('withoutRules: words far from an underline keep their lower edges', () => {
  const crop = drawn(400, [...letter(10), [10, 40, 120, 2], [300, 20, 10, 22], [315, 20, 10, 22]]);
  const clean = withoutRules(crop);
  expect(inkIn(clean, 30, 130)).toBe(0);
  expect(inkIn(clean, 300, 325)).toBe(inkIn(crop, 300, 325));
});

test('withoutRules: underscores, which are short, stay', () => {
  const crop = drawn(200, [...letter(10), [30, 42, 24, 2], ...letter(60), [80, 42, 48, 2]]);
  expect(withoutRules(crop)).toBe(crop);
});

/** Letters with bowls on the base line at row 34; those of `below` reach down to row 44. */
const links = (below: readonly number[]) =>
  Array.from({ length: 8 }, (_, i): [number, number, number, number] => [
    10 + 20 * i,
    14,
    10,
    below.includes(i) ? 30 : 20,
  ]);

test('withoutRules: an underline that is interrupted around descenders is removed, also between words', () => {
  const letters = links([2, 5]);
  const parts = [
    [6, 39, 38, 2],
    [66, 39, 38, 2],
    [126, 39, 38, 2],
  ] as const;
  expect(withoutRules(drawn(200, [...letters, ...parts])).gray).toEqual(drawn(200, letters).gray);
});

test('withoutRules: a part of such an underline under one letter is removed with the others', () => {
  const letters = links([1, 3]);
  const parts = [
    [6, 39, 18, 2],
    [46, 39, 18, 2],
    [86, 39, 70, 2],
  ] as const;
  expect(withoutRules(drawn(200, [...letters, ...parts])).gray).toEqual(drawn(200, letters).gray);
});

test('withoutRules: strokes at the foot of letters of their own, as in 二 and 스, stay', () => {
  const strokes = Array.from({ length: 5 }, (_, i) => [
    [14 + 36 * i, 14, 18, 3] as const,
    [8 + 36 * i, 38, 30, 3] as const,
  ]).flat();
  const crop = drawn(200, strokes);
  expect(withoutRules(crop)).toBe(crop);
});

test('withoutRules: an underscore that touches the columns of the letters beside it stays', () => {
  const crop = drawn(120, [...letter(10), [22, 40, 28, 3], [48, 14, 12, 20]]);
  expect(withoutRules(crop)).toBe(crop);
});
