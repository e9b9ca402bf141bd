import { describe, expect, it } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import { withPrimesResolved } from './primes.ts';
import type { Glyph } from './recognizer.ts';

const HEIGHT = 40;

/** Columns to the left, in a row of a stroke: a curled one bends. */
const shiftOf = (slant: number | 'curl', row: number) => (slant === 'curl' ? (row * row) / 30 : row * slant);

/** A figure, or strokes that were read as a text. */
type Cell = string | { text: string; strokes: number; slant: number | 'curl' };

/** Figures from row 6 to row 34, 12 columns wide, in cells of 20. */
function line(cells: readonly Cell[]) {
  const width = cells.length * 20;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  const fill = (x: number, y: number, across: number) => gray.fill(0, y * width + x, y * width + x + across);
  const glyphs = cells.flatMap((cell, i): Glyph[] => {
    const left = i * 20;
    const text = typeof cell === 'string' ? cell : cell.text;
    if (typeof cell === 'string') for (let y = 6; y < 34; y++) if (cell !== ' ') fill(left + 4, y, 12);
    if (typeof cell !== 'string')
      for (let stroke = 0; stroke < cell.strokes; stroke++)
        for (let row = 0; row < 11; row++)
          fill(left + Math.round(9 + 7 * stroke - shiftOf(cell.slant, row)), 5 + row, 3);
    if (text === ' ' || text === '') return [];
    return [
      { text, confidence: 0.9, center: (left + 10) / HEIGHT, startsWord: cells[i - 1] === ' ' || i === 0 },
    ];
  });
  return { glyphs, crop: { gray, width, height: HEIGHT } satisfies GrayImage };
}

const resolved = (...cells: Cell[]) => {
  const { glyphs, crop } = line(cells);
  return withPrimesResolved(glyphs, crop)
    .map(({ text, startsWord }, i) => (startsWord && i > 0 ? ` ${text}` : text))
    .join('');
};

const prime = (text: string, strokes = 1) => ({ text, strokes, slant: 0.6 });

describe('withPrimesResolved', () => {
  it('slanted strokes behind a figure that were read as quotes: are primes', () => {
    expect(resolved('5', prime("'"), ' ', '1', prime('"', 2), ' ', 'N')).toBe('5′ 1″ N');
    expect(resolved('6', prime('’'), '2', prime('”', 2))).toBe('6′2″');
  });

  it('slanted strokes behind a figure that were not read: are primes', () => {
    expect(resolved('1', '0', prime(''), ' ', 'l')).toBe('10′ l');
  });

  it.each<[string, number | 'curl']>([
    ['straight', 0],
    ['curled', 'curl'],
  ])('%s quotes behind a figure: stay', (_kind, slant) => {
    expect(resolved('5', { text: "'", strokes: 1, slant }, ' ', '2', { text: '”', strokes: 2, slant })).toBe(
      "5' 2”",
    );
  });

  it('the sign before a comma or a figure: is a prime as well', () => {
    expect(resolved('5', prime("'"), '1', '1', prime('"', 2), prime(','))).toBe('5′11″,');
  });

  it('a stroke that was not read: stays unread behind an amount', () => {
    expect(resolved('9', '.', '9', prime(''), ' ', 'l')).toBe('9.9 l');
  });

  it('an apostrophe within a word, and behind a letter: stays', () => {
    expect(resolved('8', '0', prime('’'), 's')).toBe('80’s');
    expect(resolved('n', prime('’'))).toBe('n’');
  });

  it('nothing behind a figure: stays nothing', () => {
    expect(resolved('1', '0', ' ', 'm')).toBe('10 m');
  });
});
