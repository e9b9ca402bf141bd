import { expect, test } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import type { Glyph } from './recognizer.ts';
import { withZerosResolved } from './zeros.ts';

const HEIGHT = 48;
/** Columns from one character to the next. */
const PITCH = 36;

type Drawn = 'ring' | 'dotted' | 'slashed' | 'stem' | 'low ring';

/** A line of characters, each a ring of 22 × 30 pixels or a stem, black on white. */
function drawn(shapes: readonly Drawn[]): GrayImage {
  const width = shapes.length * PITCH;
  const gray = new Uint8Array(width * HEIGHT).fill(255);
  const dot = (x: number, y: number, size: number) => {
    for (let row = y; row < y + size; row++) gray.fill(0, row * width + x, row * width + x + size);
  };
  for (const [i, shape] of shapes.entries()) {
    const middle = i * PITCH + PITCH / 2;
    if (shape === 'stem') {
      for (let y = 10; y < 38; y++) dot(middle, y, 3);
      continue;
    }
    const [halfWide, halfHigh] = shape === 'low ring' ? [6, 7] : [10, 14];
    for (let degrees = 0; degrees < 360; degrees++) {
      const angle = (degrees * Math.PI) / 180;
      dot(
        Math.round(middle + halfWide * Math.cos(angle)) - 1,
        Math.round(24 + halfHigh * Math.sin(angle)) - 1,
        3,
      );
    }
    if (shape === 'dotted') dot(middle - 3, 20, 7);
    if (shape === 'slashed')
      for (let step = -8; step <= 8; step++) dot(middle + Math.round(step / 2) - 1, 24 - step, 4);
  }
  return { gray, width, height: HEIGHT };
}

/** Glyphs in the places of the drawn characters; a space in the text starts a new word and takes no place. */
function glyphsOf(text: string): Glyph[] {
  const glyphs: Glyph[] = [];
  let startsWord = true;
  for (const character of text) {
    if (character !== ' ') {
      const center = ((glyphs.length + 0.5) * PITCH) / HEIGHT;
      glyphs.push({ text: character, confidence: 0.9, center, startsWord });
    }
    startsWord = character === ' ';
  }
  return glyphs;
}

const resolved = (text: string, shapes: readonly Drawn[]) =>
  withZerosResolved(glyphsOf(text), drawn(shapes))
    .map((glyph) => glyph.text)
    .join('');

test.each(['dotted', 'slashed'] as const)(
  'withZerosResolved: a %s ring is a zero and an empty one beside it the letter O',
  (zero) => {
    expect(resolved('OO1l', [zero, 'ring', 'stem', 'stem'])).toBe('0O1l');
    expect(resolved('00Il', [zero, 'ring', 'stem', 'stem'])).toBe('0OIl');
  },
);

test('withZerosResolved: empty rings stay where no zero on the line has a mark inside', () => {
  expect(resolved('0O1l', ['ring', 'ring', 'stem', 'stem'])).toBe('0O1l');
});

test('withZerosResolved: an unmarked zero in a number stays a zero, because numbers contain no letters', () => {
  expect(resolved('01 0l', ['ring', 'stem', 'dotted', 'stem'])).toBe('010l');
});

test('withZerosResolved: a ring that is lower than capitals is not judged', () => {
  expect(resolved('0Ol', ['dotted', 'low ring', 'stem'])).toBe('0Ol');
  expect(resolved('00l', ['dotted', 'low ring', 'stem'])).toBe('00l');
});

test('withZerosResolved: all other fields of a glyph stay', () => {
  const [glyph] = withZerosResolved(glyphsOf('Ol'), drawn(['dotted', 'stem']));
  expect(glyph).toEqual({ ...glyphsOf('Ol')[0], text: '0' });
});
