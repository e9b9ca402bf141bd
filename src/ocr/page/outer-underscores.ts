/**
 * Extends line boxes to include underscores that the text detector misses: leading and trailing ones, as in "__init__", and at
 * the lower edge.
 */
import type { GrayImage } from '../picture/pixels.ts';
import { median, type Region, sliceOf } from './geometry.ts';
import type { LineImage } from './line-image.ts';

/** Radians; above this skew, an underscore crosses pixel rows. */
const MAX_SKEW = 0.02;
/**
 * In heights of the line. A longer run of ink is a rule. `apart`: the distance to the text. `clear`: paper beyond it.
 * `under`: how far it may run on under the line; more is an underline.
 */
const UNDERSCORE = {
  shortest: 0.2,
  longest: 1.6,
  thickest: 0.14,
  apart: 0.3,
  clear: 0.4,
  under: 0.8,
} as const;
/** Position of underscores, in heights below the line's middle. */
const UNDERSCORE_BAND = { from: 0.12, to: 0.55 } as const;
/** Least contrast to the surrounding paper, of 255. */
const CONTRAST = 70;

/** @param lines of an upright page. @returns unchanged ones as the same objects */
export function withOuterUnderscores(image: GrayImage, lines: readonly LineImage[]): LineImage[] {
  return lines.map((line) => {
    const grown = grownRegion(image, line.region);
    return grown === line.region ? line : line.at(grown);
  });
}

function grownRegion(image: GrayImage, region: Region): Region {
  if (region.spine || Math.abs(region.angle) > MAX_SKEW || region.width < 2 * region.height) return region;
  const isInk = inkOn(image, region);
  if (!isInk) return region;
  const [before, behind] = [reachOf(image, region, isInk, -1), reachOf(image, region, isInk, 1)];
  const below = depthOf(image, region, isInk);
  const deep = below === 0 ? region : { ...region, cy: region.cy + below / 2, height: region.height + below };
  return before + behind === 0 ? deep : sliceOf(deep, -before, deep.width + behind);
}

/** Whether a pixel is ink; pixels to the left and right of the picture are not. Rows must be within it. */
type IsInk = (x: number, y: number) => boolean;

/** How far an underscore reaches out of a line to one side, in pixels; 0 where there is none. */
function reachOf({ height }: GrayImage, region: Region, isInk: IsInk, side: -1 | 1): number {
  const high = region.height;
  const edge = Math.round(region.cx + (side * region.width) / 2);
  const [top, bottom] = [
    Math.max(0, Math.round(region.cy + UNDERSCORE_BAND.from * high)),
    Math.min(height, Math.round(region.cy + UNDERSCORE_BAND.to * high)),
  ];
  const inside = Math.round(UNDERSCORE.apart * high);
  const outside = Math.round((UNDERSCORE.longest + UNDERSCORE.clear) * high);
  const rows = Array.from({ length: Math.max(0, bottom - top) }, (_, row) => top + row);
  const thickest = Math.max(2, UNDERSCORE.thickest * high);
  let reach = 0;
  let blank = 0;
  let ruleRow: number | undefined;
  for (let out = 0; out <= outside; out++) {
    const inked = rows.filter((y) => isInk(edge + side * out, y));
    if (inked.length > thickest) return 0;
    blank = inked.length === 0 ? blank + 1 : 0;
    if (inked.length > 0) {
      reach = out + 1;
      ruleRow = inked[inked.length >> 1];
    }
    // The underscores of one name stand close together.
    if (blank > inside) break;
  }
  if (ruleRow === undefined || reach < UNDERSCORE.shortest * high || reach > UNDERSCORE.longest * high)
    return 0;
  let under = 0;
  while (under < high && isInk(edge - side * under, ruleRow)) under++;
  return under > UNDERSCORE.under * high ? 0 : reach + Math.round(high / 8);
}

