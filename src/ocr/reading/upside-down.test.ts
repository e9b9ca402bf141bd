import { describe, expect, test } from 'vitest';
import { linesOn, pictureOf } from '../../../tests/support/gray-picture.ts';
import type { Region } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { Lexicon } from './lexicon.ts';
import { type Readers, readLines } from './recognize.ts';
import type { LineReading } from './recognizer.ts';
import { legibilityOf, withUpsideDown } from './upside-down.ts';

const [width, height] = [400, 800];

/** Lines with a block of ink at the left end of an upright line, at the right end of an upside-down one. */
function pageOf(lines: readonly ('upright' | 'flipped')[]): { picture: Picture; regions: Region[] } {
  const gray = new Uint8Array(width * height).fill(255);
  const regions = lines.map((line, i): Region => {
    const top = i * 50 + 10;
    const left = line === 'upright' ? 20 : 300;
    for (let y = top; y < top + 20; y++) gray.fill(0, y * width + left, y * width + left + 80);
    return { cx: 200, cy: top + 10, width: 400, height: 40, angle: 0 };
  });
  return { picture: pictureOf({ gray, width, height }), regions };
}

const lexicon: Lexicon = { has: () => true, near: () => new Set(), letters: new Set(), words: () => [] };
const reading = (text: string, confidence: number): LineReading => ({
  glyphs: [...text].map((character, i) => ({
    text: character,
    confidence,
    center: i + 0.5,
    startsWord: i === 0,
  })),
});
const startsWithInk = ({ gray, width, height }: GrayImage) =>
  gray[(height >> 1) * width + Math.round(height * 0.9)]! < 128;

/** A recognizer that is sure of text with ink at the left; `wrong` is its confidence in the rest. */
function readersOf(
  wrong: LineReading,
  right = reading('abcdefghij', 0.95),
): { readers: Readers; crops: number[] } {
  const crops: number[] = [];
  const readers: Readers = {
    first: {
      name: 'network',
      cropHeight: 40,
      sure: { known: 0, other: 0 },
      read: async (lines) => {
        crops.push(lines.length);
        return lines.map((crop) => (startsWithInk(crop) ? right : wrong));
      },
    },
    second: { cropHeight: 40, read: async () => undefined },
    threads: 1,
    lexicon,
    signal: new AbortController().signal,
  };
  return { readers, crops };
}

async function read(lines: readonly ('upright' | 'flipped')[], wrong: LineReading, right?: LineReading) {
  const { picture, regions } = pageOf(lines);
  const { readers, crops } = readersOf(wrong, right);
  const before = await readLines(linesOn(picture, regions), readers);
  crops.length = 0;
  return { before, after: await withUpsideDown(before, readers), crops };
}
const textOf = ({ first }: { first: LineReading }) => first.glyphs.map(({ text }) => text).join('');

describe('withUpsideDown', () => {
  test('replaces a badly read line that reads clearly better the other way up, in its place', async () => {
    const { before, after } = await read(['upright', 'flipped', 'upright'], reading('pqrstuvwxy', 0.5));
    expect(after.map(textOf)).toEqual(['abcdefghij', 'abcdefghij', 'abcdefghij']);
    expect(after[0]).toBe(before[0]);
    expect(after[2]).toBe(before[2]);
    expect(after[1]!.image.region).toEqual({ ...before[1]!.image.region, angle: Math.PI });
  });

  test('does not try well-read lines or lines with few characters', async () => {
    for (const wrong of [reading('pqrstuvwxy', 0.76), reading('pqr', 0.3)]) {
      const { before, after, crops } = await read(['flipped'], wrong);
      expect(after[0]).toBe(before[0]);
      expect(crops).toEqual([]);
    }
  });

  test('keeps a line that reads below 0.85, or hardly better than before, the other way up', async () => {
    for (const [before, other] of [
      [0.5, 0.84],
      [0.7, 0.88],
    ] as const) {
      const { after } = await read(['flipped'], reading('pqrstuvwxy', before), reading('abcdefghij', other));
      expect(after.map(textOf)).toEqual(['pqrstuvwxy']);
    }
  });

  test('keeps a line with only a few characters the other way up, however sure', async () => {
    const { after } = await read(['flipped'], reading('pqrstuvwxy', 0.5), reading('ab', 0.99));
    expect(after.map(textOf)).toEqual(['pqrstuvwxy']);
  });

  test('tries eight lines of a page that reads badly either way up, and not the rest', async () => {
    const badly = reading('pqrstuvwxy', 0.5);
    const { crops } = await read(
      Array.from({ length: 12 }, () => 'flipped' as const),
      badly,
      badly,
    );
    expect(crops).toEqual([8]);
  });
});

test('legibilityOf: many sure characters count more than few or unsure ones', () => {
  expect(legibilityOf(reading('abcd', 1))).toBe(4);
  expect(legibilityOf(reading('abcd', 0.5))).toBe(1);
  expect(legibilityOf(reading('', 1))).toBe(0);
});
