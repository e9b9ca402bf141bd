import { expect, test } from 'vitest';
import { spellingOf } from './evidence.ts';
import type { LineReading } from './recognizer.ts';
import { type Check, segmentLine } from './segments.ts';

const NARROW = 0.1;

/** The place of each printed character: half a line height wide, with a space of `space` and `NARROW` between letters. */
function placed(print: string, space: number) {
  const centers: number[] = [];
  const blanks: { from: number; to: number }[] = [];
  let at = 0;
  for (const [i, character] of [...print].entries()) {
    if (i > 0) {
      const gap = character === ' ' ? space : print[i - 1] === ' ' ? 0 : NARROW;
      if (gap > 0) blanks.push({ from: at, to: at + gap });
      at += gap;
    }
    if (character === ' ') continue;
    centers.push(at + 0.25);
    at += 0.5;
  }
  return { centers, blanks, length: at };
}

/** A reading of the printed characters whose spaces may differ. */
function reading(text: string, centers: readonly number[]): LineReading {
  const characters = [...text.replaceAll(' ', '')];
  const starts = new Set<number>([0]);
  for (const match of text.matchAll(/ /g))
    starts.add(match.index - [...text.slice(0, match.index).matchAll(/ /g)].length);
  return {
    glyphs: characters.map((character, i) => ({
      text: character,
      confidence: 1,
      center: centers[i]!,
      startsWord: starts.has(i),
    })),
  };
}

/** Words of a print from the primary and the secondary reading. */
function wordsOf(
  print: string,
  first: string,
  { second, space = 0.4 }: { second?: string; space?: number } = {},
) {
  const { centers, blanks, length } = placed(print, space);
  const checks: Check[] = second ? [{ from: 0, to: length, reading: reading(second, centers) }] : [];
  return segmentLine(reading(first, centers), checks, blanks, length).map((segment) =>
    spellingOf(segment.second.length > 0 ? segment.second : segment.first),
  );
}

test.each([
  ['behind a comma', 'to be, or not to', 'to be,or not to'],
  ['behind a semicolon', 'to be; or not to', 'to be;or not to'],
  ['between a figure and a word', 'in the 12 rooms of', 'in the 12rooms of'],
  ['between a word and a figure', 'the room 12 is on', 'the room12 is on'],
  ['around a sign of mathematics', 'so if a ≥ b it is', 'so if a≥b it is'],
])(
  'segmentLine: a space that was missed %s is found where the gap is as wide as the others',
  (_, print, first) => {
    expect(wordsOf(print, first)).toEqual(print.split(' '));
    expect(wordsOf(print, first, { second: first })).toEqual(print.split(' '));
  },
);

test('segmentLine: a narrow gap between a word such as "to" and a figure is a space', () => {
  const print = 'so it is 01.03 to';
  const narrow = (word: string) =>
    wordsOf(`so it is a 1 ${word} 31.03`, `so it is a 1 ${word}31.03`, { space: 0.15 });
  expect(wordsOf(print, print)).toEqual(print.split(' '));
  expect(narrow('to')).toEqual(['so', 'it', 'is', 'a', '1', 'to', '31.03']);
  expect(narrow('xo')).toEqual(['so', 'it', 'is', 'a', '1', 'xo31.03']);
});

test('segmentLine: a wide gap between two letters or two figures is no space', () => {
  expect(wordsOf('so to get her to it', 'so toget her to it')).toEqual(['so', 'toget', 'her', 'to', 'it']);
  expect(wordsOf('of 12 50 in all of', 'of 1250 in all of')).toEqual(['of', '1250', 'in', 'all', 'of']);
});

test('segmentLine: a narrow gap behind a comma is no space', () => {
  expect(wordsOf('in 1,200 of the lot', 'in 1,200 of the lot')).toEqual(['in', '1,200', 'of', 'the', 'lot']);
});

test('segmentLine: with fewer than three known spaces a wide gap is one beside a rare sign and nowhere else', () => {
  expect(wordsOf('be, or not', 'be,or not')).toEqual(['be,or', 'not']);
  expect(wordsOf('12 × 4 ÷ 3', '12×4÷3')).toEqual(['12', '×', '4', '÷', '3']);
  expect(wordsOf('12 × 4 ÷ 3', '12×4÷3', { space: 0.15 })).toEqual(['12×4÷3']);
});

test("segmentLine: gaps below 0.18 line heights are no spaces, however narrow the line's spaces are", () => {
  const narrow = { space: 0.15 };
  expect(wordsOf('to be, or not to', 'to be,or not to', narrow)).toEqual(['to', 'be,or', 'not', 'to']);
});
