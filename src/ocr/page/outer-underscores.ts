/** Grows lines over the underscores that detection leaves out: before and behind them, as in "__init__", and at their lower edge. */
import type { GrayImage } from '../picture/picture.ts';
import { type Region, sliceOf } from './geometry.ts';

/** Radians; where a line slants more, an underscore crosses rows of the picture. */
const LEVEL = 0.02;
/**
 * In heights of the line. A longer run of ink is a rule. `apart`: between it and what it belongs to. `clear`: paper beyond it.
 * `under`: so far it may run on under the line; more is an underline.
 */
const UNDERSCORE = {
  shortest: 0.2,
  longest: 1.6,
  thickest: 0.14,
  apart: 0.3,
  clear: 0.4,
  under: 0.8,
} as const;
/** Where underscores lie, in heights below the line's middle. */
const BELOW = { from: 0.12, to: 0.55 } as const;
/** So much darker or lighter than the paper around it, of 255. */
const CONTRAST = 70;

/** @param regions lines as they were detected, in working pixels, on a page that lies as it is read */
export function withOuterUnderscores<R extends Region>(image: GrayImage, regions: readonly R[]): R[] {
  return regions.map((region) => {
    if (region.spine || Math.abs(region.angle) > LEVEL || region.width < 2 * region.height) return region;
    const paper = groundOf(image.gray, image.width, region, image.height);
    if (paper === undefined) return region;
    const [before, behind] = [reachOf(image, region, paper, -1), reachOf(image, region, paper, 1)];
    const below = depthOf(image, region, paper);
    const deep =
      below === 0 ? region : { ...region, cy: region.cy + below / 2, height: region.height + below };
    return before + behind === 0 ? deep : sliceOf(deep, -before, deep.width + behind);
  });
}

/** How far an underscore reaches out of a line to one side, in pixels; 0 where there is none. */
function reachOf({ gray, width, height }: GrayImage, region: Region, paper: number, side: -1 | 1): number {
  const high = region.height;
  const edge = Math.round(region.cx + (side * region.width) / 2);
  const [top, bottom] = [
    Math.max(0, Math.round(region.cy + BELOW.from * high)),
    Math.min(height, Math.round(region.cy + BELOW.to * high)),
  ];
  const inside = Math.round(UNDERSCORE.apart * high);
  const outside = Math.round((UNDERSCORE.longest + UNDERSCORE.clear) * high);
  const isInk = (out: number, y: number): boolean => {
    const x = edge + side * out;
    return x >= 0 && x < width && Math.abs(gray[y * width + x]! - paper) >= CONTRAST;
  };
  const rows = Array.from({ length: Math.max(0, bottom - top) }, (_, row) => top + row);
  const thickest = Math.max(2, UNDERSCORE.thickest * high);
  let reach = 0;
  let blank = 0;
  let ruleRow: number | undefined;
  for (let out = 0; out <= outside; out++) {
    const inked = rows.filter((y) => isInk(out, y));
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
  while (under < high && isInk(-under, ruleRow)) under++;
  return under > UNDERSCORE.under * high ? 0 : reach + Math.round(high / 8);
}

/**
 * In heights of the line, around its lower edge: where bars are looked for, and how wide and thick those of underscores are.
 * `near`: so close to the edge the rest of a bar may be cut off. `margin`: paper that is taken in below.
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
function depthOf({ gray, width, height }: GrayImage, region: Region, paper: number): number {
  const high = region.height;
  const slope = Math.tan(region.angle);
  const [above, below] = [Math.round(LOW_BAR.above * high), Math.round(LOW_BAR.below * high)];
  /** The lowest ink in a column, counted from the line's lower edge, where that is a thin bar with paper above and below it. */
  const barAt = (x: number): number | undefined => {
    const edge = Math.round(region.cy + high / 2 + (x - region.cx) * slope);
    if (edge - above < 0 || edge + below >= height) return undefined;
    let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let y = edge - above; y <= edge + below; y++) {
      if (Math.abs(gray[y * width + x]! - paper) < CONTRAST) continue;
      top = Math.min(top, y - edge);
      bottom = y - edge;
    }
    const isApart = top > -above && bottom < below && bottom - top < Math.max(2, LOW_BAR.thickest * high);
    return isApart ? bottom : undefined;
  };
  /** How far the ink of a row runs on around a column: what letters stand on is an underline. */
  const lengthAt = (x: number, y: number): number => {
    const isInk = (column: number) =>
      column >= 0 && column < width && Math.abs(gray[y * width + column]! - paper) >= CONTRAST;
    let [from, to] = [x, x];
    while (isInk(from - 1)) from--;
    while (isInk(to + 1)) to++;
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

/** Of the ground's samples so many differ by at most so many levels where it is even. */
const EVEN = { share: 0.85, levels: 8 } as const;

/** The tone around a line, where that is even: on paper with grain or creases a speck looks like an underscore. */
function groundOf(
  gray: Uint8Array,
  width: number,
  { cx, cy, width: wide, height: high }: Region,
  tall: number,
): number | undefined {
  const sample: number[] = [];
  for (const y of [Math.round(cy - high / 2), Math.round(cy + high / 2)]) {
    if (y < 0 || y >= tall) continue;
    const step = Math.max(1, Math.round(wide / 32));
    for (let x = Math.max(0, Math.round(cx - wide / 2)); x < Math.min(width, cx + wide / 2); x += step)
      sample.push(gray[y * width + x]!);
  }
  const ground = sample.toSorted((a, b) => a - b)[sample.length >> 1] ?? 255;
  const even = sample.filter((tone) => Math.abs(tone - ground) <= EVEN.levels).length;
  return even >= EVEN.share * sample.length ? ground : undefined;
}
