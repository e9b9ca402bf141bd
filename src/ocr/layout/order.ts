/** Reading order: rows are read across unless there is evidence that columns stand side by side. */
import type { Box } from '../types.ts';
import {
  type Effort,
  heightOf,
  median,
  middleOf,
  onOneRow,
  type Piece,
  partedAt,
  piecesOf,
  Rows,
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
  /** Is told what the page costs. */
  effort?: Effort;
}

/**
 * Lines of text in reading order, every box in exactly one of them.
 * `boxes` lie in a frame where text runs level; unit and origin do not matter.
 */
export function orderLines(boxes: readonly TextBox[], options: OrderOptions = {}): OrderedLine[] {
  const steps = orderingSteps(boxes, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * The same in steps, between which somebody who gave the page up can be heard: each one is a region of the page, and
 * costs little more than in proportion to its boxes.
 */
export function* orderingSteps(
  boxes: readonly TextBox[],
  options: OrderOptions = {},
): Generator<void, OrderedLine[]> {
  // Mirrored, right-to-left pages are laid out like all others.
  const level = options.rightToLeft ? boxes.map((box) => ({ ...box, x: -box.x - box.width })) : boxes;
  const effort = options.effort ?? { looks: 0 };
  const pieces = piecesOf(level, effort);
  yield;
  const lines: OrderedLine[] = [];
  let block = 0;
  for (const members of yield* readRegion(pieces, effort)) {
    if (members.length === 0) continue;
    for (const row of rowsOf(members, effort)) {
      const indices = row.flatMap((piece) => piece.parts.map((part) => part.index));
      lines.push({ boxes: indices, box: around(indices.map((index) => boxes[index]!)), block });
    }
    block++;
    yield;
  }
  return lines;
}

type Block = Piece[];

/** Splits a region at its most telling gutter and reads the parts one after another. */
function* readRegion(pieces: readonly Piece[], effort: Effort): Generator<void, Block[]> {
  const blocks: Block[] = [];
  // What is still to be read, the next one last.
  const regions: Region[] = [{ pieces }];
  for (let region = regions.pop(); region; region = regions.pop()) {
    yield;
    const parts = region.whole ? undefined : partsOf(region.pieces, effort);
    if (parts) regions.push(...parts.toReversed());
    else blocks.push([...region.pieces]);
  }
  return blocks;
}

/** A stretch of the page that is read before what follows it; `whole`: nothing in it stands side by side. */
interface Region {
  pieces: readonly Piece[];
  whole?: true;
}

/** What a region falls into, in reading order; undefined when it is read across as it is. */
function partsOf(pieces: readonly Piece[], effort: Effort): Region[] | undefined {
  if (pieces.length < 4) return undefined;
  const strands = strandsOf(pieces, effort);
  const gutters = guttersOf(strands, pieces, effort);
  const parted = partedAt(gutters, pieces);
  if (parted) return [{ pieces: parted }];
  const gutter = mostTelling(gutters);
  if (!gutter) return undefined;
  const inset = insetOf(gutter);
  if (inset) return readAroundInset(pieces, gutter, inset);
  return readColumns(pieces, strands, gutter, bandOf(gutter, gutters, pieces, effort), effort);
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
  effort: Effort,
): Region[] | undefined {
  const inBand = (piece: Piece) => middleOf(piece) > band.top && middleOf(piece) < band.bottom;
  const crossing = pieces.filter((piece) => inBand(piece) && crosses(piece, gutter));
  const beside = pieces.filter((piece) => inBand(piece) && !crosses(piece, gutter));
  const goesOn = (piece: Piece) => strands.some((strand) => goesOnBeside(strand, piece));
  const divider = crossing.find((piece) => !goesOn(piece));
  if (divider) return readAroundDivider(pieces, divider);

  const above = pieces.filter((piece) => middleOf(piece) <= band.top);
  const below = pieces.filter((piece) => middleOf(piece) >= band.bottom);
  const loose = looseOf(beside, below, effort);
  const columns = beside.filter((piece) => !loose.has(piece));
  const isLeft = (piece: Piece) => piece.left + piece.right < gutter.from + gutter.to;
  const sides = [columns.filter(isLeft), columns.filter((piece) => !isLeft(piece))];
  if (sides.some((side) => side.length === 0)) return undefined;
  // What crosses the gutter without parting the columns floats between them.
  return [above, ...sides, crossing, [...loose, ...below]].map((part) => ({ pieces: part }));
}

function goesOnBeside({ pieces }: Strand, piece: Piece): boolean {
  const middle = middleOf(piece);
  return middleOf(pieces[0]!) < middle && middleOf(pieces.at(-1)!) > middle && !pieces.includes(piece);
}

/** A line across both columns past which neither goes on parts what stands above it from what follows. */
function readAroundDivider(pieces: readonly Piece[], divider: Piece): Region[] {
  const row = pieces.filter((piece) => onOneRow(piece, divider));
  const others = pieces.filter((piece) => !onOneRow(piece, divider));
  const isAbove = (piece: Piece) => middleOf(piece) < middleOf(divider);
  return [
    { pieces: others.filter(isAbove) },
    { pieces: row, whole: true },
    { pieces: others.filter((piece) => !isAbove(piece)) },
  ];
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
function readAroundInset(pieces: readonly Piece[], gutter: Gutter, inset: Strand): Region[] {
  const text = inset === gutter.left ? gutter.right : gutter.left;
  const end = text.pieces.at(-1)!.bottom;
  const captions = new Set(inset.pieces);
  const others = pieces.filter((piece) => !captions.has(piece));
  return [
    { pieces: others.filter((piece) => middleOf(piece) < end) },
    { pieces: inset.pieces },
    { pieces: others.filter((piece) => middleOf(piece) >= end) },
  ];
}

/** Lines of one column are looked for this many heights further down. */
const NEARBY = 6;

interface Range {
  top: number;
  bottom: number;
}

/** Parts of columns that stand over one another with no more than this many line heights between them are one column. */
const COLUMN_BREAK = 4;

/** How far up and down the columns beside a gutter go: their paragraphs break at different heights. */
function bandOf(gutter: Gutter, all: readonly Gutter[], pieces: readonly Piece[], effort: Effort): Range {
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
  return withNeighbours(band, pieces, gutter, height, effort);
}

/** A subheading or a last short line, no further off than lines are apart, still belongs to its column. */
function withNeighbours(
  band: Range,
  pieces: readonly Piece[],
  gutter: Gutter,
  height: number,
  effort: Effort,
): Range {
  const reach = leadingOf(gutter) + 0.6 * height;
  const crossing = new Rows(
    pieces.filter((piece) => crosses(piece, gutter)),
    effort,
  );
  const near = pieces.filter(
    (piece) =>
      !crosses(piece, gutter) &&
      piece.bottom > band.top - reach &&
      piece.top < band.bottom + reach &&
      !sharesRow(piece, crossing),
  );
  return rangeOf([band, ...near]);
}

function sharesRow(piece: Piece, others: Rows<Piece>): boolean {
  const [middle, reach] = [middleOf(piece), 0.5 * heightOf(piece)];
  let shares = false;
  others.visit(middle - reach, middle + reach, Number.NEGATIVE_INFINITY, (other) => {
    shares ||= onOneRow(piece, other);
    return shares;
  });
  return shares;
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
 * What stands far below its column and closer to what follows: the first lines of a title that runs across the page.
 * What stands between such a line and `below` has to belong there too.
 */
function looseOf(beside: readonly Piece[], below: readonly Piece[], effort: Effort): Set<Piece> {
  const rows = new Rows(beside, effort);
  return new Set(
    beside.filter((piece) => !goesOnBelow(piece, rows) && belongsBelow(piece, beside, below, effort)),
  );
}

/** A line with others of its column right below it, as most have, is none that stands apart: that is soon seen. */
function goesOnBelow(piece: Piece, beside: Rows<Piece>): boolean {
  const height = heightOf(piece);
  let others = 0;
  beside.visit(piece.top, piece.bottom + NEARBY * height, piece.left, (other) => {
    const overlaps = other.left < piece.right && other.right > piece.left;
    if (overlaps && other !== piece && other.bottom > piece.top - height) others++;
    return others > 1 || other.left >= piece.right;
  });
  return others > 1;
}

function belongsBelow(
  piece: Piece,
  beside: readonly Piece[],
  below: readonly Piece[],
  effort: Effort,
): boolean {
  effort.looks += beside.length + below.length;
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
function rowsOf(pieces: readonly Piece[], effort: Effort): Piece[][] {
  const rows: Piece[][] = [];
  const ends = new RowEnds(median(pieces.map(heightOf)), effort);
  for (const piece of pieces.toSorted((a, b) => a.left - b.left)) {
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const number of ends.near(piece)) {
      const last = rows[number]!.at(-1)!;
      const distance = Math.abs(middleOf(last) - middleOf(piece));
      const overlapping =
        last.right - piece.left > 0.5 * Math.min(last.right - last.left, piece.right - piece.left);
      if (!onOneRow(last, piece) || overlapping) continue;
      // Of two rows as near, the one that began first.
      if (distance > least || (distance === least && number > best!)) continue;
      best = number;
      least = distance;
    }
    const number = best ?? rows.length;
    if (best === undefined) rows.push([]);
    ends.move(number, rows[number]!.at(-1), piece);
    rows[number]!.push(piece);
  }
  const yOf = (row: readonly Piece[]) => row.reduce((sum, piece) => sum + middleOf(piece), 0) / row.length;
  return rows
    .map((row) => ({ row, y: yOf(row) }))
    .sort((a, b) => a.y - b.y)
    .map(({ row }) => row);
}

/** The numbers of rows by the height at which they end so far. */
class RowEnds {
  readonly #bands = new Map<number, Set<number>>();
  readonly #height: number;
  readonly #effort: Effort;

  /** @param height of a band; that of a usual line. */
  constructor(height: number, effort: Effort) {
    this.#effort = effort;
    this.#height = height > 0 ? height : 1;
  }

  move(number: number, from: Piece | undefined, to: Piece): void {
    if (from) this.#bands.get(this.#bandOf(middleOf(from)))?.delete(number);
    const band = this.#bandOf(middleOf(to));
    const numbers = this.#bands.get(band) ?? new Set();
    this.#bands.set(band, numbers.add(number));
  }

  /** Rows whose last piece may be on one row with this one, in no order. */
  *near(piece: Piece): Generator<number> {
    const reach = 0.5 * heightOf(piece);
    const last = this.#bandOf(middleOf(piece) + reach);
    for (let band = this.#bandOf(middleOf(piece) - reach); band <= last; band++) {
      const numbers = this.#bands.get(band) ?? [];
      for (const number of numbers) {
        this.#effort.looks++;
        yield number;
      }
    }
  }

  #bandOf(y: number): number {
    return Math.floor(y / this.#height);
  }
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
