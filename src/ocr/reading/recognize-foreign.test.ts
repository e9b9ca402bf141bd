import { describe, expect, test } from 'vitest';
import { linesOn, pictureOf } from '../../../tests/support/gray-picture.ts';
import type { Region } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { Lexicon } from './lexicon.ts';
import { readLines } from './recognize.ts';
import type { LineReading } from './recognizer.ts';

const LINES = 8;
const [width, height] = [400, LINES * 50];
const regions: Region[] = Array.from({ length: LINES }, (_, i) => ({
  cx: 200,
  cy: i * 50 + 25,
  width: 400,
  height: 40,
  angle: 0,
}));
const lexicon: Lexicon = {
  has: (word) => word !== 'cafe',
  near: () => new Set(),
  letters: new Set(),
  words: () => [],
};

/** Ink in every line except at a word space; with `box`, an empty check box stands at the line's left end. */
function pageOf(box = false): Picture {
  const gray = new Uint8Array(width * height).fill(255);
  const ink = (x: number, y: number, wide: number, high: number) => {
    for (let row = y; row < y + high; row++) gray.fill(0, row * width + x, row * width + x + wide);
  };
  for (let i = 0; i < LINES; i++) {
    const top = i * 50 + 13;
    // Letters of 6 pixels, two words.
    for (let x = 100; x < 380; x += 10) if (x < 230 || x > 260) ink(x, top, 6, 24);
    if (!box) continue;
    ink(20, top, 24, 3);
    ink(20, top + 21, 24, 3);
    ink(20, top, 3, 24);
    ink(41, top, 3, 24);
  }
  return pictureOf({ gray, width, height });
}

/** Two words of four characters, in both halves of a line of ten line heights. */
const reading = (first: string, second: string): LineReading => ({
  glyphs: [...first, ...second].map((text, i) => ({
    text,
    confidence: 0.99,
    center: i < first.length ? 2.8 + i * 0.6 : 7 + (i - first.length) * 0.6,
    startsWord: i === 0 || i === first.length,
  })),
});

/** Reads a page in which the given lines have an unknown word; the secondary recognizer reads `é` in it. */
async function read(doubtful: readonly number[], picture = pageOf()) {
  let line = 0;
  const seen: { width: number; gray: Uint8Array; height: number }[] = [];
  const lines = await readLines(linesOn(picture, regions), {
    first: {
      name: 'network',
      cropHeight: 36,
      sure: { known: 0.8, other: 0.95 },
      read: async (crops) =>
        crops.map(() => (doubtful.includes(line++) ? reading('cafe', 'opened') : reading('shop', 'opened'))),
    },
    second: {
      cropHeight: 48,
      read: async (crop) => {
        seen.push(crop);
        return { glyphs: [{ text: 'é', confidence: 0.9, center: 2, startsWord: true }] };
      },
    },
    threads: 1,
    lexicon,
    signal: new AbortController().signal,
  });
  const whole = lines.filter(({ checks, length }) =>
    checks.some(({ from, to }) => from === 0 && to === length),
  );
  return { lines, whole: whole.length, seen };
}

describe('readLines: a word with a letter that English does not have', () => {
  test('on one line of eight: that line is read whole, and no other', async () => {
    const { whole, lines } = await read([0]);
    expect(whole).toBe(1);
    expect(lines.filter(({ checks }) => checks.length > 0)).toHaveLength(1);
  });

  test('on two lines of eight: every line is read whole', async () => {
    const { whole } = await read([0, 1]);
    expect(whole).toBe(LINES);
  });

  test('on no line: nothing is read again', async () => {
    expect((await read([])).seen).toEqual([]);
  });
});

test('readLines: a check box is reported beside the text, and neither recognizer sees it', async () => {
  const { lines, seen } = await read([0, 1], pageOf(true));
  for (const { boxes } of lines) {
    expect(boxes).toMatchObject([{ text: '☐' }]);
    expect(boxes[0]!.from).toBeCloseTo(20 / 40, 0);
    expect(boxes[0]!.to).toBeCloseTo(44 / 40, 0);
  }
  for (const { gray, width, height } of seen.filter((crop) => crop.width === 480)) {
    const columns = Array.from({ length: 70 }, (_, x) => x);
    const inked = columns.filter((x) =>
      Array.from({ length: height }, (_, y) => gray[y * width + x]!).some((level) => level < 128),
    );
    expect(inked).toEqual([]);
  }
  expect(seen.some((crop) => crop.width === 480)).toBe(true);
});
