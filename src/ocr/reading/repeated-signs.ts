/** Counts signs in a row, as in "__init__" and "★★★★☆": recognizers read equal ones as one. */

import type { GrayImage } from '../picture/pixels.ts';
import { INK, type InkBox, inkBoxesOf, inkShareIn } from './ink-boxes.ts';
import type { Glyph } from './recognizer.ts';

/** In line heights: an underscore lies below this, and is no thicker. */
const LOWEST = { from: 0.55, thickest: 0.16 } as const;
/** In line heights: paper between two underscores of a name. */
const GAP = 0.06;
/** More in a row are a rule. */
const MAX = 4;

/** Signs of ratings: the full ones, and the empty one of each. */
const EMPTY: Readonly<Record<string, string>> = { '★': '☆', '●': '○' };
const RATING = /^[★☆●○]$/;
/** Of a rating: the distance from one sign to the next where they touch, in their heights; most signs. */
const PITCH = 1.08;
const MAX_OF_RATING = 10;
/** Greatest difference in height between the signs of one rating, as a share. */
const UNEVEN = 0.25;
/** An empty sign has less than this share of the ink of a full one. */
const EMPTY_INK = 0.75;

/**
 * The glyphs of a line, with as many underscores as the length of their stroke holds, and as many signs of a rating as there
 * are.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withCountedSigns(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  return withCountedRatings(withCountedUnderscores(glyphs, crop), crop);
}

function withCountedRatings(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => RATING.test(text))) return [...glyphs];
  const boxes = inkBoxesOf(crop);
  const counted: Glyph[] = [];
  for (let from = 0; from < glyphs.length; ) {
    let to = from;
    while (to < glyphs.length && RATING.test(glyphs[to]!.text)) to++;
    if (to === from) {
      counted.push(glyphs[from++]!);
      continue;
    }
    const between = {
      from: glyphs[from - 1]?.center ?? 0,
      to: glyphs[to]?.center ?? crop.width / crop.height,
    };
    counted.push(...ratingIn(glyphs.slice(from, to), between, boxes, crop));
    from = to;
  }
  return counted;
}

/**
 * The signs of a rating; those that were read where the ink there is no row of equal signs.
 * @param between the centers of the glyphs on both sides, in line heights
 */
function ratingIn(
  read: readonly Glyph[],
  between: { from: number; to: number },
  boxes: readonly InkBox[],
  crop: GrayImage,
): readonly Glyph[] {
  const [first, last] = [between.from * crop.height, between.to * crop.height];
  const inside = boxes.filter(({ from, to }) => from >= first && to <= last);
  const heights = inside.map(({ top, bottom }) => bottom - top);
  const height = Math.max(...heights);
  if (heights.some((each) => each < (1 - UNEVEN) * height)) return read;
  const signs = inside.flatMap((box) => {
    const count = Math.max(1, Math.round((box.to - box.from) / (PITCH * height)));
    const edge = (n: number) => Math.round(box.from + (n * (box.to - box.from)) / count);
    return Array.from({ length: count }, (_, n) => ({ ...box, from: edge(n), to: edge(n + 1) }));
  });
  if (signs.length <= read.length || signs.length > MAX_OF_RATING) return read;
  const inks = signs.map((box) => inkShareIn(crop, box));
  const most = Math.max(...inks);
  const isMixed = inks.some((ink) => ink < EMPTY_INK * most);
  const full = read.find(({ text }) => text in EMPTY)?.text;
  const template = read[0]!;
  return signs.map(({ from, to }, i): Glyph => {
    const isEmpty = isMixed && inks[i]! < EMPTY_INK * most;
    return {
      ...template,
      text: full === undefined ? template.text : isEmpty ? EMPTY[full]! : full,
      center: (from + to) / 2 / crop.height,
      startsWord: i === 0 && template.startsWord,
    };
  });
}

function withCountedUnderscores(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => text === '_')) return [...glyphs];
  const advance = advanceOf(glyphs);
  if (advance === undefined) return [...glyphs];
  return glyphs.flatMap((glyph, i) => {
    if (glyph.text !== '_' || glyphs[i - 1]?.text === '_' || glyphs[i + 1]?.text === '_') return [glyph];
    const stroke = strokeAt(crop, Math.round(glyph.center * crop.height));
    if (!stroke) return [glyph];
    const [from, to] = [stroke.from / crop.height, stroke.to / crop.height];
    const count = Math.round((to - from) / advance);
    if (count < 2 || count > MAX) return [glyph];
    return Array.from({ length: count }, (_, n) => ({
      ...glyph,
      center: from + ((n + 0.5) * (to - from)) / count,
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
    return isStep ? [glyph.center - before.center] : [];
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
