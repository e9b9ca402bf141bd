/** Cuts a line out of the picture along its own angle and gives it dark ink on light paper. */

import type { Picture } from '../picture/picture.ts';
import { bytesForAll, type GrayImage } from '../picture/pixels.ts';
import { bendOf, type Region } from './geometry.ts';

/** Share of a crop's pixels that may be pushed to full black and to full white. */
export interface Contrast {
  black: number;
  white: number;
}

/** An interval without ink, in pixels of the crop. */
export interface Gap {
  from: number;
  to: number;
}

/** Longest crop in pixels: a rule across a poster must not become a gigabyte. */
const LONGEST = 4096;
const SHORTEST = 8;
/** Samples per side that are averaged into one pixel when a crop is reduced. */
const MAX_SAMPLES = 4;
/** Above this share of dark pixels the ink is the lighter tone. */
const DARK_GROUND = 0.55;
/** Levels between black and white that are always kept: a blank crop must not turn into noise. */
const MIN_RANGE = 20;

/**
 * The pixels of a region, rotated to horizontal, straightened and scaled to `height`; bilinear, edges repeated.
 * @param padding working pixels added before and after, along the text
 */
export function cutLine(picture: Picture, region: Region, height: number, padding = 0): GrayImage {
  const along = region.width + 2 * padding;
  const scale = height / region.height;
  const width = Math.min(LONGEST, Math.max(SHORTEST, Math.round(along * scale)));
  const stepAlong = along / width;
  const stepAcross = region.height / height;
  const samples = Math.max(1, Math.min(MAX_SAMPLES, Math.round(Math.max(stepAcross, stepAlong))));
  const gray = bytesForAll(width * height);

  const cos = Math.cos(region.angle);
  const sin = Math.sin(region.angle);
  const dx = (cos * stepAlong) / samples;
  const dy = (sin * stepAlong) / samples;
  const lastX = picture.width - 1;
  const lastY = picture.height - 1;
  const { gray: source, width: stride } = picture;
  const share = 1 / (samples * samples);
  const row = new Float32Array(width);
  // Along a bent line, each column follows the spine.
  const bend = region.spine ? bendOf(region, along, width) : undefined;
  for (let y = 0; y < height; y++) {
    row.fill(0);
    for (let sub = 0; sub < samples; sub++) {
      const across = (y + (sub + 0.5) / samples) * stepAcross - region.height / 2;
      const start = (0.5 / samples) * stepAlong - along / 2;
      let px = region.cx + start * cos - across * sin - 0.5;
      let py = region.cy + start * sin + across * cos - 0.5;
      for (let x = 0; x < width; x++) {
        const offset = bend ? bend[x]! : 0;
        let sum = 0;
        for (let step = 0; step < samples; step++) {
          const u = Math.max(0, Math.min(lastX, px - offset * sin));
          const v = Math.max(0, Math.min(lastY, py + offset * cos));
          const x0 = u | 0;
          const y0 = v | 0;
          const fx = u - x0;
          const fy = v - y0;
          const at = y0 * stride + x0;
          const right = x0 < lastX ? 1 : 0;
          const below = at + (y0 < lastY ? stride : 0);
          const upper = source[at]! + (source[at + right]! - source[at]!) * fx;
          const lower = source[below]! + (source[below + right]! - source[below]!) * fx;
          sum += upper + (lower - upper) * fy;
          px += dx;
          py += dy;
        }
        row[x]! += sum;
      }
    }
    const target = y * width;
    for (let x = 0; x < width; x++) gray[target + x] = row[x]! * share + 0.5;
  }
  return { gray, width, height };
}

/** Contrast stretching compensates a smaller variation of light along a line. */
const MIN_SHADE = 1.35;
/** A background darker than this share of the lightest one is another color, not a shadow. */
const DEEPEST_SHADE = 0.15;

/**
 * Removes uneven light from a line, because the edge of a shadow would be mistaken for ink. The background at a position is
 * the median around it, because ink covers the smaller part of a line. Other lines are unchanged.
 */
function evenlyLit(crop: GrayImage): GrayImage {
  const { gray, width, height } = crop;
  // A few samples show whether the light is even, as it nearly always is; an uneven line needs many samples at the edge.
  if (!isShaded(groundsOf(crop, height))) return crop;
  const step = Math.max(4, height >> 3);
  const grounds = groundsOf(crop, step);
  const lightest = Math.max(...grounds);
  const even = new Uint8Array(gray.length);
  for (let x = 0; x < width; x++) {
    const before = Math.floor(x / step);
    const share = x / step - before;
    const gain = lightest / (grounds[before]! * (1 - share) + grounds[before + 1]! * share);
    for (let at = x; at < gray.length; at += width) even[at] = Math.min(255, gray[at]! * gain);
  }
  return { gray: even, width, height };
}

function isShaded(grounds: readonly number[]): boolean {
  const lightest = Math.max(...grounds);
  const darkest = Math.min(...grounds);
  return lightest >= darkest * MIN_SHADE && darkest >= lightest * DEEPEST_SHADE;
}

/** The background at every `step` columns, including the end of the line; at least 1. */
function groundsOf(crop: GrayImage, step: number): number[] {
  const reach = crop.height >> 2;
  return Array.from({ length: Math.ceil(crop.width / step) + 1 }, (_, index) =>
    groundAround(crop, Math.min(index * step, crop.width - 1), reach),
  );
}