/**
 * In heights of the line, around its lower edge: where bars are searched for, and how wide and thick those of underscores
 * are. `near`: how close to the edge the rest of a bar may be cut off. `margin`: paper that is added below.
 */
const LOW_BAR = {
  above: 0.16,
  below: 0.16,
  narrowest: 0.28,
  widest: 1.6,
  thickest: 0.1,
  near: 0.08,
  margin: 0.08,
} as const;

/** How far underscores reach below a line, in pixels; 0 where they lie within it. */
function depthOf({ width, height }: GrayImage, region: Region, isInk: IsInk): number {
  const high = region.height;
  const slope = Math.tan(region.angle);
  const [above, below] = [Math.round(LOW_BAR.above * high), Math.round(LOW_BAR.below * high)];
  /** The lowest ink in a column, counted from the line's lower edge, where that is a thin bar with paper above and below it. */
  const barAt = (x: number): number | undefined => {
    const edge = Math.round(region.cy + high / 2 + (x - region.cx) * slope);
    if (edge - above < 0 || edge + below >= height) return undefined;
    let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let y = edge - above; y <= edge + below; y++) {
      if (!isInk(x, y)) continue;
      top = Math.min(top, y - edge);
      bottom = y - edge;
    }
    const isApart = top > -above && bottom < below && bottom - top < Math.max(2, LOW_BAR.thickest * high);
    return isApart ? bottom : undefined;
  };
  /** How far the ink of a row continues around a column: a bar under letters is an underline. */
  const lengthAt = (x: number, y: number): number => {
    let [from, to] = [x, x];
    while (isInk(from - 1, y)) from--;
    while (isInk(to + 1, y)) to++;
    return to - from + 1;
  };
  let depth = 0;
  let run: { x: number; bottom: number }[] = [];
  const end = () => {
    const middle = run[run.length >> 1];
    if (middle && run.length >= LOW_BAR.narrowest * high) {
      const edge = Math.round(region.cy + high / 2 + (middle.x - region.cx) * slope);
      const lowest = Math.max(...run.map(({ bottom }) => bottom));
      const isShort = lengthAt(middle.x, edge + middle.bottom) <= LOW_BAR.widest * high;
      if (isShort && lowest > -LOW_BAR.near * high) depth = Math.max(depth, lowest + LOW_BAR.margin * high);
    }
    run = [];
  };
  const last = Math.min(width - 1, Math.floor(region.cx + region.width / 2));
  for (let x = Math.max(0, Math.ceil(region.cx - region.width / 2)); x <= last; x++) {
    const bottom = barAt(x);
    if (bottom === undefined) end();
    else run.push({ x, bottom });
  }
  end();
  return Math.max(0, depth);
}

/** The ground is even where this share of its samples differs by at most this many levels. */
const EVEN = { share: 0.85, levels: 8 } as const;

/** Detects ink around a line with an even ground: on paper with grain or creases a speck looks like an underscore. */
function inkOn({ gray, width, height }: GrayImage, { cx, cy, ...region }: Region): IsInk | undefined {
  const sample: number[] = [];
  const [left, right] = [
    Math.max(0, Math.round(cx - region.width / 2)),
    Math.min(width, cx + region.width / 2),
  ];
  const step = Math.max(1, Math.round(region.width / 32));
  for (const y of [Math.round(cy - region.height / 2), Math.round(cy + region.height / 2)]) {
    if (y < 0 || y >= height) continue;
    for (let x = left; x < right; x += step) sample.push(gray[y * width + x]!);
  }
  const ground = sample.length === 0 ? 255 : median(sample);
  const even = sample.filter((tone) => Math.abs(tone - ground) <= EVEN.levels).length;
  if (even < EVEN.share * sample.length) return undefined;
  return (x, y) =>
    x >= 0 && x < width && y >= 0 && y < height && Math.abs(gray[y * width + x]! - ground) >= CONTRAST;
}
