import { expect, test } from 'vitest';
import { spellingOf } from './evidence.ts';
import type { Glyph } from './recognizer.ts';
import { withCountedSigns } from './repeated-signs.ts';

const [HEIGHT, ADVANCE] = [48, 24] as const;

/** A line with characters of equal width; underscores touch. `read`: the recognizer's reading. */
function line(print: string, read: string) {
  const width = print.length * ADVANCE;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  for (const [i, character] of [...print].entries()) {
    const [top, bottom, margin] = character === '_' ? [42, 45, 0] : [12, 38, 4];
    for (let y = top; y < bottom; y++)
      gray.fill(0, y * width + i * ADVANCE + margin, y * width + (i + 1) * ADVANCE - margin);
  }
  let at = 0;
  const glyphs = [...read].map((text, i): Glyph => {
    const from = at;
    do at++;
    while (text === '_' && print[at] === '_' && read[i + 1] !== '_');
    return { text, confidence: 1, center: ((from + at) * ADVANCE) / 2 / HEIGHT, startsWord: i === 0 };
  });
  return spellingOf(withCountedSigns(glyphs, { gray, width, height: HEIGHT }));
}

test.each([
  ['__init__.py', '_init_.py'],
  ['ab___cd', 'ab_cd'],
  ['user_id', 'user_id'],
  ['a__bc', 'a__bc'],
])('withCountedSigns: "%s" that was read as "%s" gets the underscores of the print', (print, read) => {
  expect(line(print, read)).toBe(print);
});

test('withCountedSigns: a long rule is not counted', () => {
  expect(line(`ab${'_'.repeat(9)}`, 'ab_')).toBe('ab_');
});

/** A line of signs as squares: full ones, empty ones, and a letter as a tall bar. `read`: text and place in the print. */
function rating(print: string, read: readonly (readonly [string, number])[]) {
  const width = print.length * ADVANCE;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  for (const [i, character] of [...print].entries()) {
    const [left, right] = [i * ADVANCE + 3, (i + 1) * ADVANCE - 3];
    const [top, bottom] = character === 'l' ? [8, 40] : [16, 34];
    for (let y = top; y < bottom; y++) {
      const isEdge = y < top + 3 || y >= bottom - 3;
      if (character === '☆' && !isEdge) {
        gray.fill(0, y * width + left, y * width + left + 3);
        gray.fill(0, y * width + right - 3, y * width + right);
      } else gray.fill(0, y * width + left, y * width + (character === 'l' ? left + 4 : right));
    }
  }
  const glyphs = read.map(
    ([text, place]): Glyph => ({
      text,
      confidence: 1,
      center: ((place + 0.5) * ADVANCE) / HEIGHT,
      startsWord: false,
    }),
  );
  return spellingOf(withCountedSigns(glyphs, { gray, width, height: HEIGHT }));
}

test('withCountedSigns: a rating that was read as one star of each kind has the stars of the print', () => {
  const read = [
    ['★', 1],
    ['☆', 4],
  ] as const;
  expect(rating('★★★★☆', read)).toBe('★★★★☆');
});

test('withCountedSigns: letters beside a star are no stars', () => {
  const read = [
    ['l', 0],
    ['★', 1],
    ['l', 2],
  ] as const;
  expect(rating('l★l', read)).toBe('l★l');
});
