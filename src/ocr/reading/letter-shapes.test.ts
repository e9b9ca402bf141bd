import { describe, expect, test } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import {
  withDashesResolved,
  withLookAlikesResolved,
  withoutParts,
  withRaisedFigures,
} from './letter-shapes.ts';
import type { Glyph } from './recognizer.ts';

const HEIGHT = 40;
const ADVANCE = 20;
/** Height of a character's ink, which stands on the row 32, in pixels. */
const [LOW, TALL] = [16, 24];

type Shape = 'low' | 'tall' | 'bar' | 'flagged' | 'hyphen' | 'dash' | 'raised' | 'wide';

/** One character after another, each with its shape; a space separates words. */
function lineOf(text: string, shapes: readonly Shape[]): { glyphs: Glyph[]; crop: GrayImage } {
  const width = (shapes.length + 1) * ADVANCE;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  const fill = (left: number, wide: number, high: number, thick = high) => {
    for (let y = 32 - high; y < 32 - high + thick; y++)
      gray.fill(0, y * width + left, y * width + left + wide);
  };
  const glyphs: Glyph[] = [];
  let startsWord = true;
  for (const character of text) {
    if (character === ' ') {
      startsWord = true;
      continue;
    }
    const left = 10 + glyphs.length * ADVANCE;
    const shape = shapes[glyphs.length]!;
    if (shape === 'bar') fill(left + 4, 4, TALL);
    else if (shape === 'flagged') {
      fill(left + 6, 4, TALL);
      fill(left, 6, TALL, 4);
    } else if (shape === 'hyphen') fill(left + 2, 9, LOW, 3);
    else if (shape === 'wide') fill(left - 2, 17, LOW);
    else if (shape === 'raised') fill(left + 2, 8, TALL + 2, 14);
    else if (shape === 'dash') fill(left - 2, 17, LOW, 3);
    else fill(left, 12, shape === 'low' ? LOW : TALL);
    glyphs.push({ text: character, confidence: 0.9, center: (left + 6) / HEIGHT, startsWord });
    startsWord = false;
  }
  return { glyphs, crop: { gray, width, height: HEIGHT } };
}
const resolved = (text: string, shapes: readonly Shape[]) => {
  const { glyphs, crop } = lineOf(text, shapes);
  return withLookAlikesResolved(glyphs, crop)
    .map((glyph) => (glyph.startsWord ? ' ' : '') + glyph.text)
    .join('')
    .trim();
};

describe('withLookAlikesResolved: a zero', () => {
  const and: Shape[] = ['low', 'low', 'tall'];
  test('as high as the low letters of its line becomes an o beside letters', () => {
    expect(resolved('and 0T1', [...and, 'low', 'tall', 'flagged'])).toBe('and oT1');
  });
  test('as high as capitals stays', () => {
    expect(resolved('and 0T1', [...and, 'tall', 'tall', 'flagged'])).toBe('and 0T1');
  });
  test('in a figure of low digits stays', () => {
    expect(resolved('and D 10', [...and, 'tall', 'low', 'low'])).toBe('and D 10');
  });
  test('beside another figure, as in an index, stays', () => {
    expect(resolved('and Tm200', [...and, 'tall', 'low', 'low', 'low', 'low'])).toBe('and Tm200');
  });
  test('on a line with too few other letters stays', () => {
    expect(resolved('n0T', ['low', 'low', 'tall'])).toBe('n0T');
  });
});

describe('withLookAlikesResolved: a figure 1', () => {
  test('that is a bare stroke, where another 1 of the line has a flag, becomes an l', () => {
    expect(resolved('101 51', ['flagged', 'tall', 'bar', 'tall', 'bar'])).toBe('10l 5l');
  });
  test('at the start of a word or before another figure stays', () => {
    expect(resolved('101 1² 512', ['flagged', 'tall', 'bar', 'bar', 'low', 'tall', 'bar', 'tall'])).toBe(
      '10l 1² 512',
    );
  });
  test('that is a bare stroke and was read unsurely, as the only 1 of the line, becomes an l', () => {
    const { glyphs, crop } = lineOf('6.31', ['tall', 'tall', 'tall', 'bar']);
    const texts = (confidence: number) =>
      withLookAlikesResolved(
        glyphs.map((glyph) => ({ ...glyph, confidence })),
        crop,
      ).map(({ text }) => text);
    expect(texts(0.86).join('')).toBe('6.3l');
    expect(texts(0.95).join('')).toBe('6.31');
  });
  test('that is a bare stroke stays where all others are bare strokes', () => {
    expect(resolved('101 51', ['bar', 'tall', 'bar', 'tall', 'bar'])).toBe('101 51');
  });
});

