/** What pieces of lines form on a page before anybody decides how to read it: strands, and strands side by side. */
import {
  type Extent,
  heightOf,
  median,
  middleOf,
  onOneRow,
  type Piece,
  type Slit,
  widthOf,
} from './order-pieces.ts';

/** Pieces that follow one another downwards as the lines of one column do. */
export interface Strand {
  pieces: Piece[];
  prose: boolean;
}

/** Two strands that must not be read across, and the stretch between them where both have lines. */
export interface Gutter extends Slit {
  left: Strand;
  right: Strand;
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

/** The value that a share of the others, 0 to 1, does not exceed. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.round(share * (values.length - 1))]!;
}

function share<T>(items: readonly T[], holds: (item: T, index: number) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
