/** Reading order: rows are read across unless there is evidence of text columns side by side. */
import { firstOf, itemAt, lastOf, pairwise } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import type { Box } from '../../types.ts';
import {
  Effort,
  type Fragment,
  firstIndex,
  fragmentsOf,
  heightOf,
  middleOf,
  onOneRow,
  partedAt,
  Rows,
  type TextBox,
} from './line-fragments.ts';
import { pageSplitOf } from './page-split.ts';
import { rowsOf } from './rows.ts';
import { type Gutter, guttersOf, type TextColumn, textColumnsOf } from './text-columns.ts';

export interface OrderedLine {
  /** Indices into the given boxes, in reading direction. */
  boxes: number[];
  /** Bounding box of the boxes, in the same frame. */
  box: Box;
  /** Lines of one column, heading or caption share its number; numbers rise in reading order. */
  block: number;
}

export interface OrderOptions {
  /** The script runs from right to left, so the boxes of a line and the columns of a page do too. Default false. */
  rightToLeft?: boolean;
  /** Tables with drawn cells, in the frame of the boxes: they are not split where their cells are out of step. */
  tables?: readonly Box[];
}

/**
 * Lines of text in reading order, every box in exactly one of them.
 * `boxes` are in a frame where text is horizontal; unit and origin do not matter. `effort` counts the cost and checks for
 * an abort; its errors are passed on.
 */
export function orderLines(
  boxes: readonly TextBox[],
  { rightToLeft = false, tables = [] }: OrderOptions = {},
  effort = new Effort(),
): OrderedLine[] {
  // Right-to-left pages are mirrored and then laid out like all others.
  const inDirection = <Placed extends Box>(placed: readonly Placed[]) =>
    rightToLeft ? placed.map((box) => ({ ...box, x: -box.x - box.width })) : placed;
  const pages = pagesOf(fragmentsOf(inDirection(boxes), effort), effort);
  const blocks = readRegions(pages, inDirection(tables), effort);
  return blocks.flatMap((members, block) =>
    rowsOf(members, effort).map((row) => {
      const indices = row.flatMap((fragment) => fragment.parts.map((part) => part.index));
      return { boxes: indices, box: around(indices.map((index) => itemAt(boxes, index))), block };
    }),
  );
}

type Block = readonly Fragment[];

/** Two pages side by side, or a single one. */
function pagesOf(fragments: readonly Fragment[], effort: Effort): Region[] {
  const fold = pageSplitOf(fragments, textColumnsOf(fragments, effort), effort);
  if (fold === undefined) return [{ fragments }];
  const isLeft = (fragment: Fragment) => fragment.left + fragment.right < 2 * fold;
  return [
    { fragments: fragments.filter(isLeft) },
    { fragments: fragments.filter((fragment) => !isLeft(fragment)) },
  ];
}

/** Splits regions at their clearest gutters and reads the parts one after another. */
function readRegions(inOrder: readonly Region[], tables: readonly Box[], effort: Effort): Block[] {
  const blocks: Block[] = [];
  // The regions still to be read, the next one last.
  const regions = inOrder.toReversed();
  for (let region = regions.pop(); region; region = regions.pop()) {
    if (region.fragments.length === 0) continue;
    effort.spend(region.fragments.length);
    const parts = region.whole ? undefined : partsOf(region.fragments, tables, effort);
    if (parts) regions.push(...parts.toReversed());
    else blocks.push(region.fragments);
  }
  return blocks;
}

/** A part of the page that is read before the following parts; `whole`: it has nothing side by side. */
interface Region {
  fragments: readonly Fragment[];
  whole?: true;
}

/** The parts of a region, in reading order; undefined when it is read across as it is. */
function partsOf(
  fragments: readonly Fragment[],
  tables: readonly Box[],
  effort: Effort,
): Region[] | undefined {
  if (fragments.length < 4) return undefined;
  const textColumns = textColumnsOf(fragments, effort);
  const gutters = guttersOf(textColumns, fragments, effort).filter(
    (gutter) => (gutter.left.prose && gutter.right.prose) || !tables.some((table) => liesIn(gutter, table)),
  );
  const parted = partedAt(gutters, fragments, effort);
  if (parted) return [{ fragments: parted }];
  const gutter = clearestGutter(gutters);
  if (!gutter) return undefined;
  const inset = insetOf(gutter, effort);
  if (inset) return readAroundInset(fragments, gutter, inset);
  return readColumns(fragments, textColumns, gutter, bandOf(gutter, gutters, fragments, effort), effort);
}

function liesIn({ from, to, top, bottom }: Gutter, { x, y, width, height }: Box): boolean {
  const [across, down] = [(from + to) / 2, (top + bottom) / 2];
  return across > x && across < x + width && down > y && down < y + height;
}

/**
 * A page with more gutters or dividers is split in its middle: splitting parts off its edge costs the whole page each time.
 */
const MANY = 40;