describe('withoutParts', () => {
  const glyphsAt = (places: readonly [text: string, center: number, startsWord?: boolean][]): Glyph[] =>
    places.map(([text, center, startsWord = false]) => ({ text, confidence: 1, center, startsWord }));
  const left = (places: Parameters<typeof glyphsAt>[0]) =>
    withoutParts(glyphsAt(places))
      .map((glyph) => (glyph.startsWord ? ' ' : '') + glyph.text)
      .join('');

  test('drops figures inside a fraction', () => {
    expect(
      left([
        ['1', 0.1, true],
        ['¼', 0.3],
        ['4', 0.6],
      ]),
    ).toBe(' ¼');
    expect(
      left([
        ['N', 0.1, true],
        ['№', 0.4],
        ['5', 1.2, true],
      ]),
    ).toBe(' № 5');
  });
  test('keeps a figure in front of a fraction, and those of the next word', () => {
    expect(
      left([
        ['1', 0.1, true],
        ['¼', 0.7],
        ['4', 1.1, true],
      ]),
    ).toBe(' 1¼ 4');
  });
});

describe('withDashesResolved: hyphens and en dashes are distinguished by their length', () => {
  const resolved = (text: string, shapes: readonly Shape[]) => {
    const { glyphs, crop } = lineOf(text, shapes);
    return withDashesResolved(glyphs, crop)
      .map((glyph) => glyph.text)
      .join('');
  };
  const around = (dash: Shape): Shape[] => ['tall', dash, 'tall', 'tall'];
  const proportional: Shape[] = ['low', 'low', 'wide'];
  test.each([
    ['8-18', 'dash', '8–18'],
    ['8–18', 'hyphen', '8-18'],
    ['8-18', 'hyphen', '8-18'],
    ['8–18', 'dash', '8–18'],
  ] as const)('%s with a %s in print is %s', (read, shape, text) => {
    expect(resolved(`acm ${read}`, [...proportional, ...around(shape)])).toBe(`acm${text}`);
  });
  test('a long hyphen stays where all letters are equally wide, as in Courier', () => {
    expect(resolved('acm 8-18', ['low', 'low', 'low', ...around('dash')])).toBe('acm8-18');
  });
  test.each([
    ['-', 'dash', '–'],
    ['–', 'hyphen', '-'],
  ] as const)('a lone %s with a %s in print is %s', (read, shape, text) => {
    expect(resolved(`acm ${read} TTT`, [...proportional, shape, 'tall', 'tall', 'tall'])).toBe(
      `acm${text}TTT`,
    );
  });
  test('a lone dash that is as high as a letter, such as an arrow, is read unsurely', () => {
    const { glyphs, crop } = lineOf('acm — TTT', [...proportional, 'low', 'tall', 'tall', 'tall']);
    expect(withDashesResolved(glyphs, crop)[3]).toMatchObject({ text: '—', confidence: 0.3 });
  });
  test('a minus before a number stays', () => {
    expect(resolved('5 -18', around('dash'))).toBe('5-18');
  });
  test('a hyphen between letters stays', () => {
    expect(resolved('W-TS', around('dash'))).toBe('W-TS');
  });
});

describe('withRaisedFigures: a figure', () => {
  const raised = (text: string, shapes: readonly Shape[]) => {
    const { glyphs, crop } = lineOf(text, shapes);
    return withRaisedFigures(glyphs, crop)
      .map((glyph) => glyph.text)
      .join('');
  };
  test('that is small and raised becomes a superscript', () => {
    expect(raised('103', ['tall', 'tall', 'raised'])).toBe('10³');
  });
  test('that is raised behind a word, as a footnote is, stays', () => {
    expect(raised('land13', ['tall', 'low', 'low', 'tall', 'raised', 'raised'])).toBe('land13');
  });
  test('that a figure on the base line follows stays: part of a bent line', () => {
    expect(raised('103', ['tall', 'raised', 'tall'])).toBe('103');
  });
  test('that stands on the base line stays, also a small one', () => {
    expect(raised('A103', ['tall', 'tall', 'low', 'tall'])).toBe('A103');
  });
  test('of a fraction or a price stays', () => {
    expect(raised('21/2', ['tall', 'raised', 'tall', 'tall'])).toBe('21/2');
    expect(raised('$799', ['tall', 'tall', 'raised', 'raised'])).toBe('$799');
  });
});
