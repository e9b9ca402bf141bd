/** Boxes as they were detected, and the pieces of lines that they make. */
import type { Box } from '../types.ts';

/** A detected box in a frame where text runs level. `text`, where it is known, helps to tell prose from tables. */
export interface TextBox extends Box {
  text?: string;
}

/** Where a stretch of text lies, and what it says; `text` is empty where that is not known. */
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
  text: string;
}

/** A stretch of one line: boxes that a detector set apart only because of a wide word space. */
export interface Piece extends Extent {
  /** Left to right, at least one. */
  parts: Part[];
}

/** An upright stretch of the page without text. */
export interface Slit {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** One box as it was detected. */
interface Part extends Extent {
  index: number;
}

export const heightOf = (piece: Extent) => piece.bottom - piece.top;
export const middleOf = (piece: Extent) => (piece.top + piece.bottom) / 2;
export const widthOf = (piece: Extent) => piece.right - piece.left;

/** On one line: their middles lie closer together than half of the smaller height. */
export function onOneRow(a: Extent, b: Extent): boolean {
  return Math.abs(middleOf(a) - middleOf(b)) < 0.5 * Math.min(heightOf(a), heightOf(b));
}

/** Gaps between words stay under this many line heights, but in justified text; past it, two things stand apart. */
const WIDEST_WORD_GAP = 0.9;
/** Gaps that lie above one another in this many rows are a gutter, however narrow. */
const GUTTER_ROWS = 3;

/** What ordering a page has cost so far, free of any clock: how often one thing was compared with another. */
export interface Effort {
  looks: number;
}

/** Things of one band across the page, by their left edge; `reach`: the furthest right edge up to each of them. */
interface Band<Item> {
  items: Item[];
  reach: number[];
}

/**
 * Things on a page by where they lie, so that neighbours are found without looking at everything: whatever is asked of a
 * row or the lines around it concerns a few of thousands.
 */
export class Rows<Item extends Extent> {
  readonly #bands = new Map<number, Band<Item>>();
  readonly #height: number;
  readonly #effort: Effort;

  constructor(items: readonly Item[], effort: Effort) {
    this.#effort = effort;
    this.#height = median(items.map(heightOf)) || 1;
    for (const item of items.toSorted((a, b) => a.left - b.left)) {
      const number = this.#bandOf(middleOf(item));
      const band = this.#bands.get(number) ?? { items: [], reach: [] };
      this.#bands.set(number, band);
      band.items.push(item);
      band.reach.push(Math.max(item.right, band.reach.at(-1) ?? item.right));
    }
  }

  /**
   * Shows everything whose middle is at least `top` and at most `bottom` and that may end right of `left`: band after band,
   * each from left to right until `visit` says that it has seen enough of it.
   */
  visit(top: number, bottom: number, left: number, visit: (item: Item) => boolean): void {
    const last = this.#bandOf(bottom);
    for (let number = this.#bandOf(top); number <= last; number++) {
      const band = this.#bands.get(number);
      if (!band) continue;
      for (let i = firstIndex(band.reach, (reach) => reach >= left); i < band.items.length; i++) {
        this.#effort.looks++;
        const item = band.items[i]!;
        const middle = middleOf(item);
        if (middle >= top && middle <= bottom && visit(item)) break;
      }
    }
  }

  #bandOf(y: number): number {
    return Math.floor(y / this.#height);
  }
}

/** Where the values begin for which something holds that, once true, stays so; their number where it never does. */
export function firstIndex<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (holds(values[half]!)) high = half;
    else low = half + 1;
  }
  return low;
}

export function piecesOf(boxes: readonly TextBox[], effort: Effort): Piece[] {
  const parts = boxes.map((box, index) => ({
    index,
    left: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    text: box.text ?? '',
  }));
  const rows = new Rows(parts, effort);
  const gaps = parts.flatMap((part) => gapAfter(part, rows) ?? []);
  const gutters = gapsInGutters(gaps, effort);
  const groups = new Map(parts.map((part) => [part, [part]]));
  for (const gap of gaps) {
    const height = Math.min(heightOf(gap.before), heightOf(gap.after));
    if (gap.to - gap.from > WIDEST_WORD_GAP * height || gutters.has(gap)) continue;
    const [group, other] = [groups.get(gap.before)!, groups.get(gap.after)!];
    if (group === other) continue;
    group.push(...other);
    for (const part of other) groups.set(part, group);
  }
  return [...new Set(groups.values())].map(pieceOf);
}