/** Gutters between prose are the clearest; of equals, the tallest side-by-side stretch. */
function clearestGutter(gutters: readonly Gutter[]): Gutter | undefined {
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
  fragments: readonly Fragment[],
  textColumns: readonly TextColumn[],
  gutter: Gutter,
  band: Range,
  effort: Effort,
): Region[] | undefined {
  const inBand = (fragment: Fragment) => middleOf(fragment) > band.top && middleOf(fragment) < band.bottom;
  const crossing = fragments.filter((fragment) => inBand(fragment) && crosses(fragment, gutter));
  const beside = fragments.filter((fragment) => inBand(fragment) && !crosses(fragment, gutter));
  const continues = crossing.length > 0 ? continuingBeside(textColumns) : () => true;
  const dividers = crossing.filter((fragment) => !continues(fragment));
  const divider = dividers.length > MANY ? dividers[dividers.length >> 1] : dividers[0];
  if (divider) return readAroundDivider(fragments, divider);

  const above = fragments.filter((fragment) => middleOf(fragment) <= band.top);
  const below = fragments.filter((fragment) => middleOf(fragment) >= band.bottom);
  const loose = looseOf(beside, below, effort);
  const columns = beside.filter((fragment) => !loose.has(fragment));
  const isLeft = (fragment: Fragment) => fragment.left + fragment.right < gutter.from + gutter.to;
  const sides = [columns.filter(isLeft), columns.filter((fragment) => !isLeft(fragment))];
  if (sides.some((side) => side.length === 0)) return undefined;
  // Fragments that cross the gutter without dividing the columns float between them.
  return [above, ...sides, crossing, [...loose, ...below]].map((part) => ({ fragments: part }));
}

/** Whether a fragment has lines of a column above and below it that it does not belong to. */
function continuingBeside(textColumns: readonly TextColumn[]): (fragment: Fragment) => boolean {
  const long = textColumns.filter(({ fragments }) => fragments.length > 1);
  const rising = (values: number[]) => values.sort((a, b) => a - b);
  const begins = rising(long.map(({ fragments }) => middleOf(firstOf(fragments))));
  const ends = rising(long.map(({ fragments }) => middleOf(lastOf(fragments))));
  const inside = new Set(long.flatMap(({ fragments }) => fragments.slice(1, -1)));
  return (fragment) => {
    const middle = middleOf(fragment);
    const begun = firstIndex(begins, (begin) => begin >= middle);
    const ended = firstIndex(ends, (end) => end > middle);
    return begun - ended > (inside.has(fragment) ? 1 : 0);
  };
}

/** A line across both columns divides the text above it from the text below when neither column continues past it. */
function readAroundDivider(fragments: readonly Fragment[], divider: Fragment): Region[] {
  const row = fragments.filter((fragment) => onOneRow(fragment, divider));
  const others = fragments.filter((fragment) => !onOneRow(fragment, divider));
  const isAbove = (fragment: Fragment) => middleOf(fragment) < middleOf(divider);
  return [
    { fragments: others.filter(isAbove) },
    { fragments: row, whole: true },
    { fragments: others.filter((fragment) => !isAbove(fragment)) },
  ];
}

/**
 * A text column in an indentation of the other one: a caption that text flows around. Above or below it the text's lines
 * cross the gutter; a heading at the top of a column does so too, but is a single line.
 */
function insetOf(gutter: Gutter, effort: Effort): TextColumn | undefined {
  const { left, right, from, to } = gutter;
  effort.spend(left.fragments.length + right.fragments.length);
  const middle = (from + to) / 2;
  const flowsAround = ({ fragments }: TextColumn, crosses: (fragment: Fragment) => boolean) => {
    const outside = fragments.filter(
      (fragment) => middleOf(fragment) < gutter.top || middleOf(fragment) > gutter.bottom,
    );
    const across = outside.filter(crosses).length;
    return across >= 2 && across >= 0.5 * outside.length;
  };
  if (flowsAround(left, (fragment) => fragment.right > middle + heightOf(fragment))) return right;
  if (flowsAround(right, (fragment) => fragment.left < middle - heightOf(fragment))) return left;
  return undefined;
}

/** The text is read to its end before the inset. */
function readAroundInset(fragments: readonly Fragment[], gutter: Gutter, inset: TextColumn): Region[] {
  const text = inset === gutter.left ? gutter.right : gutter.left;
  const end = lastOf(text.fragments).bottom;
  const captions = new Set(inset.fragments);
  const others = fragments.filter((fragment) => !captions.has(fragment));
  return [
    { fragments: others.filter((fragment) => middleOf(fragment) < end) },
    { fragments: inset.fragments },
    { fragments: others.filter((fragment) => middleOf(fragment) >= end) },
  ];
}

/** Lines of one column are searched this many heights further down. */
const NEARBY = 6;

interface Range {
  top: number;
  bottom: number;
}

/** Parts of columns above one another are one column up to a distance of this many line heights. */
const COLUMN_BREAK = 4;

