/** Reading order: rows are read across unless there is evidence that columns stand side by side. */
import type { Box } from '../types.ts';
import {
  heightOf,
  median,
  middleOf,
  onOneRow,
  type Piece,
  partedAt,
  piecesOf,
  type TextBox,
} from './order-pieces.ts';
import { type Gutter, guttersOf, type Strand, strandsOf } from './order-strands.ts';

export interface OrderedLine {
  /** Indices into the given boxes, in reading direction. */
  boxes: number[];
  /** Around all of them, in the same frame. */
  box: Box;
  /** Lines of one column, heading or caption share its number; numbers rise in reading order. */
  block: number;
}

export interface OrderOptions {
  /** The script runs from right to left: so do the boxes of a line and the columns of a page. Default false. */
  rightToLeft?: boolean;
}

/**
 * Lines of text in reading order, every box in exactly one of them.
 * `boxes` lie in a frame where text runs level; unit and origin do not matter.
 */
export function orderLines(boxes: readonly TextBox[], options: OrderOptions = {}): OrderedLine[] {
  // Mirrored, right-to-left pages are laid out like all others.
  const level = options.rightToLeft ? boxes.map((box) => ({ ...box, x: -box.x - box.width })) : boxes;
  const blocks = readRegion(piecesOf(level)).filter((block) => block.length > 0);
  return blocks.flatMap((pieces, block) =>
    rowsOf(pieces).map((row) => {
      const members = row.flatMap((piece) => piece.parts.map((part) => part.index));
      return { boxes: members, box: around(members.map((index) => boxes[index]!)), block };
    }),
  );
}

type Block = Piece[];

/** Splits a region at its most telling gutter and reads the parts one after another. */
function readRegion(pieces: readonly Piece[]): Block[] {
  if (pieces.length < 4) return [[...pieces]];
  const strands = strandsOf(pieces);
  const gutters = guttersOf(strands, pieces);
  const parted = partedAt(gutters, pieces);
  if (parted) return readRegion(parted);
  const gutter = mostTelling(gutters);
  if (!gutter) return [[...pieces]];
  const inset = insetOf(gutter);
  if (inset) return readAroundInset(pieces, gutter, inset);
  return readColumns(pieces, strands, gutter, bandOf(gutter, gutters, pieces));
}

/** Prose on both sides tells most; among equals, the side-by-side stretch that is tallest. */
function mostTelling(gutters: readonly Gutter[]): Gutter | undefined {
  const weight = ({ left, right, top, bottom }: Gutter) =>
    (bottom - top) * (left.prose && right.prose ? 1000 : 1);
  return gutters.reduce<Gutter | undefined>(
    (best, gutter) => (best && weight(best) >= weight(gutter) ? best : gutter),
    undefined,
  );
}

function readColumns(
  pieces: readonly Piece[],
  strands: readonly Strand[],
  gutter: Gutter,
  band: Range,
): Block[] {
  const inBand = (piece: Piece) => middleOf(piece) > band.top && middleOf(piece) < band.bottom;
  const crossing = pieces.filter((piece) => inBand(piece) && crosses(piece, gutter));
  const beside = pieces.filter((piece) => inBand(piece) && !crosses(piece, gutter));
  const floats = crossing.filter((piece) => strands.some((strand) => goesOnBeside(strand, piece)));
  const divider = crossing.find((piece) => !floats.includes(piece));
  if (divider) return readAroundDivider(pieces, divider);

  const above = pieces.filter((piece) => middleOf(piece) <= band.top);
  const below = pieces.filter((piece) => middleOf(piece) >= band.bottom);
  const loose = beside.filter((piece) => belongsBelow(piece, beside, below));
  const columns = beside.filter((piece) => !loose.includes(piece));
  const isLeft = (piece: Piece) => piece.left + piece.right < gutter.from + gutter.to;
  const sides = [columns.filter(isLeft), columns.filter((piece) => !isLeft(piece))];
  if (sides.some((side) => side.length === 0)) return [[...pieces]];
  return [above, ...sides, floats, [...loose, ...below]].flatMap(readRegion);
}

function goesOnBeside({ pieces }: Strand, piece: Piece): boolean {
  const middle = middleOf(piece);
  return middleOf(pieces[0]!) < middle && middleOf(pieces.at(-1)!) > middle && !pieces.includes(piece);
}

/** A line across both columns past which neither goes on parts what stands above it from what follows. */
function readAroundDivider(pieces: readonly Piece[], divider: Piece): Block[] {
  const above = pieces.filter((piece) => middleOf(piece) < middleOf(divider) && !onOneRow(piece, divider));
  const row = pieces.filter((piece) => onOneRow(piece, divider));
  const rest = pieces.filter((piece) => !above.includes(piece) && !row.includes(piece));
  return [...readRegion(above), row, ...readRegion(rest)];
}

/**
 * The strand that stands in an indentation of the other one: a caption that text flows around. Above or below it the
 * text's lines run on past the gutter; a heading at the top of a column does so too, but is a single line.
 */
function insetOf(gutter: Gutter): Strand | undefined {
  const { left, right, from, to } = gutter;
  const middle = (from + to) / 2;
  const flowsAround = ({ pieces }: Strand, crosses: (piece: Piece) => boolean) => {
    const outside = pieces.filter((piece) => middleOf(piece) < gutter.top || middleOf(piece) > gutter.bottom);
    const across = outside.filter(crosses).length;
    return across >= 2 && across >= 0.5 * outside.length;
  };
  if (flowsAround(left, (piece) => piece.right > middle + heightOf(piece))) return right;
  if (flowsAround(right, (piece) => piece.left < middle - heightOf(piece))) return left;
  return undefined;
}

