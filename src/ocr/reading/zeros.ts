/** Distinguishes zeros with a dot or a stroke inside from the letter O. Recognizers guess between them by context. */

import type { GrayImage } from '../picture/pixels.ts';
import { INK, type InkBox, inkBoxesOf } from './ink-boxes.ts';
import { type Glyph, wordsOf } from './recognizer.ts';

const ROUND = /^[0O]$/;
/** Least height of a zero, in line heights: a small o is lower. */
const LOWEST = 0.42;
/** Width of an isolated round sign, as shares of its height. */
const [NARROWEST, WIDEST] = [0.42, 1.05];
/** The part of a round sign that is empty in an O, as shares of its width and height from its middle, and the ink in it. */
const MIDDLE = { across: 0.14, down: 0.13, ink: 0.3 } as const;
/** A sign that is round itself has ink on both sides of its middle. */
const RIM = 0.3;

/**
 * The glyphs of a line with zeros and O's resolved, where at least one of them has a mark inside. Without such a mark the
 * shapes are the same, and all glyphs stay unchanged.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withZerosResolved(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  const round = glyphs.filter(({ text }) => ROUND.test(text));
  if (round.length === 0) return [...glyphs];
  const boxes = inkBoxesOf(crop);
  const marked = new Map(round.map((glyph) => [glyph, hasMiddle(crop, boxes, glyph.center * crop.height)]));
  if (![...marked.values()].includes(true)) return [...glyphs];
  return wordsOf(glyphs).flatMap((word) => {
    // A figure has no O, however unclear one of its zeros is.
    const isFigure = word.every(({ text }) => !/\p{L}/u.test(text));
    return word.map((glyph) => {
      const isMarked = marked.get(glyph);
      if (isMarked === undefined || isMarked === (glyph.text === '0')) return glyph;
      if (!isMarked && isFigure) return glyph;
      return { ...glyph, text: isMarked ? '0' : 'O' };
    });
  });
}

/**
 * Whether the round sign at column `x` has a mark inside; undefined where the ink there touches its neighbors or is not
 * round.
 */
function hasMiddle(crop: GrayImage, boxes: readonly InkBox[], x: number): boolean | undefined {
  const { gray, width, height } = crop;
  const box = boxes.find(({ from, to }) => x >= from - 1 && x <= to + 1);
  if (!box) return undefined;
  const { from, top } = box;
  const [wide, high] = [box.to - from, box.bottom - top];
  if (high < LOWEST * height || wide < NARROWEST * high || wide > WIDEST * high) return undefined;
  const inkBetween = (left: number, right: number) => {
    const [x1, x2] = [Math.round(from + left * wide), Math.max(1, Math.round(from + right * wide))];
    const [y1, y2] = [
      Math.round(top + (0.5 - MIDDLE.down) * high),
      Math.round(top + (0.5 + MIDDLE.down) * high),
    ];
    let ink = 0;
    for (let y = y1; y <= y2; y++) for (let at = x1; at < x2; at++) if (gray[y * width + at]! < INK) ink++;
    return ink / Math.max(1, (y2 - y1 + 1) * (x2 - x1));
  };
  if (inkBetween(0, RIM) < 0.2 || inkBetween(1 - RIM, 1) < 0.2) return undefined;
  return inkBetween(0.5 - MIDDLE.across, 0.5 + MIDDLE.across) >= MIDDLE.ink;
}