/** Vertical extent of the columns beside a gutter: their paragraphs break at different heights. */
function bandOf(
  gutter: Gutter,
  all: readonly Gutter[],
  fragments: readonly Fragment[],
  effort: Effort,
): Range {
  const height = median(gutter.left.fragments.map(heightOf));
  const ranges = all
    .filter((other) => other.from < gutter.to && other.to > gutter.from && !insetOf(other, effort))
    .map(({ left, right }) => rangeOf([...left.fragments, ...right.fragments]))
    .sort((a, b) => a.top - b.top);
  const band = rangeOf([...gutter.left.fragments, ...gutter.right.fragments]);
  const crossing = fragments
    .filter((fragment) => crosses(fragment, gutter))
    .map(middleOf)
    .sort((a, b) => a - b);
  const isSeparated = (top: number, bottom: number) => {
    const next = crossing[firstIndex(crossing, (middle) => middle > top)];
    return next !== undefined && next < bottom;
  };
  /** Downwards first, then back up: each added part brings the next one within reach. */
  for (let grew = true; grew; ranges.reverse()) {
    grew = false;
    for (const range of ranges) {
      effort.spend(1);
      if (range.top >= band.top && range.bottom <= band.bottom) continue;
      const gap = Math.max(range.top - band.bottom, band.top - range.bottom);
      if (gap > COLUMN_BREAK * height) continue;
      if (gap > 0 && isSeparated(Math.min(band.bottom, range.bottom), Math.max(band.top, range.top)))
        continue;
      band.top = Math.min(band.top, range.top);
      band.bottom = Math.max(band.bottom, range.bottom);
      grew = true;
    }
  }
  return withNeighbors(band, fragments, gutter, height, effort);
}

/** A subheading or a short last line within line distance still belongs to its column. */
function withNeighbors(
  band: Range,
  fragments: readonly Fragment[],
  gutter: Gutter,
  height: number,
  effort: Effort,
): Range {
  const reach = leadingOf(gutter) + 0.6 * height;
  const crossing = new Rows(
    fragments.filter((fragment) => crosses(fragment, gutter)),
    effort,
  );
  const near = fragments.filter(
    (fragment) =>
      !crosses(fragment, gutter) &&
      fragment.bottom > band.top - reach &&
      fragment.top < band.bottom + reach &&
      !sharesRow(fragment, crossing),
  );
  return rangeOf([band, ...near]);
}

function sharesRow(fragment: Fragment, others: Rows<Fragment>): boolean {
  const [middle, reach] = [middleOf(fragment), 0.5 * heightOf(fragment)];
  let shares = false;
  others.visit(middle - reach, middle + reach, Number.NEGATIVE_INFINITY, (other) => {
    shares ||= onOneRow(fragment, other);
    return shares;
  });
  return shares;
}

/** The space between the boxes of one line and the next; may be slightly negative. */
function leadingOf({ left, right }: Gutter): number {
  return median(
    [left, right].flatMap(({ fragments }) =>
      pairwise(fragments).map(([before, fragment]) => fragment.top - before.bottom),
    ),
  );
}

function crosses(fragment: Fragment, gutter: Gutter): boolean {
  const slack = 0.8 * heightOf(fragment);
  return fragment.left < gutter.from - slack && fragment.right > gutter.to + slack;
}

/**
 * Fragments far below their column and closer to the following text: the first lines of a title across the page. The
 * fragments between such a line and `below` have to belong to it too.
 */
function looseOf(beside: readonly Fragment[], below: readonly Fragment[], effort: Effort): Set<Fragment> {
  const rows = new Rows(beside, effort);
  return new Set(
    beside.filter(
      (fragment) => !continuesBelow(fragment, rows) && belongsBelow(fragment, beside, below, effort),
    ),
  );
}

/** A line with others of its column right below it, as most have, does not stand apart: a cheap test. */
function continuesBelow(fragment: Fragment, beside: Rows<Fragment>): boolean {
  const height = heightOf(fragment);
  let others = 0;
  beside.visit(fragment.top, fragment.bottom + NEARBY * height, fragment.left, (other) => {
    const overlaps = other.left < fragment.right && other.right > fragment.left;
    if (overlaps && other !== fragment && other.bottom > fragment.top - height) others++;
    return others > 1 || other.left >= fragment.right;
  });
  return others > 1;
}

function belongsBelow(
  fragment: Fragment,
  beside: readonly Fragment[],
  below: readonly Fragment[],
  effort: Effort,
): boolean {
  const height = heightOf(fragment);
  const overlaps = (other: Fragment) => other.left < fragment.right && other.right > fragment.left;
  effort.spend(below.length);
  const under = below.reduce(
    (least, other) => (overlaps(other) ? Math.min(least, other.top) : least),
    Number.POSITIVE_INFINITY,
  );
  if (under === Number.POSITIVE_INFINITY) return false;
  const members = [fragment];
  let over = Number.NEGATIVE_INFINITY;
  effort.spend(beside.length);
  for (const other of beside) {
    if (other === fragment || !overlaps(other)) continue;
    if (other.bottom <= fragment.top - height) over = Math.max(over, other.bottom);
    else if (members.push(other) > 2) return false;
  }
  const gapOver = Math.min(...members.map((one) => one.top)) - over;
  const gapUnder = under - Math.max(...members.map((one) => one.bottom));
  return gapOver > 2.5 * height && gapUnder < gapOver;
}

function rangeOf(fragments: readonly Range[]): Range {
  const range = { top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY };
  for (const { top, bottom } of fragments) {
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
