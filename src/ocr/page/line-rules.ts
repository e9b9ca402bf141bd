/** Removes dotted leaders and underlines from a line. Recognizers would read them as characters. */
import { firstOf, lastOf } from '../checked.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { connectedParts, type InkPart } from './connected-parts.ts';

const INK = 128;
const PAPER = 255;

/**
 * In shares of the line's height. A leader is a row of at least `fewest` equal dots; `full`: the share of ink in the box
 * around a dot, which small letters do not reach; `softEdge`: pixels lighter than ink that belong to a dot on either side.
 */
const LEADER = {
  fewest: 5,
  fewestAtStart: 2,
  fewestAtEnd: 4,
  widest: 0.24,
  highest: 0.26,
  farthest: 1.1,
  uneven: 0.4,
  drift: 0.14,
  full: 0.5,
  tallest: 1.7,
  tallestOfFew: 1.35,
  softEdge: 0.06,
} as const;
/**
 * An underline is a run of ink this long and thin in the lower part of a line, all in line heights; descenders break it into
 * parts, which are `near` to one another. `inked`: the greatest share of its length with ink above. With more, it is the
 * lower edge of touching letters.
 */
const UNDERLINE = { shortest: 1.6, part: 0.15, near: 0.6, thickest: 0.13, from: 0.62, inked: 0.5 } as const;
/**
 * Browsers interrupt the underline of a link around descenders, so that only parts of it remain, apart from all letters. In
 * line heights; `level`: how far the edges of a part are from those of the others; `full`: the least share of ink in its box,
 * which the tail of a y does not reach; `inked`: the least share of its columns with ink above; `soft`: pixels of its edges
 * that are lighter than ink.
 */
const LINK = { part: 0.1, thickest: 0.13, from: 0.55, level: 0.03, full: 0.8, inked: 0.5, soft: 2 } as const;
/** Pixels between an underline and the ink above and below. */
const REACH = 3;

/** Ink in neighboring columns; `to` is the first column after it. Rows are those of its topmost and lowest ink. */
export interface InkRun {
  from: number;
  to: number;
  top: number;
  bottom: number;
  ink: number;
}

/**
 * The line without its leaders and underlines. Returns the crop itself where there are none.
 * @param crop one line, dark ink on light paper, one byte a pixel
 */
export function withoutRules(crop: GrayImage): GrayImage {
  return withoutLeaders(withoutUnderline(withoutLinkUnderline(crop)));
}

/**
 * The ink of a line, and those runs of it that are leaders, left to right.
 * @param crop one line, dark ink on light paper, one byte a pixel
 */
export function leadersIn(crop: GrayImage): { runs: InkRun[]; leaders: InkRun[][] } {
  const { width, height } = crop;
  /** The edge of the crop may go through a dot. */
  const isCutOff = ({ from, to }: InkRun) => from === 0 || to === width;
  const isDot = (run: InkRun) => {
    const { from, to, top, bottom, ink } = run;
    const [wide, high] = [to - from, bottom - top + 1];
    if (wide > LEADER.widest * height || high > LEADER.highest * height) return false;
    return isCutOff(run) || (high <= LEADER.tallest * wide + 1 && ink >= LEADER.full * wide * high);
  };
  const leaders: InkRun[][] = [];
  const runs = inkRunsOf(crop);
  const [first, last] = [runs[0], runs.at(-1)];
  let row: InkRun[] = [];
  const end = () => {
    // A leader at the edge of the crop may be cut off and have fewer dots. No word starts with two dots, and an ellipsis has
    // three.
    const isCut = { before: row[0] === first, after: row.at(-1) === last };
    const fewest = isCut.before ? LEADER.fewestAtStart : isCut.after ? LEADER.fewestAtEnd : LEADER.fewest;
    // Two commas at the start of a line are a quotation mark.
    const isComma = ({ from, to, top, bottom }: InkRun) =>
      bottom - top + 1 > LEADER.tallestOfFew * (to - from) + 1;
    const isFew = row.length < LEADER.fewest;
    if (row.length >= fewest && !(isFew && row.some((run) => !isCutOff(run) && isComma(run))))
      leaders.push(row);
    row = [];
  };
  for (const run of runs) {
    if (!isDot(run)) {
      end();
      continue;
    }
    const before = row.at(-1);
    if (before && !follows(before, run, row, height, isCutOff(before) || isCutOff(run))) end();
    row.push(run);
  }
  end();
  return { runs, leaders };
}

