/** Tells the bullets of a list apart by their ink: recognizers read them as quotation marks, dots, an "o" or a degree sign. */

import { median } from '../page/geometry.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { type InkBox, inkBoxesOf, inkShareIn } from './ink-boxes.ts';
import type { Glyph } from './recognizer.ts';

/** What a round or square bullet is read as. */
const READ_AS = /^[^\p{L}\p{N}]$|^[oOe0]$/u;
/** Least gap between a bullet and its text, in line heights. */
const GAP = 0.25;
/** In heights of the tall letters: the least height of a bullet, the least one of a large one, and where its middle may be, up from the base line. */
const SIZE = { least: 0.22, large: 0.8, most: 1.15 } as const;
const MIDDLE = { lowest: 0.24, highest: 0.68 } as const;
/** Width over height of a round sign. */
const ROUND = { least: 0.75, most: 1.34 } as const;
/**
 * Shares of ink: a disc fills .785 of its box, a square all of it; a ring has an empty middle. Both halves of a disc have the
 * same ink; a triangle has more on the left.
 */
const INK_SHARE = { disc: 0.62, square: 0.93, ring: 0.2, even: 1.25 } as const;
/** Its ink shows the sign. */
const SHAPE_CONFIDENCE = 0.9;

/**
 * The glyphs of a line whose first one, apart from the others, is a bullet.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withBulletResolved(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  const [first, ...rest] = glyphs;
  const next = rest[0];
  if (!first || !next || !READ_AS.test(first.text)) return [...glyphs];
  const sign = signAt(first.center * crop.height, crop);
  if (sign !== undefined) {
    const confidence = Math.max(first.confidence, SHAPE_CONFIDENCE);
    return [{ ...first, text: sign, confidence }, { ...next, startsWord: true }, ...rest.slice(1)];
  }
  // A degree sign stands behind a figure: here it is a ring whose ink is too faint.
  return /^[°º]$/.test(first.text) && next.startsWord ? [{ ...first, text: '◦' }, ...rest] : [...glyphs];
}

/** The bullet at column `x`, where that is the first ink of the line and apart from the rest. */
function signAt(x: number, crop: GrayImage): string | undefined {
  const [box, ...text] = inkBoxesOf(crop);
  const after = text[0];
  if (!box || !after || x >= after.from || after.from - box.to < GAP * crop.height) return undefined;
  return bulletIn(box, text, crop);
}

/** @param text the ink behind it on the line */
function bulletIn(box: InkBox, text: readonly InkBox[], crop: GrayImage): string | undefined {
  const tops = text.map(({ top }) => top);
  const bottoms = text.map(({ bottom }) => bottom);
  const base = median(bottoms);
  const tall = base - Math.min(...tops);
  const [wide, high] = [box.to - box.from, box.bottom - box.top];
  const middle = (base - (box.top + box.bottom) / 2) / tall;
  if (high < SIZE.least * tall || high > SIZE.most * tall) return undefined;
  if (wide < ROUND.least * high || wide > ROUND.most * high) return undefined;
  if (middle < MIDDLE.lowest || middle > MIDDLE.highest) return undefined;
  const isLarge = high >= SIZE.large * tall;
  const share = inkShareIn(crop, box);
  if (share >= INK_SHARE.square) return isLarge ? '■' : '▪';
  if (share >= INK_SHARE.disc) return isEven(box, crop) ? (isLarge ? '●' : '•') : undefined;
  // An "o" on the base line may be a bullet of its own.
  return isRing(box, crop) && box.bottom < base - 0.08 * tall && !isLarge ? '◦' : undefined;
}

/** Whether the left half has as much ink as the right one. */
function isEven(box: InkBox, crop: GrayImage): boolean {
  const middle = (box.from + box.to) >> 1;
  const left = inkShareIn(crop, { ...box, to: middle });
  const right = inkShareIn(crop, { ...box, from: box.to - (middle - box.from) });
  return left < INK_SHARE.even * right;
}

/** Whether the middle is empty and all sides are inked. */
function isRing({ from, to, top, bottom }: InkBox, crop: GrayImage): boolean {
  const [wide, high] = [to - from, bottom - top];
  const part = (left: number, right: number, up: number, down: number) =>
    inkShareIn(crop, {
      from: Math.round(from + left * wide),
      to: Math.max(Math.round(from + left * wide) + 1, Math.round(from + right * wide)),
      top: Math.round(top + up * high),
      bottom: Math.max(Math.round(top + up * high) + 1, Math.round(top + down * high)),
    });
  const sides = [
    part(0, 0.3, 0.3, 0.7),
    part(0.7, 1, 0.3, 0.7),
    part(0.3, 0.7, 0, 0.3),
    part(0.3, 0.7, 0.7, 1),
  ];
  return part(0.4, 0.6, 0.4, 0.6) < INK_SHARE.ring && sides.every((share) => share > INK_SHARE.ring);
}
