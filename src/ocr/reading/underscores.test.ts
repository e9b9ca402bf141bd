import { expect, test } from 'vitest';
import { spellingOf } from './evidence.ts';
import type { Glyph } from './recognizer.ts';
import { withCountedUnderscores } from './underscores.ts';

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
    return { text, confidence: 1, centre: ((from + at) * ADVANCE) / 2 / HEIGHT, startsWord: i === 0 };
  });
  return spellingOf(withCountedUnderscores(glyphs, { gray, width, height: HEIGHT }));
}

test.each([
  ['__init__.py', '_init_.py'],
  ['ab___cd', 'ab_cd'],
  ['user_id', 'user_id'],
  ['a__bc', 'a__bc'],
])('withCountedUnderscores: "%s" that was read as "%s" gets the underscores of the print', (print, read) => {
  expect(line(print, read)).toBe(print);
});

test('withCountedUnderscores: a long rule is not counted', () => {
  expect(line(`ab${'_'.repeat(9)}`, 'ab_')).toBe('ab_');
});
