/** Reading order: rows are read across unless there is evidence that columns stand side by side. */
import { median } from '../page/geometry.ts';
import type { Box } from '../types.ts';
import { foldOf } from './fold.ts';
import {
  Effort,
  firstIndex,
  heightOf,
  levelOf,
  MOST_NEIGHBOURS,
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
  /** Tables whose cells are drawn, in the frame of the boxes: nothing in them is parted for being out of step. */
  tables?: readonly Box[];
}

/**
 * Lines of text in reading order, every box in exactly one of them.
 * `boxes` lie in a frame where text runs level; unit and origin do not matter. `effort` counts what the page costs, and
 * hears whether it is still wanted; what it throws is thrown.
 */
export function orderLines(
  boxes: readonly TextBox[],
  { rightToLeft = false, tables = [] }: OrderOptions = {},
  effort = new Effort(),
): OrderedLine[] {
  // Mirrored, right-to-left pages are laid out like all others.
  const inDirection = <Placed extends Box>(placed: readonly Placed[]) =>
    rightToLeft ? placed.map((box) => ({ ...box, x: -box.x - box.width })) : placed;
  const pages = pagesOf(piecesOf(inDirection(boxes), effort), effort);
  const blocks = readRegions(pages, inDirection(tables), effort);
  return blocks.flatMap((members, block) =>
    rowsOf(members, effort).map((row) => {
      const indices = row.flatMap((piece) => piece.parts.map((part) => part.index));
      return { boxes: indices, box: around(indices.map((index) => boxes[index]!)), block };
    }),
  );
}

type Block = readonly Piece[];

/** Two pages that lie open beside each other, or the one that there is. */
function pagesOf(pieces: readonly Piece[], effort: Effort): Region[] {
  const fold = foldOf(pieces, strandsOf(pieces, effort), effort);
  if (fold === undefined) return [{ pieces }];
  const isLeft = (piece: Piece) => piece.left + piece.right < 2 * fold;
  return [{ pieces: pieces.filter(isLeft) }, { pieces: pieces.filter((piece) => !isLeft(piece)) }];
}

/** Splits regions at their most telling gutters and reads the parts one after another. */
function readRegions(inOrder: readonly Region[], tables: readonly Box[], effort: Effort): Block[] {
  const blocks: Block[] = [];
  // What is still to be read, the next one last.
  const regions = inOrder.toReversed();
  for (let region = regions.pop(); region; region = regions.pop()) {
    if (region.pieces.length === 0) continue;
    effort.spend(region.pieces.length);
    const parts = region.whole ? undefined : partsOf(region.pieces, tables, effort);
    if (parts) regions.push(...parts.toReversed());
    else blocks.push(region.pieces);
  }
  return blocks;
}

/** A stretch of the page that is read before what follows it; `whole`: nothing in it stands side by side. */
interface Region {
  pieces: readonly Piece[];
  whole?: true;
}

/** What a region falls into, in reading order; undefined when it is read across as it is. */
function partsOf(pieces: readonly Piece[], tables: readonly Box[], effort: Effort): Region[] | undefined {
  if (pieces.length < 4) return undefined;
  const strands = strandsOf(pieces, effort);
  const gutters = guttersOf(strands, pieces, effort).filter(
    (gutter) => (gutter.left.prose && gutter.right.prose) || !tables.some((table) => liesIn(gutter, table)),
  );
  const parted = partedAt(gutters, pieces, effort);
  if (parted) return [{ pieces: parted }];
  const gutter = mostTelling(gutters);
  if (!gutter) return undefined;
  const inset = insetOf(gutter, effort);
  if (inset) return readAroundInset(pieces, gutter, inset);
  return readColumns(pieces, strands, gutter, bandOf(gutter, gutters, pieces, effort), effort);
}

function liesIn({ from, to, top, bottom }: Gutter, { x, y, width, height }: Box): boolean {
  const [across, down] = [(from + to) / 2, (top + bottom) / 2];
  return across > x && across < x + width && down > y && down < y + height;
}

/** A page of so many gutters, or dividers, is parted in its middle: parts that are taken off its edge cost the whole each. */
const MANY = 40;

/** Prose on both sides tells most; among equals, the side-by-side stretch that is tallest. */
function mostTelling(gutters: readonly Gutter[]): Gutter | undefined {
  const weight = ({ left, right, top, bottom }: Gutter) =>
    (bottom - top) * (left.prose && right.prose ? 1000 : 1);
  return middleOfMany(gutters).reduce<Gutter | undefined>(
    (best, gutter) => (best && weight(best) >= weight(gutter) ? best : gutter),
    undefined,
  );
}

