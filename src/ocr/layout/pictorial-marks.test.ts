import { describe, expect, it } from 'vitest';
import type { Picture } from '../picture/picture.ts';
import type { Word } from '../types.ts';
import { lineOf } from './lines.ts';
import { pictorialMarks } from './pictorial-marks.ts';

const [WIDTH, HEIGHT] = [260, 80];

/** A white picture with the outlines of black boxes: left, top, width, height. */
function drawn(...boxes: readonly (readonly [number, number, number, number])[]): Picture {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [left, top, width, height] of boxes) {
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) {
        const isEdge = x < left + 2 || x >= left + width - 2 || y < top + 2 || y >= top + height - 2;
        if (isEdge) gray[y * WIDTH + x] = 0;
      }
    }
  }
  return {
    width: WIDTH,
    height: HEIGHT,
    gray,
    rgb: new Uint8Array(0),
    original: { width: WIDTH, height: HEIGHT },
    scale: 1,
    notices: [],
  };
}

/** Capitals of 20 pixels on a baseline at 50, in boxes that are a little higher. */
const TEXT = [0, 1, 2, 3, 4].map((i) => [100 + i * 18, 30, 14, 20] as const);
const wordAt = (text: string, x: number, width: number): Word => ({
  text,
  confidence: 0.95,
  box: { x, y: 26, width, height: 28 },
});

/** The words of a line that are marks, where ink reaches from one row to another before the word HOUSE. */
function marksWith(text: string, rows: { from: number; to: number }, angle = 0): string[] {
  const picture = drawn([60, rows.from, 24, rows.to - rows.from], ...TEXT);
  const line = lineOf([wordAt(text, 60, 24), wordAt('HOUSE', 98, 92)], 0);
  return [...pictorialMarks([line], { picture, angle })].map((word) => word.text);
}

describe('pictorialMarks', () => {
  it.each([
    ['S', { from: 20, to: 62 }],
    ['Q', { from: 27, to: 55 }],
    ['☆', { from: 26, to: 54 }],
    ['&', { from: 20, to: 60 }],
  ])('%s higher than the capitals and lower than the baseline: is a mark', (text, rows) => {
    expect(marksWith(text, rows)).toEqual([text]);
  });

  it.each([
    ['A', { from: 30, to: 50 }],
    ['Å', { from: 22, to: 50 }],
    ['Q', { from: 30, to: 55 }],
    ['T', { from: 15, to: 50 }],
    ['W', { from: 30, to: 68 }],
    ['(', { from: 27, to: 55 }],
  ])('%s that stands on the baseline, hangs from the capitals or is a bracket: is no mark', (text, rows) => {
    expect(marksWith(text, rows)).toEqual([]);
  });

  it('a slanted page: has none', () => {
    expect(marksWith('S', { from: 20, to: 62 }, 0.1)).toEqual([]);
  });

  it('pictorialMarks: a character within a line is not an icon', () => {
    const picture = drawn([20, 20, 24, 42], ...TEXT);
    const words = [wordAt('WATER', 0, 18), wordAt('||', 20, 24), wordAt('HOUSE', 98, 92)];
    expect(pictorialMarks([lineOf(words, 0)], { picture, angle: 0 }).size).toBe(0);
  });

  it.each([
    ['T', { from: 22, to: 58 }, ['T']],
    ['Q', { from: 30, to: 58 }, []],
    ['|', { from: 22, to: 58 }, []],
  ])('pictorialMarks: %s behind the text of its line, however far: %o', (text, rows, found) => {
    const letters = TEXT.map(([x, ...rest]) => [x - 90, ...rest] as const);
    const picture = drawn([220, rows.from, 24, rows.to - rows.from], ...letters);
    const line = lineOf([wordAt('HOUSE', 8, 92), wordAt(text, 220, 24)], 0);
    expect([...pictorialMarks([line], { picture, angle: 0 })].map((word) => word.text)).toEqual(found);
  });

  it('pictorialMarks: a character far from the text of its line is not an icon', () => {
    const picture = drawn([20, 20, 24, 42], ...TEXT.map(([x, ...rest]) => [x + 60, ...rest] as const));
    const words = [wordAt('T', 20, 24), wordAt('HOUSE', 158, 92)];
    expect(pictorialMarks([lineOf(words, 0)], { picture, angle: 0 }).size).toBe(0);
  });

  it('pictorialMarks: a single character on its line is not an icon', () => {
    const picture = drawn([20, 20, 24, 42]);
    expect(pictorialMarks([lineOf([wordAt('S', 20, 24)], 0)], { picture, angle: 0 }).size).toBe(0);
  });
});
