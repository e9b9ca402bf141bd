import { describe, expect, it } from 'vitest';
import { spellingOf } from './evidence.ts';
import type { LineReading } from './recognizer.ts';
import { segmentLine } from './segments.ts';

/** Half a line height for every character and every space. */
function reading(text: string): LineReading {
  return {
    glyphs: [...text].flatMap((character, index) =>
      character === ' '
        ? []
        : [
            {
              text: character,
              confidence: 1,
              center: index / 2 + 0.25,
              startsWord: index === 0 || text[index - 1] === ' ',
            },
          ],
    ),
  };
}

/** Ink everywhere but at spaces. */
function blanksOf(text: string) {
  return [...text.matchAll(/ +/g)].map(({ index, 0: run }) => ({
    from: index / 2,
    to: (index + run.length) / 2,
  }));
}

function words(first: string, second: string, print: string): string[] {
  const segments = segmentLine(
    reading(first),
    [{ from: 0, to: print.length / 2, reading: reading(second) }],
    blanksOf(print),
    print.length / 2,
  );
  return segments.map((segment) => `${spellingOf(segment.first)}|${spellingOf(segment.second)}`);
}

describe('segmentLine: a line that both recognizers read', () => {
  it('is cut where both see a space', () => {
    expect(words('TOTAL 7.42', 'TOTAL 7.42', 'TOTAL 7.42')).toEqual(['TOTAL|TOTAL', '7.42|7.42']);
  });

  it('is cut where the primary one sees a space and the ink has a gap', () => {
    expect(words('TOTAL 7.42', 'TOTAL7.42', 'TOTAL 7.42')).toEqual(['TOTAL|TOTAL', '7.42|7.42']);
  });

  it('is not cut where the primary one sees a space within unbroken ink', () => {
    expect(words('TO TAL', 'TOTAL', 'TOTAL')).toEqual(['TOTAL|TOTAL']);
  });

  it('is not cut between the signs of a rating, where the primary one reads spaces', () => {
    const print = 'Rated ★ ★ ☆';
    const glyphs = reading(print).glyphs.map((glyph, i) => (i > 5 ? { ...glyph, startsWord: false } : glyph));
    const check = { from: 0, to: print.length / 2, reading: { glyphs } };
    const blanks = blanksOf(print).map(({ from, to }, i) => (i > 0 ? { from, to: to - 0.34 } : { from, to }));
    const segments = segmentLine(reading('Rated * k r'), [check], blanks, print.length / 2);
    expect(segments.map(({ second }) => spellingOf(second))).toEqual(['Rated', '★★☆']);
  });

  it('is not cut between the signs of a rating that only the secondary one reads, with spaces', () => {
    const print = '★ ★ ☆ Good';
    const blanks = blanksOf(print).map(({ from, to }, i) => (i < 2 ? { from, to: to - 0.34 } : { from, to }));
    const check = { from: 0, to: print.length / 2, reading: reading(print) };
    const segments = segmentLine(reading('~ = % Good'), [check], blanks, print.length / 2);
    expect(segments.map(({ second }) => spellingOf(second))).toEqual(['★★☆', 'Good']);
  });

  it('is not cut behind letters that the secondary one left out', () => {
    expect(words('an Tara', 'an  ara', 'an Tara')).toEqual(['an|an', 'Tara|ara']);
    expect(words('an T ara', 'an   ara', 'an T ara')).toEqual(['an|an', 'T|', 'ara|ara']);
  });

  it('keeps the order of letters that the primary one places wrongly', () => {
    // Tesseract spreads the letters of a word evenly, and its words overlap on lines without spaces.
    const places = [2.6, 1.9, 2.2, 2.3];
    const glyphs = reading('今日は雨').glyphs.map((glyph, i) => ({ ...glyph, center: places[i]! }));
    const [segment, ...others] = segmentLine(
      { glyphs },
      [{ from: 0, to: 4, reading: reading('今日は雨') }],
      [],
      4,
    );
    expect(spellingOf(segment!.first)).toBe('今日は雨');
    expect(segment!.from).toBe(0);
    expect(others).toEqual([]);
  });

  it('takes the secondary reading alone when the two have nothing in common', () => {
    expect(words('~~~ ..', 'Grand total', 'Grand total')).toEqual(['|Grand', '|total']);
  });
});

describe('segmentLine: a line that was checked in part', () => {
  it('keeps the words outside as the primary recognizer read them', () => {
    const check = { from: 1.5, to: 2.5, reading: { glyphs: reading('ab cd').glyphs.slice(2) } };
    const segments = segmentLine(reading('ab ce fg'), [check], [], 4);
    expect(
      segments.map(({ first, second, check }) => [
        spellingOf(first),
        spellingOf(second),
        check !== undefined,
      ]),
    ).toEqual([
      ['ab', '', false],
      ['ce', 'cd', true],
      ['fg', '', false],
    ]);
  });
});

describe('segmentLine: the words of a line', () => {
  it('reach from gap to gap', () => {
    const print = 'ab cd';
    const segments = segmentLine(reading(print), [], blanksOf(print), 2.5);
    expect(segments.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1.5, 2.5],
    ]);
  });

  it('share the space between them where no gap is known', () => {
    const segments = segmentLine(reading('ab cd'), [], [], 2.5);
    expect(segments.map(({ from, to }) => [from, to])).toEqual([
      [0, 1.25],
      [1.25, 2.5],
    ]);
  });
});