function withoutLeaders(crop: GrayImage): GrayImage {
  const { runs, leaders } = leadersIn(crop);
  if (leaders.length === 0) return crop;
  const { width, height } = crop;
  const gray = crop.gray.slice();
  const soft = Math.ceil(LEADER.softEdge * height);
  for (const dots of leaders) {
    const [left, right] = [firstOf(dots), lastOf(dots)];
    const before = runs[runs.indexOf(left) - 1]?.to ?? 0;
    const after = runs[runs.indexOf(right) + 1]?.from ?? width;
    const from = Math.max(left.from - soft, Math.ceil((before + left.from) / 2));
    const to = Math.min(right.to + soft, Math.floor((right.to + after) / 2));
    for (let y = 0; y < height; y++) gray.fill(PAPER, y * width + from, y * width + to);
  }
  return { ...crop, gray };
}

/**
 * Whether a dot continues a row: as low and as large as the one before, at the row's usual distance.
 * @param height of the line
 * @param isCutOff one of the two dots is cut off, so its size does not count
 */
function follows(
  last: InkRun,
  next: InkRun,
  row: readonly InkRun[],
  height: number,
  isCutOff: boolean,
): boolean {
  const pitch = middleOf(next) - middleOf(last);
  if (pitch > LEADER.farthest * height || Math.abs(next.bottom - last.bottom) > LEADER.drift * height)
    return false;
  const [wide, high] = [next.to - next.from, next.bottom - next.top + 1];
  const [lastWide, lastHigh] = [last.to - last.from, last.bottom - last.top + 1];
  const most = Math.max(2, LEADER.uneven * Math.max(wide, lastWide));
  if (!isCutOff && (Math.abs(wide - lastWide) > most || Math.abs(high - lastHigh) > most)) return false;
  const before = row.at(-2);
  if (!before) return true;
  const usual = (middleOf(last) - middleOf(firstOf(row))) / (row.length - 1);
  return Math.abs(pitch - usual) <= Math.max(2, LEADER.uneven * usual);
}

const middleOf = ({ from, to }: InkRun): number => (from + to) / 2;

/** Left to right, without ink that reaches in from the lines above and below. */
function inkRunsOf({ gray, width, height }: GrayImage): InkRun[] {
  const rim = Math.round(height / 16);
  const ink = new Int16Array(width);
  const top = new Int16Array(width).fill(-1);
  const bottom = new Int16Array(width).fill(-1);
  for (let y = rim; y < height - rim; y++) {
    for (let x = 0; x < width; x++) {
      if (gray[y * width + x]! >= INK) continue;
      if (top[x]! < 0) top[x] = y;
      bottom[x] = y;
      ink[x]! += 1;
    }
  }
  const runs: InkRun[] = [];
  for (let x = 0; x < width; x++) {
    if (top[x]! < 0) continue;
    const run = { from: x, to: x, top: height, bottom: 0, ink: 0 };
    for (; x < width && top[x]! >= 0; x++) {
      run.top = Math.min(run.top, top[x]!);
      run.bottom = Math.max(run.bottom, bottom[x]!);
      run.ink += ink[x]!;
      run.to = x + 1;
    }
    runs.push(run);
  }
  return runs;
}

function withoutUnderline(crop: GrayImage): GrayImage {
  const { gray, width, height } = crop;
  const long = new Map<number, Span[]>();
  for (let y = Math.round(UNDERLINE.from * height); y < height; y++) {
    const runs = longRuns(crop, y, UNDERLINE.shortest * height);
    if (runs.length > 0) long.set(y, runs);
  }
  if (long.size === 0) return crop;
  const rows = [...long.keys()];
  // Its soft edges belong to it.
  const [first, last] = [Math.max(0, Math.min(...rows) - 1), Math.min(height - 1, Math.max(...rows) + 1)];
  if (last - first > UNDERLINE.thickest * height + 3) return crop;
  const isInkAbove = (x: number) => first >= REACH && gray[(first - REACH) * width + x]! < INK;
  const isInkBelow = (x: number) => last + REACH < height && gray[(last + REACH) * width + x]! < INK;
  const isUnderline = ({ from, to }: Span) => {
    let above = 0;
    for (let x = from; x < to; x++) if (isInkAbove(x)) above++;
    return above <= UNDERLINE.inked * (to - from);
  };
  const lines = [...long.values()].flat().filter(isUnderline);
  if (lines.length === 0) return crop;
  const clean = gray.slice();
  for (const y of rows) {
    for (const { from, to } of nearTo(
      lines,
      longRuns(crop, y, UNDERLINE.part * height),
      UNDERLINE.near * height,
    )) {
      for (let x = from; x < to; x++) {
        // A descender that crosses it stays whole.
        if (isInkAbove(x) && isInkBelow(x)) continue;
        for (let row = first; row <= last; row++) clean[row * width + x] = PAPER;
      }
    }
  }
  return { ...crop, gray: clean };
}

