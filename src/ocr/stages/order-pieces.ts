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

export function piecesOf(boxes: readonly TextBox[]): Piece[] {
  const parts = boxes.map((box, index) => ({
    index,
    left: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    text: box.text ?? '',
  }));
  const gaps = parts.flatMap((part) => gapAfter(part, parts) ?? []);
  const gutters = gapsInGutters(gaps);
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
function gapAfter(piece: Part, parts: readonly Part[]): Gap | undefined {
  let after: Part | undefined;
  for (const other of parts) {
    if (other === piece || other.left + other.right <= piece.left + piece.right) continue;
    if (onOneRow(piece, other) && (!after || other.left < after.left)) after = other;
  }
  return after && { before: piece, after, from: piece.right, to: after.left };
}

/** Gaps that stand over one another row after row, by the longest chain through each. */
function gapsInGutters(gaps: readonly Gap[]): Set<Gap> {
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
  for (let j = 0; j < open.length; j++) {
    for (let i = 0; i < j; i++) if (follows(i, j)) above[j] = Math.max(above[j]!, above[i]! + 1);
  }
  for (let i = open.length - 1; i >= 0; i--) {
    for (let j = i + 1; j < open.length; j++)
      if (follows(i, j)) below[i] = Math.max(below[i]!, below[j]! + 1);
  }
  return new Set(open.filter((_, i) => above[i]! + below[i]! - 1 >= GUTTER_ROWS));
}

const slackOf = (gap: Gap) => 0.15 * Math.min(heightOf(gap.before), heightOf(gap.after));

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
