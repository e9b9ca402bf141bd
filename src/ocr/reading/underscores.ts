/** Counts underscores that touch, as in "__init__": recognizers read them as one. */

import type { GrayImage } from '../picture/picture.ts';
import { INK } from './ink-boxes.ts';
import type { Glyph } from './recognizer.ts';

/** In line heights: an underscore lies below this, and is no thicker. */
const LOWEST = { from: 0.55, thickest: 0.16 } as const;
/** In line heights: paper between two underscores of a name. */
const GAP = 0.06;
/** More in a row are a rule. */
const MOST = 4;

/**
 * The glyphs of a line, with as many underscores as the length of their stroke holds.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withCountedUnderscores(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => text === '_')) return [...glyphs];
  const advance = advanceOf(glyphs);
  if (advance === undefined) return [...glyphs];
  return glyphs.flatMap((glyph, i) => {
    if (glyph.text !== '_' || glyphs[i - 1]?.text === '_' || glyphs[i + 1]?.text === '_') return [glyph];
    const stroke = strokeAt(crop, Math.round(glyph.centre * crop.height));
    if (!stroke) return [glyph];
    const [from, to] = [stroke.from / crop.height, stroke.to / crop.height];
    const count = Math.round((to - from) / advance);
    if (count < 2 || count > MOST) return [glyph];
    return Array.from({ length: count }, (_, n) => ({
      ...glyph,
      centre: from + ((n + 0.5) * (to - from)) / count,
      startsWord: glyph.startsWord && n === 0,
    }));
  });
}

/**
 * The mean distance from one character to the next within words, in line heights. A recognizer places each to a sixth of a
 * line height.
 */
function advanceOf(glyphs: readonly Glyph[]): number | undefined {
  const steps = glyphs.slice(1).flatMap((glyph, i) => {
    const before = glyphs[i]!;
    const isStep = !glyph.startsWord && glyph.text !== '_' && before.text !== '_';
    return isStep ? [glyph.centre - before.centre] : [];
  });
  return steps.length === 0 ? undefined : steps.reduce((sum, step) => sum + step, 0) / steps.length;
}

/** The low, thin strokes beside one another of which one crosses column `x`, in pixels. */
function strokeAt({ gray, width, height }: GrayImage, x: number): { from: number; to: number } | undefined {
  const rows: number[] = [];
  for (let y = Math.round(LOWEST.from * height); y < height; y++) {
    if (gray[y * width + x]! < INK) rows.push(y);
  }
  const row = rows[rows.length >> 1];
  if (row === undefined || rows.length > LOWEST.thickest * height) return undefined;
  const gap = Math.round(GAP * height);
  /** The nearest ink to one side, across no more paper than stands between two underscores. */
  const next = (column: number, side: -1 | 1): number | undefined => {
    for (let x = column + side; Math.abs(x - column) <= gap + 1 && x >= 0 && x < width; x += side)
      if (gray[row * width + x]! < INK) return x;
    return undefined;
  };
  let [from, to] = [x, x];
  for (let left = next(from, -1); left !== undefined; left = next(from, -1)) from = left;
  for (let right = next(to, 1); right !== undefined; right = next(to, 1)) to = right;
  return { from, to: to + 1 };
}
