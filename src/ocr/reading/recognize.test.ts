import { describe, expect, it } from 'vitest';
import { blankPicture, linesOn } from '../../../tests/support/gray-picture.ts';
import type { Region } from '../page/geometry.ts';
import type { Lexicon } from './lexicon.ts';
import { checkWhole, type Readers, readLines } from './recognize.ts';
import type { LineReading } from './recognizer.ts';

const [width, height] = [400, 100];
const picture = blankPicture(width, height);
/** Ten line heights long each. */
const regions: Region[] = [25, 75].map((cy) => ({ cx: 200, cy, width: 400, height: 40, angle: 0 }));
const lexicon: Lexicon = { has: () => true, near: () => new Set(), letters: new Set(), words: () => [] };

/** Ten characters, a line height each, of which one may be doubtful. */
const reading = (text: string, doubtful = -1): LineReading => ({
  glyphs: [...text].map((character, at) => ({
    text: character,
    confidence: at === doubtful ? 0.3 : 0.99,
    center: at + 0.5,
    startsWord: at % 5 === 0,
  })),
});

/** Without a gap in the ink two words would be one. */
const oneWord = (text: string): LineReading => ({
  glyphs: reading(text).glyphs.map((glyph, at) => ({ ...glyph, startsWord: at === 0 })),
});

/** The readings of the lines, and the lengths, in line heights, of the secondary recognizer's crops. */
async function read(
  first: LineReading[],
  { whole = [] as number[], views = false, signal = new AbortController().signal } = {},
) {
  const asked: number[] = [];
  const seen: number[] = [];
  const left = [...first];
  const readers: Readers = {
    first: {
      name: 'network',
      cropHeight: 36,
      sure: { known: 0.9, other: 0.9 },
      read: async (crops) => left.splice(0, crops.length),
    },
    second: {
      cropHeight: 48,
      async read(crop, { views: others = [] } = {}) {
        signal.throwIfAborted();
        seen.push(1 + others.filter(({ width }) => width === crop.width).length);
        asked.push(Math.round(crop.width / crop.height));
        return reading('ABCDEFGHIJ');
      },
    },
    threads: 1,
    lexicon,
    signal,
  };
  const lines = await readLines(linesOn(picture, regions), readers);
  await checkWhole(
    whole.map((at) => lines[at]!),
    readers,
    { views },
  );
  return { lines, asked, seen };
}

describe('readLines: rows of dots', () => {
  /** Rows of dots of one size, 20 pixels high and 40 apart. */
  async function readDots(rows: number) {
    const dots = blankPicture(width, 40 * rows);
    for (let y = 0; y < dots.height; y++) {
      for (let x = 0; x < width; x++) {
        if (y % 40 >= 10 && y % 40 < 30 && x % 40 < 20) dots.gray[y * width + x] = 0;
      }
    }
    let asked = 0;
    const places = Array.from({ length: rows }, (_, row) => ({
      cx: 200,
      cy: 40 * row + 20,
      width: 400,
      height: 40,
      angle: 0,
    }));
    const lines = await readLines(linesOn(dots, places), {
      first: {
        name: 'network',
        cropHeight: 36,
        sure: { known: 0.9, other: 0.9 },
        read: async (crops) =>
          crops.map(() => ({
            glyphs: reading('onnonoanon').glyphs.map((glyph) => ({ ...glyph, confidence: 0.3 })),
          })),
      },
      second: {
        cropHeight: 48,
        async read() {
          asked++;
          return reading('ABCDEFGHIJ');
        },
      },
      threads: 1,
      lexicon,
      signal: new AbortController().signal,
    });
    return { lines, asked };
  }

  it('are read like text where a page has few of them', async () => {
    const { lines, asked } = await readDots(5);
    expect(asked).toBe(5);
    expect(lines.filter(({ isHalftone }) => isHalftone)).toEqual([]);
  });

  it('are a halftone ground without characters where a page has many', async () => {
    const { lines, asked } = await readDots(30);
    expect(asked).toBe(0);
    expect(lines.every(({ isHalftone, first }) => isHalftone && first.glyphs.length === 0)).toBe(true);
  });
});

describe('readLines: the secondary recognizer', () => {
  it('is not called where the primary one is sure', async () => {
    const { lines, asked } = await read([oneWord('abcdefghij'), oneWord('klmnopqrst')]);
    expect(asked).toEqual([]);
    expect(lines.map(({ checks }) => checks.length)).toEqual([0, 0]);
  });

  it('reads a line whole on request, sure or not, and only once', async () => {
    const first = [oneWord('abcdefghij'), oneWord('klmnopqrst')];
    const { lines, asked } = await read(first, { whole: [0, 0] });
    expect(asked).toEqual([10]);
    expect(lines.map(({ checks }) => checks.map(({ from, to }) => [from, to]))).toEqual([[[0, 10]], []]);
  });

  it('reads a line again in several views on request', async () => {
    const first = [oneWord('abcdefghij'), oneWord('klmnopqrst')];
    const { lines, asked, seen } = await read(first, { whole: [0, 0], views: true });
    expect(asked).toEqual([10, 10]);
    expect(seen).toEqual([3, 3]);
    expect(lines.map(({ checks }) => checks.length)).toEqual([1, 0]);
  });

  it('is not called for further lines after an abort', async () => {
    const given = new AbortController();
    given.abort(new Error('given up'));
    const reads = read([reading('abcdefghij'), reading('klmnopqrst')], {
      whole: [0, 1],
      signal: given.signal,
    });
    await expect(reads).rejects.toThrow('given up');
  });
});