/**
 * The line without an underline in parts. One of the parts lies under two letters, or under the space between them: the strokes
 * at the foot of a letter, and underscores, do not.
 */
function withoutLinkUnderline(crop: GrayImage): GrayImage {
  const { gray, width, height } = crop;
  const first = Math.round(LINK.from * height);
  const ink = gray.subarray(first * width).map((level) => (level < INK ? 1 : 0));
  const flat = connectedParts(ink, width, height - first).filter(({ left, right, top, bottom, pixels }) => {
    const [wide, high] = [right - left, bottom - top];
    const isThin = wide >= LINK.part * height && high <= LINK.thickest * height + 1 && wide > high;
    return top > 0 && isThin && pixels >= LINK.full * wide * high;
  });
  const seeds = flat.filter((part) => liesUnderLetters(part, first, crop));
  const level = Math.max(1, LINK.level * height);
  const parts = flat.filter(({ top, bottom }) =>
    seeds.some((seed) => Math.abs(seed.top - top) <= level && Math.abs(seed.bottom - bottom) <= level),
  );
  if (parts.length === 0) return crop;
  const clean = gray.slice();
  for (const { left, right, top, bottom } of parts) {
    const [above, below] = [top + first, bottom + first];
    for (let y = above - LINK.soft; y < Math.min(height, below + LINK.soft); y++) {
      const isOfPart = y >= above && y < below;
      for (let x = Math.max(0, left - LINK.soft); x < Math.min(width, right + LINK.soft); x++)
        if (isOfPart || gray[y * width + x]! >= INK) clean[y * width + x] = PAPER;
    }
  }
  return { ...crop, gray: clean };
}

/**
 * Whether two letters stand above a part, with paper between them. An underscore at most touches the letters beside it.
 * @param offset row of the crop that its rows are counted from
 */
function liesUnderLetters(
  { left, right, top }: InkPart,
  offset: number,
  { gray, width }: GrayImage,
): boolean {
  const hasInk = (x: number) => {
    for (let y = 0; y < offset + top - 1; y++) if (gray[y * width + x]! < INK) return true;
    return false;
  };
  const above = Array.from({ length: right - left }, (_, i) => hasInk(left + i));
  const inked = above.filter(Boolean).length;
  const between = above.slice(above.indexOf(true), above.lastIndexOf(true));
  return inked >= LINK.inked * above.length && between.includes(false);
}

/** Columns of a crop; `to` is excluded. */
interface Span {
  from: number;
  to: number;
}

/** The spans that lie within `reach` of `lines`, or of another such span. */
function nearTo(lines: readonly Span[], spans: readonly Span[], reach: number): Span[] {
  const near = [...lines];
  const isNear = (span: Span) =>
    near.some(({ from, to }) => span.from <= to + reach && span.to >= from - reach);
  let rest = [...spans];
  for (;;) {
    const found = rest.filter(isNear);
    if (found.length === 0) return near.slice(lines.length);
    near.push(...found);
    rest = rest.filter((span) => !found.includes(span));
  }
}

/** Runs of ink in one row that are at least that long. */
function longRuns({ gray, width }: GrayImage, y: number, least: number): Span[] {
  const runs: Span[] = [];
  let from = -1;
  for (let x = 0; x <= width; x++) {
    const inked = x < width && gray[y * width + x]! < INK;
    if (inked && from < 0) from = x;
    if (!inked && from >= 0) {
      if (x - from >= least) runs.push({ from, to: x });
      from = -1;
    }
  }
  return runs;
}