/** The median of the columns that are no further than `reach` from `x`; at least 1. */
function groundAround({ gray, width, height }: GrayImage, x: number, reach: number): number {
  const [from, to] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
  const counts = new Uint32Array(256);
  for (let y = 0; y < height; y++) {
    for (let at = y * width + from; at < y * width + to; at++) counts[gray[at]!]!++;
  }
  return Math.max(1, quantile(counts, ((to - from) * height) / 2));
}

/** Dark ink on light paper with the full range of levels. Works on each line by itself: a page may mix polarities. */
export function cleaned(uneven: GrayImage, contrast: Contrast): GrayImage {
  const crop = evenlyLit(uneven);
  const histogram = histogramOf(crop.gray);
  const count = crop.gray.length;
  const split = otsuThreshold(histogram, count);
  let dark = 0;
  for (let level = 0; level <= split; level++) dark += histogram[level]!;
  const inverted = dark > count * DARK_GROUND;
  if (inverted) histogram.reverse();
  const black = quantile(histogram, count * contrast.black);
  const white = Math.max(black + MIN_RANGE, quantile(histogram, count * contrast.white));
  const levels = new Uint8Array(256);
  for (let level = 0; level < 256; level++) {
    const seen = inverted ? 255 - level : level;
    levels[level] = Math.max(0, Math.min(255, ((seen - black) * 255) / (white - black)));
  }
  const gray = bytesForAll(count);
  for (let i = 0; i < count; i++) gray[i] = levels[crop.gray[i]!]!;
  return { gray, width: crop.width, height: crop.height };
}

/** The columns from `from` to `to` (excluded) of a crop. */
export function cutColumns({ gray, width, height }: GrayImage, from: number, to: number): GrayImage {
  const part = new Uint8Array((to - from) * height);
  for (let y = 0; y < height; y++) {
    part.set(gray.subarray(y * width + from, y * width + to), y * (to - from));
  }
  return { gray: part, width: to - from, height };
}

/** Least width of an underscore, as a share of the line's height. */
const UNDERSCORE = 0.28;

/** Columns without ink between the first and the last column, widest possible runs, left to right. */
export function gapsOf(crop: GrayImage): Gap[] {
  const { gray, width, height } = crop;
  const threshold = otsuThreshold(histogramOf(gray), gray.length);
  // Ink that reaches in from the lines above and below does not belong to this line.
  const rim = Math.round(height / 12);
  const inked = new Uint8Array(width);
  for (let y = rim; y < height - rim; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) if (gray[row + x]! <= threshold) inked[x] = 1;
  }
  // An underscore lies in these lowest rows as well. It is wider than ink of the line below that reaches in.
  for (let y = height - rim; y < height; y++) {
    for (let x = 0, from = 0; x <= width; x++) {
      if (x < width && gray[y * width + x]! <= threshold) continue;
      if (x - from >= UNDERSCORE * height) inked.fill(1, from, x);
      from = x + 1;
    }
  }
  const gaps: Gap[] = [];
  let from = -1;
  for (let x = 0; x <= width; x++) {
    if (x < width && !inked[x]) {
      if (from < 0) from = x;
    } else if (from >= 0) {
      gaps.push({ from, to: x });
      from = -1;
    }
  }
  return gaps;
}

/**
 * How abruptly ink and paper meet: the steepest steps between neighboring pixels as a share of the whole range.
 * 0.5 and more for sharp print; blur spreads each step over several pixels.
 */
export function sharpnessOf({ gray, width, height }: GrayImage): number {
  const histogram = histogramOf(gray);
  const range = quantile(histogram, gray.length * 0.98) - quantile(histogram, gray.length * 0.02);
  const steps = new Uint32Array(256);
  for (let y = 0; y < height; y++) {
    for (let at = y * width + 1; at < (y + 1) * width; at++) steps[Math.abs(gray[at]! - gray[at - 1]!)]!++;
  }
  return quantile(steps, (width - 1) * height * 0.98) / Math.max(MIN_RANGE, range);
}

export function histogramOf(gray: Uint8Array): Uint32Array {
  const histogram = new Uint32Array(256);
  for (let i = 0; i < gray.length; i++) histogram[gray[i]!]!++;
  return histogram;
}

/** The level that separates two tones best: Otsu's method, the greatest variance between the two classes. */
export function otsuThreshold(histogram: Uint32Array, count: number): number {
  let total = 0;
  for (let level = 0; level < 256; level++) total += level * histogram[level]!;
  let below = 0;
  let belowSum = 0;
  let best = 0;
  let threshold = 128;
  for (let level = 0; level < 256; level++) {
    below += histogram[level]!;
    if (below === 0) continue;
    const above = count - below;
    if (above === 0) break;
    belowSum += level * histogram[level]!;
    const distance = belowSum / below - (total - belowSum) / above;
    const variance = below * above * distance * distance;
    if (variance > best) {
      best = variance;
      threshold = level;
    }
  }
  return threshold;
}

/** The lowest level that `rank` pixels do not exceed. */
export function quantile(histogram: Uint32Array, rank: number): number {
  let seen = 0;
  for (let level = 0; level < 256; level++) {
    seen += histogram[level]!;
    if (seen >= rank) return level;
  }
  return 255;
}
