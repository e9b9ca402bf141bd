/** Tells icons and logos beside a line from its characters, by the extent of their ink. */
import { median } from '../page/geometry.ts';
import type { GrayImage, Picture } from '../picture/picture.ts';
import type { Box, Line, Word } from '../types.ts';

/** Radians; on a page with more slant the rows of a line are no rows of the picture. */
const LEVEL = 0.03;
/** In heights of the line's capitals: how far a mark reaches above them and below the baseline, as no character does. */
const BEYOND = { above: 0.06, below: 0.15 } as const;
/** Brackets and a few signs do, a little. */
const TALL = /[()[\]{}|/\\@§$&]/;
const BEYOND_TALL = { above: 0.3, below: 0.3 } as const;
/** In heights of the line's capitals: the widest gap between a mark and its text. A column of a receipt is farther away. */
const BESIDE = 2;
/** The share of a line's ink, from its top, that lies above its small letters. */
const ASCENDING = 0.15;
/** Separate parts of ink that a baseline needs. */
const LEAST_PARTS = 4;
/** Of 255: weaker ink is texture. */
const CONTRAST = 24;
/** In heights of a word's box: how far its ink is followed beyond it. */
const REACH = 1;
/** Share of a box at its top and bottom in which ink may belong to other lines. */
const EDGE = 0.15;

interface Rows {
  top: number;
  bottom: number;
}

/** A connected part of ink; it may go on beyond the area that was searched. */
interface InkPart extends Rows {
  goesOn: boolean;
}

/**
 * Words of one character, at the start of lines, whose ink reaches above the capitals of the line and below its baseline as well.
 * @param page the picture as it lies, and the angle of its text in radians clockwise
 */
export function pictorialMarks(
  lines: readonly Line[],
  { picture, angle }: { picture: Picture; angle: number },
): Set<Word> {
  const marks = new Set<Word>();
  if (Math.abs(angle) > LEVEL) return marks;
  for (const { words } of lines) {
    const long = words.filter(({ text }) => [...text].length > 1);
    // Within a line, signs of code such as || are as high, and at its end a letter may stand in a column.
    const first = words[0]!;
    if (long.includes(first) || long.length === 0) continue;
    const slope = Math.tan(angle);
    const frame = frameOf(
      long.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)),
      picture,
      slope,
    );
    if (!frame) continue;
    const height = frame.bottom - frame.top;
    if (!isBeside(first, long, height / picture.scale)) continue;
    const own = inkParts(picture, scaled(first.box, picture), {
      reach: REACH * first.box.height * picture.scale,
      slope,
    });
    // Rules of a table and letters of other lines go on.
    if (own.length === 0 || own.some(({ goesOn }) => goesOn)) continue;
    const above = frame.top - Math.min(...own.map(({ top }) => top));
    const below = Math.max(...own.map(({ bottom }) => bottom)) - frame.bottom;
    const least = TALL.test(first.text) ? BEYOND_TALL : BEYOND;
    if (above >= least.above * height && below >= least.below * height) marks.add(first);
  }
  return marks;
}

/** Whether a mark has text right before or behind it. @param height of capitals, in the unit of the boxes */
const isBeside = ({ box }: Word, others: readonly Word[], height: number): boolean =>
  others.some(
    (other) =>
      Math.max(box.x - other.box.x - other.box.width, other.box.x - box.x - box.width) <= BESIDE * height,
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
  if (parts.length < LEAST_PARTS) return undefined;
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
): InkPart[] {
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
  const parts: InkPart[] = [];
  const inset = EDGE * box.height;
  for (
    let y = Math.max(top, Math.floor(box.y + inset));
    y < Math.min(bottom, box.y + box.height - inset);
    y++
  ) {
    for (let x = Math.max(left, Math.floor(box.x)); x < Math.min(right, box.x + box.width); x++) {
      visit(x, y);
      if (stack.length === 0) continue;
      const part = { top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY, goesOn: false };
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        const row = top + Math.floor(at / across);
        const column = left + (at % across);
        const level = row - slope * column;
        part.top = Math.min(part.top, level);
        part.bottom = Math.max(part.bottom, level + 1);
        part.goesOn ||= row === top || row === bottom - 1 || column === left || column === right - 1;
        for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) visit(column + dx, row + dy);
      }
      parts.push(part);
    }
  }
  return parts;
}

/** Whether a pixel is ink: it differs from the ground by more than half of what the farthest one does. */
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
