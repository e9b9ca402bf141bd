import { describe, expect, it } from 'vitest';
import type { DropCap } from '../page/drop-caps.ts';
import type { Region } from '../page/geometry.ts';
import type { Lexicon } from '../reading/lexicon.ts';
import type { Box } from '../types.ts';
import { withDropCaps } from './drop-caps.ts';
import type { ReadFragment } from './place.ts';

const WORDS = new Set(['when', 'the', 'winter', 'came', 'village', 'a', 'once', 'settings']);
const lexicon: Lexicon = {
  has: (word) => WORDS.has(word.toLowerCase()),
  near: () => new Set(),
  letters: new Set(),
  words: () => WORDS,
};

const region = (cx: number, cy: number): Region => ({ cx, cy, width: 10, height: 10, angle: 0 });

/** Words of ten pixels each, side by side. */
function fragment(x: number, y: number, text: string, confidence = 0.9): ReadFragment {
  const texts = text.split(' ');
  const boxes = texts.map((_, i): Box => ({ x: x + 12 * i, y, width: 10, height: 10 }));
  return {
    words: texts.map((word, i) => ({ text: word, confidence, box: boxes[i]! })),
    upright: { x, y, width: 12 * texts.length - 2, height: 10 },
    uprightWords: boxes,
  };
}

const [LETTER, FIRST, SECOND, SEEN] = [region(5, 15), region(40, 5), region(40, 20), region(6, 16)];

function read(letter: string, line: string, { confidence = 0.9, seen = false, x = 20 } = {}) {
  const fragments = new Map<Region, ReadFragment>([
    [FIRST, fragment(x, 0, line)],
    [SECOND, fragment(20, 15, 'the village')],
    ...(seen ? [[SEEN, fragment(0, 10, '0')] as const] : []),
    [LETTER, fragment(0, 10, letter, confidence)],
  ]);
  const dropCap: DropCap<Region> = {
    region: LETTER,
    first: FIRST,
    beside: [FIRST, SECOND],
    seen: seen ? [SEEN] : [],
  };
  return withDropCaps(fragments, [dropCap], lexicon);
}
const textOf = (fragments: ReadFragment[]) =>
  fragments.map(({ words }) => words.map(({ text }) => text).join(' '));

describe('withDropCaps: a large letter at the start of a text', () => {
  it.each([
    ['begins the word that it stands before', 'W', 'hen winter came', 'When winter came'],
    ['in capitals too', 'W', 'HEN WINTER CAME', 'WHEN WINTER CAME'],
    ['as a figure that it looks like', '0', 'nce winter came', 'Once winter came'],
    ['seen twice', 'WW', 'hen winter came', 'When winter came'],
    ['as two narrow ones', 'VV', 'hen winter came', 'When winter came'],
    ['behind quotation marks', '“W', 'hen winter came', '“When winter came'],
    ['as a word of its own', 'A', 'village came', 'A village came'],
    ['of an unknown word', 'B', 'ebel came', 'Bebel came'],
  ])('%s', (_, letter, line, expected) => {
    expect(textOf(read(letter, line))).toEqual([expected, 'the village']);
  });

  it('lets the lines beside it start at the left edge of their text column', () => {
    const [first, second] = read('W', 'hen winter');
    expect([first!.upright, second!.upright].map(({ x, width }) => [x, x + width])).toEqual([
      [0, 42],
      [0, 42],
    ]);
    expect(first!.words[0]!.box).toEqual({ x: 0, y: 0, width: 30, height: 20 });
  });

  it('replaces the region that the text detector found in it', () => {
    expect(textOf(read('O', 'nce winter', { seen: true }))).toEqual(['Once winter', 'the village']);
  });

  it('replaces the characters that were read for it in its line', () => {
    expect(textOf(read('W', 'v hen winter', { x: 0 }))).toEqual(['When winter', 'the village']);
  });

  it.each([
    ['a picture beside a word', 'C', 'settings', 0.9],
    ['a letter that was hardly read', 'B', 'ebel came', 0.3],
    ['several letters', 'ab', 'hen winter', 0.9],
    ['a mark', '*', 'hen winter', 0.9],
  ])('is no drop cap when it is %s', (_, letter, line, confidence) => {
    const fragments = read(letter, line, { confidence, seen: true });
    expect(textOf(fragments)).toEqual([line, 'the village', '0']);
    expect(fragments[0]!.upright.x).toBe(20);
  });
});
