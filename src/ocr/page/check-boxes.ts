/** Finds the check boxes of forms and lists by their shape, because recognizers seldom have them in their alphabet. */
import type { GrayImage } from '../picture/pixels.ts';

export interface CheckBox {
  text: '☐' | '☑' | '☒';
  /** Columns of the crop, in pixels; `to` is the first column after the box. */
  from: number;
  to: number;
}

const INK = 128;
const PAPER = 255;

/**
 * Width of a box and the empty space on both sides of it, in shares of the line's height. Letters of a dot-matrix printer are
 * square as well, but other letters stand close beside them.
 */
const SIZE = { least: 0.42, most: 1, apart: 0.24 } as const;
/** Width over height. */
const SQUARE = { narrowest: 0.86, widest: 1.16 } as const;
/** Share of each side that is drawn, and how thick the sides are at most, as a share of the box. */
const SIDE = { drawn: 0.88, thickest: 0.2 } as const;
/** Share of ink inside: less is an empty box, more is a filled one. */
const INSIDE = { marked: 0.035, filled: 0.6 } as const;
/** A cross has at least this share of its upper right arm's ink in its upper left corner, a tick has less. */
const CROSS = 0.45;

interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The check boxes of a line, left to right, and the crop with background in their place. Returns the crop itself without any.
 * @param crop one line, dark ink on light paper, one byte a pixel
 */
export function checkBoxesIn(crop: GrayImage): { boxes: CheckBox[]; rest: GrayImage } {
  const boxes = columnsOfInk(crop).flatMap((columns) => boxAt(crop, columns) ?? []);
  if (boxes.length === 0) return { boxes, rest: crop };
  const gray = crop.gray.slice();
  for (const { from, to } of boxes) {
    for (let y = 0; y < crop.height; y++) gray.fill(PAPER, y * crop.width + from, y * crop.width + to);
  }
  return { boxes, rest: { ...crop, gray } };
}

/** Runs of neighboring columns with ink that stand apart and are about as wide as a box. */
function columnsOfInk({ gray, width, height }: GrayImage): { from: number; to: number }[] {
  const rim = Math.round(height / 16);
  const runs: { from: number; to: number }[] = [];
  let from = -1;
  for (let x = 0; x <= width; x++) {
    let inked = false;
    for (let y = rim; x < width && y < height - rim && !inked; y++) inked = gray[y * width + x]! < INK;
    if (inked && from < 0) from = x;
    if (inked || from < 0) continue;
    runs.push({ from, to: x });
    from = -1;
  }
  return runs.filter((run, i) => {
    const wide = run.to - run.from;
    const [before, after] = [runs[i - 1], runs[i + 1]];
    const isApart =
      (!before || run.from - before.to >= SIZE.apart * height) &&
      (!after || after.from - run.to >= SIZE.apart * height);
    return isApart && wide >= SIZE.least * height && wide <= SIZE.most * height;
  });
}

function boxAt(crop: GrayImage, { from, to }: { from: number; to: number }): CheckBox | undefined {
  const box = squareIn(crop, from, to);
  if (!box) return undefined;
  const thickness = sidesOf(crop, box);
  if (thickness === undefined) return undefined;
  const mark = markIn(crop, {
    left: box.left + thickness,
    right: box.right - thickness,
    top: box.top + thickness,
    bottom: box.bottom - thickness,
  });
  return mark && { text: mark, from, to };
}

/** Rows and columns of the ink, both ends included, where it is about as high as wide. */
function squareIn({ gray, width, height }: GrayImage, from: number, to: number): Extent | undefined {
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    for (let x = from; x < to; x++) {
      if (gray[y * width + x]! >= INK) continue;
      top = Math.min(top, y);
      bottom = y;
      break;
    }
  }
  const aspect = (to - from) / (bottom - top + 1);
  if (aspect < SQUARE.narrowest || aspect > SQUARE.widest) return undefined;
  return { left: from, right: to - 1, top, bottom };
}

/** How thick the four sides are drawn, in pixels; undefined where one of them is missing. */
function sidesOf({ gray, width }: GrayImage, { left, right, top, bottom }: Extent): number | undefined {
  const across = (y: number) => {
    let ink = 0;
    for (let x = left; x <= right; x++) if (gray[y * width + x]! < INK) ink++;
    return ink / (right - left + 1);
  };
  const down = (x: number) => {
    let ink = 0;
    for (let y = top; y <= bottom; y++) if (gray[y * width + x]! < INK) ink++;
    return ink / (bottom - top + 1);
  };
  const most = Math.max(2, Math.floor(SIDE.thickest * (right - left + 1)));
  const depth = (share: (step: number) => number) => {
    // Soft edges: the side may start a pixel further in.
    let first = -1;
    for (let step = 0; step <= most; step++) {
      if (share(step) >= SIDE.drawn) {
        if (first < 0) first = step;
      } else if (first >= 0) return step;
    }
    return first < 0 ? undefined : most + 1;
  };
  const sides = [
    depth((step) => across(top + step)),
    depth((step) => across(bottom - step)),
    depth((step) => down(left + step)),
    depth((step) => down(right - step)),
  ];
  if (sides.includes(undefined)) return undefined;
  return Math.max(...(sides as number[])) + 1;
}

function markIn(crop: GrayImage, inside: Extent): CheckBox['text'] | undefined {
  const { left, right, top, bottom } = inside;
  if (right - left < 4 || bottom - top < 4) return undefined;
  const [middleX, middleY] = [(left + right) >> 1, (top + bottom) >> 1];
  const all = inkIn(crop, inside);
  if (all < INSIDE.marked) return '☐';
  if (all > INSIDE.filled) return undefined;
  const upperLeft = inkIn(crop, { left, right: middleX, top, bottom: middleY });
  const upperRight = inkIn(crop, { left: middleX, right, top, bottom: middleY });
  return upperLeft >= CROSS * upperRight ? '☒' : '☑';
}

/** Share of inked pixels. */
function inkIn({ gray, width }: GrayImage, { left, right, top, bottom }: Extent): number {
  let ink = 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) if (gray[y * width + x]! < INK) ink++;
  }
  return ink / ((right - left + 1) * (bottom - top + 1));
}
