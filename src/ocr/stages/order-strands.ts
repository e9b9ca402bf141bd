/** What text boxes form on a page before anybody decides how to read it: pieces, strands, and strands side by side. */
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
  /** Indices of its boxes, left to right. */
  members: number[];
}

/** Pieces that follow one another downwards as the lines of one column do. */
export interface Strand {
  pieces: Piece[];
  prose: boolean;
}

/** Two strands that must not be read across, and the empty stretch of x between them. */
export interface Gutter {
  left: Strand;
  right: Strand;
  from: number;
  to: number;
  /** The y-range over which both strands have lines. */
  top: number;
  bottom: number;
}

export const heightOf = (piece: Extent) => piece.bottom - piece.top;
export const middleOf = (piece: Extent) => (piece.top + piece.bottom) / 2;
const widthOf = (piece: Extent) => piece.right - piece.left;

/** On one line: their middles lie closer together than half of the smaller height. */
export function onOneRow(a: Piece, b: Piece): boolean {
  return Math.abs(middleOf(a) - middleOf(b)) < 0.5 * Math.min(heightOf(a), heightOf(b));
}

/** Gaps between words stay under this many line heights, but in justified text; past it, two things stand apart. */
const WIDEST_WORD_GAP = 0.9;
/** Gaps that lie above one another in this many rows are a gutter, however narrow. */
const GUTTER_ROWS = 3;

export function piecesOf(boxes: readonly TextBox[]): Piece[] {
  const singles = boxes.map((box, index) => ({
    members: [index],
    left: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    text: box.text ?? '',
  }));
  const gaps = singles.flatMap((piece) => gapAfter(piece, singles) ?? []);
  const gutters = gapsInGutters(gaps);
  const joined = new Map<Piece, Piece>();
  const rootOf = (piece: Piece): Piece => {
    const next = joined.get(piece);
    return next ? rootOf(next) : piece;
  };
  for (const gap of gaps) {
    const height = Math.min(heightOf(gap.before), heightOf(gap.after));
    const width = gap.to - gap.from;
    if (width > WIDEST_WORD_GAP * height || gutters.has(gap)) continue;
    const [a, b] = [rootOf(gap.before), rootOf(gap.after)];
    if (a === b) continue;
    absorb(a, b);
    joined.set(b, a);
  }
  const pieces = singles.filter((piece) => !joined.has(piece));
  for (const piece of pieces) piece.members.sort((i, j) => boxes[i]!.x - boxes[j]!.x);
  return pieces;
}

interface Gap {
  before: Piece;
  after: Piece;
  from: number;
  to: number;
}