function pieceOf(parts: readonly Part[]): Piece {
  const sorted = parts.toSorted((a, b) => a.left - b.left);
  return {
    parts: sorted,
    left: sorted[0]!.left,
    right: Math.max(...parts.map((part) => part.right)),
    top: Math.min(...parts.map((part) => part.top)),
    bottom: Math.max(...parts.map((part) => part.bottom)),
    text: sorted.map((part) => part.text).join(' '),
  };
}

/** Lines up to this many of their heights above and below a gutter may run into one another across it. */
const GUTTER_REACH = 6;

/**
 * The pieces with those parted that were put together across a gutter, because a box reached into it;
 * undefined when there is none.
 */
export function partedAt(gutters: readonly Slit[], pieces: readonly Piece[]): Piece[] | undefined {
  const parted = pieces.flatMap((piece) => {
    const reach = GUTTER_REACH * heightOf(piece);
    for (const { from, to, top, bottom } of gutters) {
      if (piece.top < top - reach || piece.bottom > bottom + reach) continue;
      const isLeft = (part: Part) => part.left + part.right < from + to;
      const [left, right] = [piece.parts.filter(isLeft), piece.parts.filter((part) => !isLeft(part))];
      if (left.length === 0 || right.length === 0) continue;
      // A word space of a heading that runs across may lie anywhere, but hardly right in the gutter.
      const edge = Math.max(...left.map((part) => part.right));
      const next = Math.min(...right.map((part) => part.left));
      const slack = 1.2 * heightOf(piece);
      if (Math.abs(edge - from) < slack && Math.abs(next - to) < slack)
        return [pieceOf(left), pieceOf(right)];
    }
    return [piece];
  });
  return parted.length > pieces.length ? parted : undefined;
}

interface Gap {
  before: Part;
  after: Part;
  from: number;
  to: number;
}

/** The space up to the next box on the row; negative where boxes overlap. */
function gapAfter(piece: Part, rows: Rows<Part>): Gap | undefined {
  const [middle, reach] = [middleOf(piece), 0.5 * heightOf(piece)];
  const centre = (piece.left + piece.right) / 2;
  let after: Part | undefined;
  rows.visit(middle - reach, middle + reach, centre, (other) => {
    if (after && other.left > after.left) return true;
    if (other === piece || other.left + other.right <= piece.left + piece.right) return false;
    if (!onOneRow(piece, other)) return false;
    // Among equals the one that was detected first, as everywhere here.
    if (!after || other.left < after.left || other.index < after.index) after = other;
    return false;
  });
  return after && { before: piece, after, from: piece.right, to: after.left };
}

/** Gaps that stand over one another row after row, by the longest chain through each. */
function gapsInGutters(gaps: readonly Gap[], effort: Effort): Set<Gap> {
  // Boxes are drawn a little wider than their ink and may close a narrow gutter.
  const open = gaps.filter((gap) => gap.to > gap.from - 2 * slackOf(gap));
  open.sort((a, b) => middleOf(a.before) - middleOf(b.before));
  const above = open.map(() => 1);
  const below = open.map(() => 1);
  const follows = (i: number, j: number) => {
    const [a, b] = [open[i]!, open[j]!];
    const height = Math.min(heightOf(a.before), heightOf(b.before));
    const step = middleOf(b.before) - middleOf(a.before);
    const slack = Math.min(slackOf(a), slackOf(b));
    const shared = Math.min(a.to, b.to) - Math.max(a.from, b.from) + 2 * slack;
    return step > 0.5 * height && step < 3 * height && shared > 0;
  };
  const openings = open.map(({ before, from, to }, place) => ({
    place,
    left: from,
    right: to,
    top: before.top,
    bottom: before.bottom,
    text: '',
  }));
  const rows = new Rows(openings, effort);
  const linksAbove = (opening: (typeof openings)[number], j: number) => {
    const [middle, slack] = [middleOf(opening), 2 * slackOf(open[j]!)];
    const found: number[] = [];
    rows.visit(middle - 3 * heightOf(opening), middle, opening.left - slack, ({ place, left }) => {
      if (left > opening.right + slack) return true;
      if (follows(place, j)) found.push(place);
      return false;
    });
    return found;
  };
  const links = openings.map((opening, j) => linksAbove(opening, j));
  for (const [j, upper] of links.entries()) {
    for (const i of upper) above[j] = Math.max(above[j]!, above[i]! + 1);
  }
  for (const [j, upper] of [...links.entries()].reverse()) {
    for (const i of upper) below[i] = Math.max(below[i]!, below[j]! + 1);
  }
  return new Set(open.filter((_, i) => above[i]! + below[i]! - 1 >= GUTTER_ROWS));
}

const slackOf = (gap: Gap) => 0.15 * Math.min(heightOf(gap.before), heightOf(gap.after));

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
