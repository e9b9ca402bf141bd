import { describe, expect, it, test } from 'vitest';
import { dataIn } from '../languages/language-data.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { confidenceCheckFor, doubtfulSpans, type IsSure, isBeyondDoubt } from './doubt.ts';
import type { LineReading } from './recognizer.ts';

/** Words with their confidence; half a line height for every character and every space. */
function reading(...words: [text: string, confidence: number][]): LineReading {
  let at = 0;
  const glyphs = words.flatMap(([text, confidence]) => {
    const word = [...text].map((character, index) => ({
      text: character,
      confidence,
      center: (at + index) / 2 + 0.25,
      startsWord: index === 0,
    }));
    at += text.length + 1;
    return word;
  });
  return { glyphs };
}

const SURE: IsSure = (word) => word.every(({ confidence }) => confidence >= 0.9);
const gap = (from: number) => ({ from, to: from + 0.5 });

describe('isBeyondDoubt: a line that was read once', () => {
  it('is beyond doubt when every word is sure and its characters are as dense as in print', () => {
    expect(isBeyondDoubt(reading(['Total', 0.95], ['7.42', 0.96]), [gap(2.5)], 5, SURE)).toBe(true);
  });

  it.each([
    ['one word is not sure', reading(['Total', 0.95], ['7.42', 0.7]), 5],
    ['much of it was left out', reading(['To', 0.95]), 5],
    ['nothing was read', reading(), 5],
  ])('is in doubt when %s', (_, line, length) => {
    expect(isBeyondDoubt(line, [gap(2.5)], length, SURE)).toBe(false);
  });
});

describe('confidenceCheckFor', () => {
  const isSure = confidenceCheckFor(new Lexicons(dataIn([])).of(['eng']), { known: 0.8, other: 0.95 });

  it.each([
    ['"boats,"', true],
    ['poats', false],
    ['7.42', false],
    ['a', false],
  ])('%s that is read unclearly is sure: %s', (text, expected) => {
    expect(isSure(reading([text, 0.9]).glyphs)).toBe(expected);
    expect(isSure(reading([text, 0.96]).glyphs)).toBe(text !== 'poats');
    expect(isSure(reading([text, 0.7]).glyphs)).toBe(false);
  });
});

test.each([
  ['a word that no lexicon knows', 'Zqxvar', false],
  ['a single symbol', '#', false],
  ['a unit', 'kQ', false],
  ['a code in capitals', 'ASB', false],
  ['a number', '7.42', true],
  ['an article', 'a', true],
  ['a percentage, because fractions are misread as one', '9%', false],
  ['a comma before a word, because low quotation marks are misread as one', ',boats', false],
  ['an equals sign after a word, because ≈ is misread as one', 'boats=', false],
  ['the usual misreading of a numero sign', 'Ne', false],
  ['a word in parentheses', '(boats),', true],
])('confidenceCheckFor: %s that is read clearly is sure: %s, %s', (_, text, expected) => {
  const isSure = confidenceCheckFor(new Lexicons(dataIn([])).of(['eng']), { known: 0.8, other: 0.95 });
  expect(isSure(reading([text, 0.999]).glyphs)).toBe(expected);
});

test('isBeyondDoubt: words with ink between them are in doubt, as an underscore may join them', () => {
  const line = reading(['parse', 1], ['user', 1]);
  expect(isBeyondDoubt(line, [gap(2.5)], 5, SURE)).toBe(true);
  expect(isBeyondDoubt(line, [], 5, SURE)).toBe(false);
});

describe('doubtfulSpans', () => {
  const blanks = [gap(2.5), gap(5), gap(10), gap(12.5)];

  it('reach from the gap before a doubtful word to the gap after it', () => {
    const line = reading(['aaaaa', 1], ['bbbb', 0.5], ['ccccccccc', 1], ['dddd', 1], ['eeee', 1]);
    expect(doubtfulSpans(line, blanks, 15, SURE)).toEqual([{ from: 2.75, to: 5.25 }]);
  });

  it('hold the whole of a widely spaced word with one doubtful letter', () => {
    const line = reading(['aaaaa', 1], ['bbbb', 1], ['ccccccccc', 1], ['dddd', 1], ['eeee', 1]);
    line.glyphs[7]!.confidence = 0.5;
    const wide = [...blanks, gap(3.4), gap(4.4)].sort((a, b) => a.from - b.from);
    expect(doubtfulSpans(line, wide, 15, SURE)).toEqual([{ from: 2.75, to: 5.25 }]);
  });

  it('begin before the first character of a word that is placed in the gap behind it', () => {
    const line = reading(['aaaaa', 1], ['1bbb', 0.5], ['ccccccccc', 1], ['dddd', 1], ['eeee', 1]);
    line.glyphs[5]!.center = 3.5;
    const wide = [...blanks, { from: 3.3, to: 3.6 }].sort((a, b) => a.from - b.from);
    expect(doubtfulSpans(line, wide, 15, SURE)).toEqual([{ from: 2.75, to: 5.25 }]);
  });

  it('reach to the ends of the line where there is no gap', () => {
    const line = reading(['aaaaa', 0.5], ['bbbb', 1], ['ccccccccc', 1], ['dddd', 1], ['eeee', 0.5]);
    expect(doubtfulSpans(line, blanks, 15, SURE)).toEqual([
      { from: 0, to: 2.75 },
      { from: 12.75, to: 15 },
    ]);
  });

  it('are joined when they are near one another', () => {
    const line = reading(['aaaaa', 0.5], ['b', 1], ['cc', 0.5], ['dddddddddddd', 1], ['eeee', 1]);
    expect(doubtfulSpans(line, [gap(2.5), gap(3.5), gap(5), gap(11.5)], 15, SURE)).toEqual([
      { from: 0, to: 5.25 },
    ]);
  });

  it('cover the whole line when most of it is doubtful or was left out', () => {
    const doubtful = reading(['aaaaa', 0.5], ['bbbbbbbbbbbbbb', 0.5], ['cccc', 1]);
    expect(doubtfulSpans(doubtful, [gap(2.5), gap(10)], 13, SURE)).toEqual([{ from: 0, to: 13 }]);
    expect(doubtfulSpans(reading(['aa', 0.95]), blanks, 15, SURE)).toEqual([{ from: 0, to: 15 }]);
  });
});