function middleOfMany<T>(items: readonly T[]): readonly T[] {
  if (items.length <= MANY) return items;
  return items.slice(items.length / 4, items.length * 0.75);
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
  const goesOn = crossing.length > 0 ? goingOnBeside(strands) : () => true;
  const dividers = crossing.filter((piece) => !goesOn(piece));
  const divider = dividers.length > MANY ? dividers[dividers.length >> 1] : dividers[0];
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

/** Whether a piece has lines of a strand above and below it that it is no part of. */
function goingOnBeside(strands: readonly Strand[]): (piece: Piece) => boolean {
  const long = strands.filter(({ pieces }) => pieces.length > 1);
  const rising = (values: number[]) => values.sort((a, b) => a - b);
  const begins = rising(long.map(({ pieces }) => middleOf(pieces[0]!)));
  const ends = rising(long.map(({ pieces }) => middleOf(pieces.at(-1)!)));
  const inside = new Set(long.flatMap(({ pieces }) => pieces.slice(1, -1)));
  return (piece) => {
    const middle = middleOf(piece);
    const begun = firstIndex(begins, (begin) => begin >= middle);
    const ended = firstIndex(ends, (end) => end > middle);
    return begun - ended > (inside.has(piece) ? 1 : 0);
  };
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
function insetOf(gutter: Gutter, effort: Effort): Strand | undefined {
  const { left, right, from, to } = gutter;
  effort.spend(left.pieces.length + right.pieces.length);
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
    .filter((other) => other.from < gutter.to && other.to > gutter.from && !insetOf(other, effort))
    .map(({ left, right }) => rangeOf([...left.pieces, ...right.pieces]))
    .sort((a, b) => a.top - b.top);
  const band = rangeOf([...gutter.left.pieces, ...gutter.right.pieces]);
  const crossing = pieces
    .filter((piece) => crosses(piece, gutter))
    .map(middleOf)
    .sort((a, b) => a - b);
  const isParted = (top: number, bottom: number) =>
    crossing[firstIndex(crossing, (middle) => middle > top)]! < bottom;
  /** Downwards first, then back up: what was taken in brings the next one within reach. */
  for (let grew = true; grew; ranges.reverse()) {
    grew = false;
    for (const range of ranges) {
      effort.spend(1);
      if (range.top >= band.top && range.bottom <= band.bottom) continue;
      const gap = Math.max(range.top - band.bottom, band.top - range.bottom);
      if (gap > COLUMN_BREAK * height) continue;
      if (gap > 0 && isParted(Math.min(band.bottom, range.bottom), Math.max(band.top, range.top))) continue;
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
  const height = heightOf(piece);
  const overlaps = (other: Piece) => other.left < piece.right && other.right > piece.left;
  effort.spend(below.length);
  const under = below.reduce(
    (least, other) => (overlaps(other) ? Math.min(least, other.top) : least),
    Number.POSITIVE_INFINITY,
  );
  if (under === Number.POSITIVE_INFINITY) return false;
  const members = [piece];
  let over = Number.NEGATIVE_INFINITY;
  effort.spend(beside.length);
  for (const other of beside) {
    if (other === piece || !overlaps(other)) continue;
    if (other.bottom <= piece.top - height) over = Math.max(over, other.bottom);
    else if (members.push(other) > 2) return false;
  }
  const gapOver = Math.min(...members.map((one) => one.top)) - over;
  const gapUnder = under - Math.max(...members.map((one) => one.bottom));
  return gapOver > 2.5 * height && gapUnder < gapOver;
}

/** Lines read across: pieces of one row from left to right, rows downwards. Rows may climb or sag a little. */
function rowsOf(pieces: readonly Piece[], effort: Effort): Piece[][] {
  const rows: Piece[][] = [];
  const ends = new RowEnds(effort);
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

/** The numbers of rows by where their last pieces lie: in bands of pieces that are about as high. */
class RowEnds {
  readonly #levels = new Map<number, Map<number, Set<number>>>();
  readonly #effort: Effort;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  move(number: number, from: Piece | undefined, to: Piece): void {
    if (from) this.#bandOf(from).delete(number);
    this.#bandOf(to).add(number);
  }

  /** Rows whose last piece may be on one row with this one, in no order. */
  *near(piece: Piece): Generator<number> {
    for (const [height, bands] of this.#levels) {
      // The lower height of two counts.
      const reach = 0.5 * Math.min(heightOf(piece), height);
      const last = Math.floor((middleOf(piece) + reach) / height);
      for (let band = Math.floor((middleOf(piece) - reach) / height); band <= last; band++) {
        let seen = 0;
        for (const number of bands.get(band) ?? []) {
          if (seen++ >= MOST_NEIGHBOURS) break;
          this.#effort.spend(1);
          yield number;
        }
      }
    }
  }

  #bandOf(piece: Piece): Set<number> {
    const height = levelOf(piece);
    const bands = this.#levels.get(height) ?? new Map<number, Set<number>>();
    this.#levels.set(height, bands);
    const band = Math.floor(middleOf(piece) / height);
    const numbers = bands.get(band) ?? new Set<number>();
    bands.set(band, numbers);
    return numbers;
  }
}

function rangeOf(pieces: readonly Range[]): Range {
  const range = { top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY };
  for (const { top, bottom } of pieces) {
    range.top = Math.min(range.top, top);
    range.bottom = Math.max(range.bottom, bottom);
  }
  return range;
}

function around(boxes: readonly Box[]): Box {
  const { top, bottom } = rangeOf(boxes.map(({ y, height }) => ({ top: y, bottom: y + height })));
  const { top: left, bottom: right } = rangeOf(boxes.map(({ x, width }) => ({ top: x, bottom: x + width })));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
