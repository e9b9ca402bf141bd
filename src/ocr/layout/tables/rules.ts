/** Drawn lines of the page, which divide the rows and columns of a table. */

import { itemAt } from '../../checked.ts';
import type { GrayImage } from '../../picture/pixels.ts';
import type { Box, Point } from '../../types.ts';

/** A horizontal or vertical line of the dewarped page. */
export interface Rule {
  /** Start and end along its direction. */
  from: number;
  to: number;
  /** Position across its direction. */
  at: number;
}

export interface Rules {
  /** Horizontal rules, sorted by y. */
  across: Rule[];
  /** Vertical rules, sorted by x. */
  down: Rule[];
}

interface RuledPage {
  image: GrayImage;
  /** Maps a point of the dewarped page to the image. */
  onPicture(point: Point): Point;
}

/** Most sampled pixels of the dewarped page: a larger page is sampled more coarsely. */
const MAX_PIXELS = 3e6;
/** Greatest height of a text line at sampling, in pixels: a rule is still detected. */
const LINE_HEIGHT = 24;
/** Least contrast to both sides, of 255. */
const CONTRAST = 22;
/** Greatest thickness of a rule, by line height. */
const THICKEST = 0.22;
/** Least length of a rule, by line height: longer than any stroke of a letter. */
const SHORTEST = { across: 2.4, down: 1.7 } as const;
/** Least share of a rule's length that is visible. */
const MIN_VISIBLE_SHARE = 0.86;
/** A run that passes through the middle of words for more than this share of its length belongs to them. */
const THROUGH_TEXT = 0.3;
/** Number of rules kept in each direction, the longest ones. */
const MAX_RULES = 400;

/**
 * The rules in a part of a page.
 * @param words boxes of the dewarped page, in its own pixels, as `area`
 * @param lineHeight of the page's text
 */
export function findRules(page: RuledPage, area: Box, words: readonly Box[], lineHeight: number): Rules {
  const flat = flatImage(page, area, lineHeight);
  const line = lineHeight / flat.step;
  const across = rulesAlong(flat, line, SHORTEST.across);
  const down = rulesAlong(transposed(flat), line, SHORTEST.down);
  const onPage = ({ from, to, at }: Rule, along: number, aside: number): Rule => ({
    from: along + from * flat.step,
    to: along + to * flat.step,
    at: aside + at * flat.step,
  });
  return {
    across: withoutStrokes(
      across.map((rule) => onPage(rule, area.x, area.y)),
      words.map(({ x, y, width, height }) => ({ from: x, to: x + width, top: y, bottom: y + height })),
    ),
    down: withoutStrokes(
      down.map((rule) => onPage(rule, area.y, area.x)),
      words.map(({ x, y, width, height }) => ({ from: y, to: y + height, top: x, bottom: x + width })),
    ),
  };
}

interface FlatImage {
  gray: Uint8Array;
  width: number;
  height: number;
  /** Distance of the samples, in pixels of the page. */
  step: number;
}

/** Between mapped points, a row of the page is straight enough. */
const STRIDE = 32;

function flatImage({ image, onPicture }: RuledPage, area: Box, lineHeight: number): FlatImage {
  const step = Math.max(1, lineHeight / LINE_HEIGHT, Math.sqrt((area.width * area.height) / MAX_PIXELS));
  const width = Math.max(1, Math.ceil(area.width / step));
  const height = Math.max(1, Math.ceil(area.height / step));
  const gray = new Uint8Array(width * height);
  // A thin rule must not fall between two samples: of the pixels in one, the one that differs most from paper counts.
  const reach = step > 1.2 ? 1 : 0;
  const sign = isDark(image) ? -1 : 1;
  for (let y = 0; y < height; y++) {
    let start = onPicture({ x: area.x, y: area.y + y * step });
    for (let from = 0; from < width; from += STRIDE) {
      const to = Math.min(width, from + STRIDE);
      const end = onPicture({ x: area.x + to * step, y: area.y + y * step });
      const [dx, dy] = [(end.x - start.x) / (to - from), (end.y - start.y) / (to - from)];
      for (let x = from; x < to; x++) {
        const [px, py] = [Math.round(start.x + (x - from) * dx), Math.round(start.y + (x - from) * dy)];
        gray[y * width + x] = sampleOf(image, px, py, reach, sign);
      }
      start = end;
    }
  }
  return { gray, width, height, step };
}

/** A pixel, or with `reach` the darkest of it and those up to `reach` after it; the lightest if `sign` is -1. Edges are repeated. */
function sampleOf(
  { gray, width, height }: GrayImage,
  x: number,
  y: number,
  reach: number,
  sign: number,
): number {
  const left = Math.min(width - 1, Math.max(0, x));
  const top = Math.min(height - 1, Math.max(0, y));
  if (reach === 0) return gray[top * width + left]!;
  const right = Math.min(width - 1, Math.max(0, x + reach));
  const bottom = Math.min(height - 1, Math.max(0, y + reach));
  let found = 255 * sign;
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const value = gray[row * width + column]! * sign;
      if (value < found) found = value;
    }
  }
  return found * sign;
}

