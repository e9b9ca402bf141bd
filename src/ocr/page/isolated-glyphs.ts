/** Finds lines of a single character, such as a brace that closes a block of code: the text detector finds words only. */
import { itemAt, lastOf, pairwise } from '../checked.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { median, type Region } from './geometry.ts';

/** Radians; on a page with more slant, a row of the picture is not a row of the page. */
const LEVEL = 0.02;
/** Consecutive lines needed to measure the line distance, and their greatest deviation from it. */
const LINE_PITCH = { lines: 4, apart: 0.12 } as const;
/** Empty rows that are searched below a line. */
const BELOW = 3;
/** Of a line's height: the greatest width of a sign, and its least and greatest height. */
const SIGN = { widest: 0.75, lowest: 0.3, highest: 1.15 } as const;
/** Least contrast to the surrounding paper, of 255. */
const CONTRAST = 70;
/** More than this many are a background pattern and not text. */
const MAX_SIGNS = 60;

interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
  middle: number;
  height: number;
}

/**
 * Regions of single signs alone on a line, where lines follow one another evenly and a row between them is empty.
 * @param regions lines as the text detector found them, in working pixels
 */
export function isolatedGlyphs<R extends Region>(image: GrayImage, regions: readonly R[]): Region[] {
  if (regions.length < LINE_PITCH.lines || regions.some(({ angle }) => Math.abs(angle) > LEVEL)) return [];
  const lines = regions
    .map(
      ({ cx, cy, width, height }): Extent => ({
        left: cx - width / 2,
        right: cx + width / 2,
        top: cy - height / 2,
        bottom: cy + height / 2,
        middle: cy,
        height,
      }),
    )
    .sort((a, b) => a.middle - b.middle);
  const found: Region[] = [];
  for (const column of columnsOf(lines)) {
    const pitch = pitchOf(column);
    if (pitch === undefined) continue;
    const height = median(column.map((line) => line.height));
    const [left, right] = [
      Math.min(...column.map((line) => line.left)),
      Math.max(...column.map((line) => line.right)),
    ];
    for (const line of column) {
      for (let below = 1; below <= BELOW; below++) {
        const middle = line.middle + below * pitch;
        const taken = lines.some(
          (other) =>
            Math.abs(other.middle - middle) < 0.7 * pitch && other.left < right && other.right > left,
        );
        if (taken) break;
        const sign = symbolOnRow(image, { left, right, middle, pitch, height });
        if (
          sign &&
          !found.some(({ cx, cy }) => Math.abs(cx - sign.cx) < height && Math.abs(cy - sign.cy) < height / 2)
        )
          found.push(sign);
        if (found.length > MAX_SIGNS) return [];
      }
    }
  }
  return found;
}

/** Lines that start below one another, or further in, with no other text column between them. */
function columnsOf(lines: readonly Extent[]): Extent[][] {
  const columns: Extent[][] = [];
  for (const line of lines) {
    const column = columns.find((one) => {
      const last = lastOf(one);
      return line.left < last.right && line.right > last.left && line.middle - last.middle < 5 * last.height;
    });
    if (column) column.push(line);
    else columns.push([line]);
  }
  return columns.filter((column) => column.length >= LINE_PITCH.lines);
}

/** The line distance, where most lines agree on it. */
function pitchOf(column: readonly Extent[]): number | undefined {
  const least = pairwise(column).flatMap(([line, below]) => {
    const step = below.middle - line.middle;
    return step > 0.7 * line.height ? [step] : [];
  });
  if (least.length < LINE_PITCH.lines - 1) return undefined;
  const usual = itemAt(
    least.toSorted((a, b) => a - b),
    Math.floor(least.length / 3),
  );
  // A missing line makes the distance a multiple.
  const even = least.filter((step) => {
    const times = Math.max(1, Math.round(step / usual));
    return Math.abs(step / times - usual) < LINE_PITCH.apart * usual;
  });
  return even.length >= 0.8 * least.length ? usual : undefined;
}

/** The only sign on an otherwise empty row. */
function symbolOnRow(
  { gray, width, height: high }: GrayImage,
  {
    left,
    right,
    middle,
    pitch,
    height,
  }: { left: number; right: number; middle: number; pitch: number; height: number },
): Region | undefined {
  const [x1, x2] = [Math.max(0, Math.round(left - height)), Math.min(width, Math.round(right + height))];
  const [y1, y2] = [Math.round(middle - pitch / 2), Math.round(middle + pitch / 2)];
  if (y1 < 0 || y2 > high || x2 - x1 < height) return undefined;
  const sample: number[] = [];
  for (let y = y1; y < y2; y += 2) for (let x = x1; x < x2; x += 5) sample.push(gray[y * width + x]!);
  const paper = median(sample);
  const ink = { left: x2, right: x1, top: y2, bottom: y1, count: 0 };
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      if (Math.abs(gray[y * width + x]! - paper) < CONTRAST) continue;
      ink.left = Math.min(ink.left, x);
      ink.right = Math.max(ink.right, x + 1);
      ink.top = Math.min(ink.top, y);
      ink.bottom = Math.max(ink.bottom, y + 1);
      ink.count++;
    }
    if (ink.right - ink.left > SIGN.widest * height) return undefined;
  }
  const tall = ink.bottom - ink.top;
  if (ink.count < 5 || tall < SIGN.lowest * height || tall > SIGN.highest * height) return undefined;
  if (ink.top === y1 || ink.bottom === y2) return undefined;
  const wide = ink.right - ink.left;
  return { cx: (ink.left + ink.right) / 2, cy: middle, width: wide + 0.5 * height, height, angle: 0 };
}
