/** Distinguishes icons and logos beside a line from characters by the extent of their ink. */
import { median } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { Box, Line, Word } from '../types.ts';

/** Radians; above this skew, text rows do not align with pixel rows. */
const MAX_SKEW = 0.03;
/** How far an icon reaches above the capitals and below the baseline, in capital heights. Characters do not. */
const OVERSHOOT = { above: 0.06, below: 0.15 } as const;
/** Characters that reach a little beyond. */
const TALL = /[()[\]{}|/\\@§$&]/;
const OVERSHOOT_TALL = { above: 0.3, below: 0.3 } as const;
/** Of a letter or figure behind the text, which may also be a table cell: no font has one that reaches as far. */
const OVERSHOOT_BEHIND = { above: 0.25, below: 0.25 } as const;
/** Maximum gap between an icon and its text, in capital heights. Columns of a receipt are farther apart. */
const MAX_GAP = 2;
/** Share of a line's ink, from the top, that is above the x-height. */
const ASCENDING = 0.15;
/** Minimum of connected components to determine a baseline. */
const MIN_PARTS = 4;
/** Of 255: weaker ink is texture. */
const CONTRAST = 24;
/** Search margin around a word's box, in box heights. */
const SEARCH_MARGIN = 1;
/** Share of a box at its top and bottom in which ink may belong to other lines. */
const EDGE_MARGIN = 0.15;

interface Rows {
  top: number;
  bottom: number;
}

/** A connected component of ink. `isCutOff`: it reaches the border of the searched area. */
interface ConnectedComponent extends Rows {
  isCutOff: boolean;
}

/**
 * Words of one character, at the ends of lines, whose ink reaches above the capitals of the line and below its baseline as
 * well.
 * @param page the unrotated image, and the angle of its text in radians clockwise
 */
export function pictorialMarks(
  lines: readonly Line[],
  { picture, angle }: { picture: Picture; angle: number },
): Set<Word> {
  const marks = new Set<Word>();
  if (Math.abs(angle) > MAX_SKEW) return marks;
  const slope = Math.tan(angle);
  for (const { words } of lines) {
    const long = words.filter(({ text }) => [...text].length > 1);
    const [first, last] = [words[0]!, words.at(-1)!];
    // Only words at the ends: within a line, code such as || is as tall.
    const isInFront = !long.includes(first);
    const isBehind = last !== first && /^[\p{L}\p{N}]$/u.test(last.text);
    if (long.length === 0 || !(isInFront || isBehind)) continue;
    const frame = frameOf(
      long.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)),
      picture,
      slope,
    );
    if (!frame) continue;
    const height = frame.bottom - frame.top;
    const overshoots = (word: Word, least: { above: number; below: number }): boolean => {
      const own = inkParts(picture, scaled(word.box, picture), {
        reach: SEARCH_MARGIN * word.box.height * picture.scale,
        slope,
      });
      // Rules of a table and letters of other lines reach beyond the searched area.
      if (own.length === 0 || own.some(({ isCutOff }) => isCutOff)) return false;
      const above = frame.top - Math.min(...own.map(({ top }) => top));
      const below = Math.max(...own.map(({ bottom }) => bottom)) - frame.bottom;
      return above >= least.above * height && below >= least.below * height;
    };
    const least = TALL.test(first.text) ? OVERSHOOT_TALL : OVERSHOOT;
    if (isInFront && isBeside(first, long, height / picture.scale) && overshoots(first, least))
      marks.add(first);
    if (isBehind && overshoots(last, OVERSHOOT_BEHIND)) marks.add(last);
  }
  return marks;
}

/** Whether a mark has text right before or after it. @param height of capitals, in the unit of the boxes */
const isBeside = ({ box }: Word, others: readonly Word[], height: number): boolean =>
  others.some(
    (other) =>
      Math.max(box.x - other.box.x - other.box.width, other.box.x - box.x - box.width) <= MAX_GAP * height,
  );

const scaled = ({ x, y, width, height }: Box, { scale }: Picture): Box => ({
  x: x * scale,
  y: y * scale,
  width: width * scale,
  height: height * scale,
});

/** From the top of a line's capitals to its baseline. */
function frameOf(words: readonly Word[], picture: Picture, slope: number): Rows | undefined {
  const parts = words.flatMap(({ box }) => inkParts(picture, scaled(box, picture), { reach: 0, slope }));
  if (parts.length < MIN_PARTS) return undefined;
  const tops = parts.map(({ top }) => top).sort((a, b) => a - b);
  const top = tops[Math.floor(ASCENDING * tops.length)]!;
  const bottom = median(parts.map((part) => part.bottom));
  return bottom > top ? { top, bottom } : undefined;
}

/**
 * The connected parts of ink in a box, followed beyond it, with their rows on the level page.
 * @param options `reach`: pixels beyond the box. `slope`: rows down for each column to the right
 */
function inkParts(
  { gray, width, height }: GrayImage,
  box: Box,
  { reach, slope }: { reach: number; slope: number },
): ConnectedComponent[] {
  const [left, right] = [
    Math.max(0, Math.floor(box.x - reach)),
    Math.min(width, Math.ceil(box.x + box.width + reach)),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(box.y - reach)),
    Math.min(height, Math.ceil(box.y + box.height + reach)),
  ];
  const [across, down] = [right - left, bottom - top];
  if (across < 1 || down < 1) return [];
  const isInk = inkTest(gray, width, { left, right, top, bottom });
  const seen = new Uint8Array(across * down);
  const stack: number[] = [];
  const visit = (x: number, y: number): void => {
    if (x < left || x >= right || y < top || y >= bottom) return;
    const at = (y - top) * across + x - left;
    if (seen[at] || !isInk(x, y)) return;
    seen[at] = 1;
    stack.push(at);
  };
  const parts: ConnectedComponent[] = [];
  const inset = EDGE_MARGIN * box.height;
  for (
    let y = Math.max(top, Math.floor(box.y + inset));
    y < Math.min(bottom, box.y + box.height - inset);
    y++
  ) {
    for (let x = Math.max(left, Math.floor(box.x)); x < Math.min(right, box.x + box.width); x++) {
      visit(x, y);
      if (stack.length === 0) continue;
      const part = { top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY, isCutOff: false };
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        const row = top + Math.floor(at / across);
        const column = left + (at % across);
        const level = row - slope * column;
        part.top = Math.min(part.top, level);
        part.bottom = Math.max(part.bottom, level + 1);
        part.isCutOff ||= row === top || row === bottom - 1 || column === left || column === right - 1;
        for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) visit(column + dx, row + dy);
      }
      parts.push(part);
    }
  }
  return parts;
}

/** Whether a pixel is ink: its contrast to the background is more than half of the maximum. */
function inkTest(
  gray: Uint8Array,
  width: number,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): (x: number, y: number) => boolean {
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) counts[gray[y * width + x]!]!++;
  const half = ((right - left) * (bottom - top)) / 2;
  let ground = 0;
  for (let below = counts[0]!; below < half; below += counts[ground]!) ground++;
  const farthest = Math.max(
    ground - counts.findIndex((count) => count > 0),
    counts.findLastIndex((count) => count > 0) - ground,
  );
  if (farthest < CONTRAST) return () => false;
  return (x, y) => Math.abs(gray[y * width + x]! - ground) * 2 > farthest;
}
