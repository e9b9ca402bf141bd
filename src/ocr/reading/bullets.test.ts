import { describe, expect, test } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import { withBulletResolved } from './bullets.ts';
import type { Glyph } from './recognizer.ts';

const HEIGHT = 48;
/** The text's ink: two letters of this top and bottom. */
const [TOP, BASE] = [10, 34];

/** Whether a pixel of a sign's box, each side 0 to 1, is ink. */
type Shape = (x: number, y: number) => boolean;
const disc: Shape = (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.5;
const ring: Shape = (x, y) => disc(x, y) && Math.hypot(x - 0.5, y - 0.5) > 0.3;
const square: Shape = () => true;
const triangle: Shape = (x, y) => x / 2 + Math.abs(y - 0.5) <= 0.6;

/** A sign of `size` pixels whose middle is `up` pixels above the base line, and two letters behind a gap. */
function lineOf(shape: Shape, size: number, { up = 11, gap = 20, read = '«', startsWord = true } = {}) {
  const left = 6;
  const width = left + size + gap + 50;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  const top = BASE - up - (size >> 1);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (shape((x + 0.5) / size, (y + 0.5) / size)) gray[(top + y) * width + left + x] = 0;
  const text = left + size + gap;
  for (let y = TOP; y < BASE; y++) {
    gray.fill(0, y * width + text, y * width + text + 12);
    gray.fill(0, y * width + text + 18, y * width + text + 30);
  }
  const glyph = (character: string, x: number, starts: boolean): Glyph => ({
    text: character,
    confidence: 0.4,
    center: x / HEIGHT,
    startsWord: starts,
  });
  const glyphs = [
    glyph(read, left + size / 2, true),
    glyph('A', text + 6, startsWord),
    glyph('b', text + 24, false),
  ];
  const crop: GrayImage = { gray, width, height: HEIGHT };
  return withBulletResolved(glyphs, crop);
}
const textOf = (glyphs: readonly Glyph[]) =>
  glyphs
    .map((glyph) => (glyph.startsWord ? ' ' : '') + glyph.text)
    .join('')
    .trim();

describe('withBulletResolved: a sign before the text of a line', () => {
  test.each([
    ['a disc', disc, 10, '•'],
    ['a large disc', disc, 22, '●'],
    ['a ring', ring, 12, '◦'],
    ['a square', square, 10, '▪'],
    ['a large square', square, 22, '■'],
  ])('that is %s is one, whatever it was read as', (_, shape, size, bullet) => {
    for (const read of ['«', '°', '·', 'o']) {
      const [first, ...rest] = lineOf(shape, size, { read });
      expect(first).toMatchObject({ text: bullet, confidence: 0.9 });
      expect(textOf(rest)).toBe('Ab');
    }
  });

  test('that is read as a degree sign is a ring, as surely as it was read', () => {
    expect(lineOf(disc, 5, { read: '°' })[0]).toMatchObject({ text: '◦', confidence: 0.4 });
  });

  test('is a word of its own, although no space was read behind it', () => {
    expect(textOf(lineOf(disc, 10, { startsWord: false }))).toBe('• Ab');
  });

  test.each([
    ['it is a speck', lineOf(disc, 4)],
    ['it is a triangle', lineOf(triangle, 12)],
    ['the text is close to it', lineOf(disc, 10, { gap: 6 })],
    ['it is raised, as a degree sign is', lineOf(ring, 10, { up: 21 })],
    ['it is an "o" on the base line', lineOf(ring, 14, { up: 7, read: 'o' })],
    ['it was read as a letter', lineOf(disc, 10, { read: 'K' })],
  ])('stays where %s', (_, glyphs) => {
    expect(glyphs[0]).toMatchObject({ confidence: 0.4 });
  });
});