function isDark({ gray }: GrayImage): boolean {
  const stride = Math.max(1, Math.floor(gray.length / 4096));
  let [sum, count] = [0, 0];
  for (let at = 0; at < gray.length; at += stride) {
    sum += gray[at]!;
    count++;
  }
  return sum < 110 * count;
}

function transposed({ gray, width, height, step }: FlatImage): FlatImage {
  const turned = new Uint8Array(gray.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + y] = gray[y * width + x]!;
  }
  return { gray: turned, width: height, height: width, step };
}

/** Rules that run along the rows of an image. */
function rulesAlong(image: FlatImage, line: number, shortest: number): Rule[] {
  const { height } = image;
  const thickest = Math.max(3, Math.round(THICKEST * line));
  const marks = marksOf(image, thickest);
  const bounds = {
    least: Math.max(12, shortest * line),
    gap: Math.max(1, Math.round(0.1 * line)),
    thickest: thickest + 1,
  };
  const found: Rule[] = [];
  // Rules from the rows above that may continue in this one.
  let open: (Rule & { rows: number; last: number })[] = [];
  for (let y = 0; y < height; y++) {
    for (const run of runsOf(image, marks, y, bounds)) {
      const same = open.find((rule) => rule.from < run.to && run.from < rule.to);
      if (same) {
        same.from = Math.min(same.from, run.from);
        same.to = Math.max(same.to, run.to);
        same.at += y;
        same.rows++;
        same.last = y;
      } else {
        open.push({ ...run, at: y, rows: 1, last: y });
      }
    }
    const done = open.filter((rule) => y - rule.last > 2 || y === height - 1);
    for (const { from, to, at, rows } of done) found.push({ from, to, at: at / rows + 0.5 });
    open = open.filter((rule) => y - rule.last <= 2);
  }
  return found
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_RULES)
    .sort((a, b) => a.at - b.at);
}

/** Pixels where the image is darker, or lighter, than both above and below. */
function marksOf({ gray, width, height }: FlatImage, reach: number): Uint8Array {
  const marks = new Uint8Array(gray.length);
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - reach) * width;
    const below = Math.min(height - 1, y + reach) * width;
    for (let x = 0; x < width; x++) {
      const here = gray[y * width + x]!;
      const [up, down] = [gray[above + x]! - here, gray[below + x]! - here];
      if ((up >= CONTRAST && down >= CONTRAST) || (up <= -CONTRAST && down <= -CONTRAST)) {
        marks[y * width + x] = 1;
      }
    }
  }
  return marks;
}

/**
 * Long runs of marks in a row, or in the one above or below, so that a slight slant counts as straight. A crossing rule
 * leaves no mark there, but the pixels are as dark.
 */
function runsOf(
  { gray, width, height }: FlatImage,
  marks: Uint8Array,
  y: number,
  { least, gap, thickest }: { least: number; gap: number; thickest: number },
): { from: number; to: number }[] {
  const here = y * width;
  const above = Math.max(0, y - 1) * width;
  const below = Math.min(height - 1, y + 1) * width;
  const runs: { from: number; to: number }[] = [];
  let [from, last, marked, shown, value] = [-1, -1, -1, 0, 0];
  for (let x = 0; x <= width; x++) {
    const row =
      x === width ? -1 : marks[here + x] ? here : marks[above + x] ? above : marks[below + x] ? below : -1;
    if (row >= 0) {
      if (from < 0) [from, shown] = [x, 0];
      last = x;
      marked = x;
      shown++;
      value = gray[row + x]!;
    } else if (from >= 0) {
      const crossed = x < width && x - marked <= thickest && Math.abs(gray[here + x]! - value) <= CONTRAST;
      if (crossed) {
        last = x;
        shown++;
      } else if (x - last > gap || x === width) {
        const length = marked + 1 - from;
        if (length >= least && shown >= MIN_VISIBLE_SHARE * length) runs.push({ from, to: marked + 1 });
        from = -1;
      }
    }
  }
  return runs;
}

interface Span {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** Removes rows of letter strokes. */
function withoutStrokes(rules: readonly Rule[], words: readonly Span[]): Rule[] {
  const byTop = words.toSorted((a, b) => a.top - b.top);
  const tallest = Math.max(0, ...words.map(({ top, bottom }) => bottom - top));
  return rules.filter(({ from, to, at }) => {
    let covered = 0;
    for (const word of byTop.slice(firstAfter(byTop, at - tallest))) {
      if (word.top >= at) break;
      // A share of the height for vertical rules too: the first stroke of a word is as close to its left edge.
      const edge = 0.2 * Math.min(word.bottom - word.top, word.to - word.from);
      if (at < word.top + edge || at > word.bottom - edge) continue;
      covered += Math.max(0, Math.min(to, word.to) - Math.max(from, word.from));
    }
    return covered < THROUGH_TEXT * (to - from);
  });
}

function firstAfter(words: readonly Span[], top: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(words, middle).top < top) low = middle + 1;
    else high = middle;
  }
  return low;
}