/** The space up to the next piece on the row; negative where boxes overlap. */
function gapAfter(piece: Piece, pieces: readonly Piece[]): Gap | undefined {
  let after: Piece | undefined;
  for (const other of pieces) {
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

function absorb(into: Piece, piece: Piece): void {
  into.members.push(...piece.members);
  into.text = `${into.text} ${piece.text}`;
  into.left = Math.min(into.left, piece.left);
  into.right = Math.max(into.right, piece.right);
  into.top = Math.min(into.top, piece.top);
  into.bottom = Math.max(into.bottom, piece.bottom);
}

/** Lines of one column stand no further apart than this many of their heights. */
const WIDEST_LEADING = 1.3;

/** Every piece in exactly one strand; a piece with no like neighbour above or below is a strand of its own. */
export function strandsOf(pieces: readonly Piece[]): Strand[] {
  const links: { upper: Piece; lower: Piece; distance: number }[] = [];
  const [above, below] = [new Map<Piece, Piece[]>(), new Map<Piece, Piece[]>()];
  for (const upper of pieces) {
    for (const lower of pieces) {
      if (!follows(upper, lower)) continue;
      links.push({ upper, lower, distance: lower.top - upper.bottom });
      below.set(upper, [...(below.get(upper) ?? []), lower]);
      above.set(lower, [...(above.get(lower) ?? []), upper]);
    }
  }
  // A heading over two columns, or a footer under them, belongs to neither.
  const spans = (piece: Piece, neighbours: readonly Piece[] = []) =>
    neighbours.some((a) => neighbours.some((b) => a !== b && sideBySide(a, b, piece)));
  const forked = new Set(
    pieces.filter((piece) => spans(piece, below.get(piece)) || spans(piece, above.get(piece))),
  );
  links.sort((a, b) => a.distance - b.distance);
  const next = new Map<Piece, Piece>();
  const linkedFromAbove = new Set<Piece>();
  for (const { upper, lower } of links) {
    if (next.has(upper) || linkedFromAbove.has(lower)) continue;
    if (forked.has(upper) && widthOf(lower) < 0.8 * widthOf(upper)) continue;
    if (forked.has(lower) && widthOf(upper) < 0.8 * widthOf(lower)) continue;
    next.set(upper, lower);
    linkedFromAbove.add(lower);
  }
  return pieces
    .filter((piece) => !linkedFromAbove.has(piece))
    .map((first) => {
      const chain = [first];
      for (let piece = next.get(first); piece; piece = next.get(piece)) chain.push(piece);
      return { pieces: chain, prose: isProse(chain) };
    });
}

function follows(upper: Piece, lower: Piece): boolean {
  const [a, b] = [heightOf(upper), heightOf(lower)];
  if (middleOf(lower) - middleOf(upper) < 0.5 * Math.max(a, b)) return false;
  if (lower.top - upper.bottom > (WIDEST_LEADING * (a + b)) / 2) return false;
  if (Math.min(a, b) < 0.6 * Math.max(a, b)) return false;
  const shared = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
  if (shared < 0.5 * Math.min(widthOf(upper), widthOf(lower))) return false;
  return lower.top - upper.bottom < 0.4 * Math.min(a, b) || keepsEdge(upper, lower);
}

/** Past a gap a column goes on where it stood before, or with an indented line; a page's footer seldom does. */
function keepsEdge(upper: Piece, lower: Piece): boolean {
  const slack = 0.75 * Math.min(heightOf(upper), heightOf(lower));
  const left = lower.left - upper.left;
  const right = lower.right - upper.right;
  return (left > -slack && left < 4 * slack) || Math.abs(right) < slack || Math.abs(left + right) < 2 * slack;
}

function sideBySide(a: Piece, b: Piece, spanning: Piece): boolean {
  return onOneRow(a, b) && Math.min(widthOf(a), widthOf(b)) > 0.2 * widthOf(spanning);
}

/**
 * Running text that was broken into lines: several wide lines, most of which reach the right edge or, where a script
 * has capitals, begin in the middle of a sentence. Lists, tables and receipts do neither.
 */
export function isProse(lines: readonly Extent[]): boolean {
  if (lines.length < 3) return false;
  const shape = median(lines.map((line) => widthOf(line) / heightOf(line)));
  if (shape < 6) return false;
  const full = share(lines, (line, i) => {
    // Against its neighbours alone: a column may grow narrower where it flows around a picture.
    const widest = Math.max(...lines.slice(Math.max(0, i - 2), i + 3).map(widthOf));
    return widthOf(line) > 0.8 * widest;
  });
  const cased = lines.slice(1).filter((line) => /^\P{L}*[\p{Lu}\p{Ll}]/u.test(line.text));
  if (cased.length < 2) return full >= 0.6;
  const midSentence = share(cased, (line) => /^\P{L}*\p{Ll}/u.test(line.text));
  return midSentence >= 0.4 || (full >= 0.6 && midSentence >= 0.15);
}

/** Every pair of neighbouring strands that would make nonsense if their lines were read across. */
export function guttersOf(strands: readonly Strand[], pieces: readonly Piece[]): Gutter[] {
  const found: Gutter[] = [];
  const tall = strands.filter((strand) => strand.pieces.length >= 2);
  for (const left of tall) {
    for (const right of tall) {
      const gutter = left === right ? undefined : gutterBetween(left, right);
      if (gutter && !pieces.some((piece) => standsInside(piece, gutter))) found.push(gutter);
    }
  }
  return found;
}

const MOSTLY = 0.9;

function gutterBetween(left: Strand, right: Strand): Gutter | undefined {
  const top = Math.max(left.pieces[0]!.top, right.pieces[0]!.top);
  const bottom = Math.min(left.pieces.at(-1)!.bottom, right.pieces.at(-1)!.bottom);
  const within = (piece: Piece) => middleOf(piece) > top && middleOf(piece) < bottom;
  const [a, b] = [left.pieces.filter(within), right.pieces.filter(within)];
  if (a.length < 2 || b.length < 2) return undefined;
  // Row by row: on a crooked page a gutter leans, and a line here or there is detected too long.
  const apart = share(a, (piece) => nearestTo(piece, b).left - piece.right > -0.3 * heightOf(piece));
  if (apart < MOSTLY) return undefined;
  const from = quantile(
    a.map((piece) => piece.right),
    MOSTLY,
  );
  const to = quantile(
    b.map((piece) => piece.left),
    1 - MOSTLY,
  );
  if (!(left.prose && right.prose)) {
    const drifting = a.length <= b.length ? outOfStep(a, right.pieces) : outOfStep(b, left.pieces);
    if (!drifting) return undefined;
  }
  return { left, right, from: Math.min(from, to), to: Math.max(from, to), top, bottom };
}

/**
 * Lines of two columns that drift against each other belong to no common rows.
 * A constant offset is no drift: a crooked or curved receipt has one between items and prices.
 */
function outOfStep(lines: readonly Piece[], others: readonly Piece[]): boolean {
  if (lines.length < 4) return false;
  const offsets = lines.map((line) => middleOf(nearestTo(line, others)) - middleOf(line));
  const steps = offsets.slice(1).map((offset, i) => Math.abs(offset - offsets[i]!));
  const drift = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return drift > 0.25 * median(lines.map(heightOf));
}

/** The one whose row is nearest. */
function nearestTo(piece: Piece, others: readonly Piece[]): Piece {
  const distance = (other: Piece) => Math.abs(middleOf(other) - middleOf(piece));
  return others.reduce((near, other) => (distance(other) < distance(near) ? other : near));
}

function standsInside(piece: Piece, gutter: Gutter): boolean {
  const middle = middleOf(piece);
  const height = heightOf(piece);
  return (
    middle > gutter.top &&
    middle < gutter.bottom &&
    widthOf(piece) > 2 * height &&
    piece.left > gutter.from - 0.3 * height &&
    piece.right < gutter.to + 0.3 * height
  );
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The value that a share of the others, 0 to 1, does not exceed. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.round(share * (values.length - 1))]!;
}

function share<T>(items: readonly T[], holds: (item: T, index: number) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