/** The text is read to its end before what it flows around. */
function readAroundInset(pieces: readonly Piece[], gutter: Gutter, inset: Strand): Block[] {
  const text = inset === gutter.left ? gutter.right : gutter.left;
  const end = text.pieces.at(-1)!.bottom;
  const others = pieces.filter((piece) => !inset.pieces.includes(piece));
  return [
    ...readRegion(others.filter((piece) => middleOf(piece) < end)),
    ...readRegion(inset.pieces),
    ...readRegion(others.filter((piece) => middleOf(piece) >= end)),
  ];
}

interface Range {
  top: number;
  bottom: number;
}

/** Parts of columns that stand over one another with no more than this many line heights between them are one column. */
const COLUMN_BREAK = 4;

/** How far up and down the columns beside a gutter go: their paragraphs break at different heights. */
function bandOf(gutter: Gutter, all: readonly Gutter[], pieces: readonly Piece[]): Range {
  const height = median(gutter.left.pieces.map(heightOf));
  const ranges = all
    .filter((other) => other.from < gutter.to && other.to > gutter.from && !insetOf(other))
    .map(({ left, right }) => rangeOf([...left.pieces, ...right.pieces]));
  const band = rangeOf([...gutter.left.pieces, ...gutter.right.pieces]);
  const crossing = pieces.filter((piece) => crosses(piece, gutter));
  let grew = true;
  while (grew) {
    grew = false;
    for (const range of ranges) {
      if (range.top >= band.top && range.bottom <= band.bottom) continue;
      const gap = Math.max(range.top - band.bottom, band.top - range.bottom);
      const between = { top: Math.min(band.bottom, range.bottom), bottom: Math.max(band.top, range.top) };
      const parted = crossing.some(
        (piece) => middleOf(piece) > between.top && middleOf(piece) < between.bottom,
      );
      if (gap > COLUMN_BREAK * height || (gap > 0 && parted)) continue;
      band.top = Math.min(band.top, range.top);
      band.bottom = Math.max(band.bottom, range.bottom);
      grew = true;
    }
  }
  return withNeighbours(band, pieces, gutter, height);
}

/** A subheading or a last short line, no further off than lines are apart, still belongs to its column. */
function withNeighbours(band: Range, pieces: readonly Piece[], gutter: Gutter, height: number): Range {
  const reach = leadingOf(gutter) + 0.6 * height;
  const near = pieces.filter(
    (piece) =>
      !crosses(piece, gutter) &&
      piece.bottom > band.top - reach &&
      piece.top < band.bottom + reach &&
      !pieces.some((other) => crosses(other, gutter) && onOneRow(piece, other)),
  );
  return rangeOf([band, ...near]);
}

/** The space between the boxes of one line and the next; may be a little below zero. */
function leadingOf({ left, right }: Gutter): number {
  return median(
    [left, right].flatMap(({ pieces }) => pieces.slice(1).map((piece, i) => piece.top - pieces[i]!.bottom)),
  );
}

function crosses(piece: Piece, gutter: Gutter): boolean {
  const slack = 0.8 * heightOf(piece);
  return piece.left < gutter.from - slack && piece.right > gutter.to + slack;
}

/**
 * Far below its column and closer to what follows: the first lines of a title that runs across the page.
 * What stands between the line and `below` has to belong there too.
 */
function belongsBelow(piece: Piece, beside: readonly Piece[], below: readonly Piece[]): boolean {
  const height = heightOf(piece);
  const overlaps = (other: Piece) => other.left < piece.right && other.right > piece.left;
  const under = below.filter(overlaps).map((other) => other.top);
  if (under.length === 0) return false;
  const group = beside.filter(
    (other) => overlaps(other) && other.bottom > piece.top - height && other !== piece,
  );
  if (group.length > 1) return false;
  const members = [piece, ...group];
  const over = beside.filter((other) => !members.includes(other) && overlaps(other));
  const gapOver = Math.min(...members.map((one) => one.top)) - Math.max(...over.map((one) => one.bottom));
  const gapUnder = Math.min(...under) - Math.max(...members.map((one) => one.bottom));
  return gapOver > 2.5 * height && gapUnder < gapOver;
}

/** Lines read across: pieces of one row from left to right, rows downwards. Rows may climb or sag a little. */
function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.left - b.left)) {
    let best: Piece[] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const row of rows) {
      const last = row.at(-1)!;
      const distance = Math.abs(middleOf(last) - middleOf(piece));
      const overlapping =
        last.right - piece.left > 0.5 * Math.min(last.right - last.left, piece.right - piece.left);
      if (!onOneRow(last, piece) || overlapping || distance >= least) continue;
      best = row;
      least = distance;
    }
    if (best) best.push(piece);
    else rows.push([piece]);
  }
  const yOf = (row: readonly Piece[]) => row.reduce((sum, piece) => sum + middleOf(piece), 0) / row.length;
  return rows.sort((a, b) => yOf(a) - yOf(b));
}

function rangeOf(pieces: readonly Range[]): Range {
  return {
    top: Math.min(...pieces.map((piece) => piece.top)),
    bottom: Math.max(...pieces.map((piece) => piece.bottom)),
  };
}

function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
