/** Text columns of line fragments, and columns side by side, before the reading order is decided. */
import { firstOf, itemAt, lastOf, pairwise, required } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import {
  type Effort,
  type Extent,
  type Fragment,
  firstIndex,
  heightOf,
  MAX_NEIGHBORS,
  middleOf,
  onOneRow,
  Rows,
  type Separator,
  widthOf,
} from './line-fragments.ts';

/** Fragments that follow one another downwards as the lines of one column: their middles lie below one another. */
export interface TextColumn {
  fragments: Fragment[];
  prose: boolean;
}

/** Two columns that must not be read across, and the separator between them where both have lines. */
export interface Gutter extends Separator {
  left: TextColumn;
  right: TextColumn;
}

/** Greatest distance of the lines of one column, in their heights. */
const WIDEST_LEADING = 1.3;
/** Least ratio of the heights of two lines in one column. */
const MIN_LIKENESS = 0.6;
/**
 * Greatest distance between the middles of two consecutive lines, in heights of the upper one: half of it, the widest
 * leading, and half of the highest possible lower line. Slightly more, for rounding.
 */
const LINE_REACH = 0.51 + (WIDEST_LEADING * (1 + 1 / MIN_LIKENESS)) / 2 + 0.51 / MIN_LIKENESS;
/** A fragment that spans columns is less than this many times wider than each. */
const COLUMN_SHARE = 0.2;

/** Every fragment in exactly one text column; a fragment with no similar neighbor above or below is a column of its own. */
export function textColumnsOf(fragments: readonly Fragment[], effort: Effort): TextColumn[] {
  const links: { upper: Fragment; lower: Fragment; distance: number }[] = [];
  const above = new Map(fragments.map((fragment) => [fragment, [] as Fragment[]]));
  const below = new Map(fragments.map((fragment) => [fragment, [] as Fragment[]]));
  const places = new Map(fragments.map((fragment, place) => [fragment, place]));
  const rows = new Rows(fragments, effort);
  for (const upper of fragments) {
    const [middle, reach] = [middleOf(upper), LINE_REACH * heightOf(upper)];
    const followers: Fragment[] = [];
    rows.visit(middle, middle + reach, upper.left, (lower) => {
      if (lower.left > upper.right || followers.length >= MAX_NEIGHBORS) return true;
      if (follows(upper, lower)) followers.push(lower);
      return false;
    });
    for (const lower of followers.sort((a, b) => required(places.get(a)) - required(places.get(b)))) {
      links.push({ upper, lower, distance: lower.top - upper.bottom });
      required(below.get(upper)).push(lower);
      required(above.get(lower)).push(upper);
    }
  }
  // A heading over two columns, or a footer under them, belongs to neither.
  const spans = (fragment: Fragment, neighbors: readonly Fragment[] = []) => {
    const wide = neighbors.filter((one) => widthOf(one) > COLUMN_SHARE * widthOf(fragment));
    return wide.some((a) => wide.some((b) => a !== b && onOneRow(a, b)));
  };
  const forked = new Set(
    fragments.filter(
      (fragment) => spans(fragment, below.get(fragment)) || spans(fragment, above.get(fragment)),
    ),
  );
  links.sort((a, b) => a.distance - b.distance);
  const next = new Map<Fragment, Fragment>();
  const linkedFromAbove = new Set<Fragment>();
  for (const { upper, lower } of links) {
    if (next.has(upper) || linkedFromAbove.has(lower)) continue;
    if (forked.has(upper) && widthOf(lower) < 0.8 * widthOf(upper)) continue;
    if (forked.has(lower) && widthOf(upper) < 0.8 * widthOf(lower)) continue;
    next.set(upper, lower);
    linkedFromAbove.add(lower);
  }
  return fragments
    .filter((fragment) => !linkedFromAbove.has(fragment))
    .map((first) => {
      const chain = [first];
      for (let fragment = next.get(first); fragment; fragment = next.get(fragment)) chain.push(fragment);
      return { fragments: chain, prose: isProse(chain) };
    });
}

function follows(upper: Fragment, lower: Fragment): boolean {
  const [a, b] = [heightOf(upper), heightOf(lower)];
  if (middleOf(lower) - middleOf(upper) < 0.5 * Math.max(a, b)) return false;
  if (lower.top - upper.bottom > (WIDEST_LEADING * (a + b)) / 2) return false;
  if (Math.min(a, b) < MIN_LIKENESS * Math.max(a, b)) return false;
  const shared = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
  if (shared < 0.5 * Math.min(widthOf(upper), widthOf(lower))) return false;
  return lower.top - upper.bottom < 0.4 * Math.min(a, b) || keepsEdge(upper, lower);
}

/** Past a gap a column continues at its edge, or with an indented line; a page's footer seldom does. */
function keepsEdge(upper: Fragment, lower: Fragment): boolean {
  const slack = 0.75 * Math.min(heightOf(upper), heightOf(lower));
  const left = lower.left - upper.left;
  const right = lower.right - upper.right;
  return (left > -slack && left < 4 * slack) || Math.abs(right) < slack || Math.abs(left + right) < 2 * slack;
}

/**
 * Running text: several wide lines, most of which reach the right edge or, where a script has capitals, start in the middle
 * of a sentence. Lists, tables and receipts do neither.
 */
export function isProse(lines: readonly Extent[]): boolean {
  if (lines.length < 3) return false;
  const shape = median(lines.map((line) => widthOf(line) / heightOf(line)));
  if (shape < 6) return false;
  const full = share(lines, (line, i) => {
    // Compared with its neighbors only: a column may narrow where it flows around a picture.
    const widest = Math.max(...lines.slice(Math.max(0, i - 2), i + 3).map(widthOf));
    return widthOf(line) > 0.8 * widest;
  });
  const cased = lines.slice(1).filter((line) => /^\P{L}*[\p{Lu}\p{Ll}]/u.test(line.text));
  if (cased.length < 2) return full >= 0.6;
  const midSentence = share(cased, (line) => /^\P{L}*\p{Ll}/u.test(line.text));
  return midSentence >= 0.4 || (full >= 0.6 && midSentence >= 0.15);
}

/** Every pair of neighboring columns that would make no sense if their lines were read across. */
export function guttersOf(
  textColumns: readonly TextColumn[],
  fragments: readonly Fragment[],
  effort: Effort,
): Gutter[] {
  const found: Gutter[] = [];
  const rows = new Rows(fragments, effort);
  for (const [left, right] of neighborsOf(textColumns, effort)) {
    const gutter = gutterBetween(left, right, effort);
    if (!gutter) continue;
    let isFree = true;
    rows.visit(gutter.top, gutter.bottom, gutter.from, (fragment) => {
      isFree &&= !standsInside(fragment, gutter);
      return !isFree || fragment.left > gutter.to;
    });
    if (isFree) found.push(gutter);
  }
  return found;
}

/** Fewer lines than this cannot drift. */
const MIN_DRIFTING = 4;

/** Number of columns beside one that are compared with it: others lie behind them. */
const NEAREST_STRANDS = 16;

/** A column and the rectangle around it. */
interface PlacedColumn extends Extent {
  textColumn: TextColumn;
  place: number;
}

/** Pairs of columns side by side that are long enough to be distinguished, in the given order. */
function neighborsOf(textColumns: readonly TextColumn[], effort: Effort): [TextColumn, TextColumn][] {
  const long = textColumns
    .map((textColumn, place) => ({ textColumn, place, ...around(textColumn) }))
    .filter(({ textColumn }) => textColumn.prose || textColumn.fragments.length >= MIN_DRIFTING)
    .sort((a, b) => a.top - b.top);
  const pairs: [left: PlacedColumn, right: PlacedColumn][] = [];
  const offer = (left: PlacedColumn, right: PlacedColumn) => {
    const telling =
      (left.textColumn.prose && right.textColumn.prose) || isLongPair(left.textColumn, right.textColumn);
    if (telling && left.left < right.right) pairs.push([left, right]);
  };
  // Columns that continue below the top of the next one, by their left edges.
  const open: PlacedColumn[] = [];
  for (const next of long) {
    const place = firstIndex(open, (other) => other.left >= next.left);
    // Rightwards first: removing an ended column must not move those still to be visited.
    for (const [start, step] of [
      [place, 1],
      [place - 1, -1],
    ] as const) {
      let seen = 0;
      for (let at = start; seen < NEAREST_STRANDS && at >= 0 && at < open.length; ) {
        effort.spend(1);
        const other = itemAt(open, at);
        const ended = other.bottom <= next.top;
        if (ended) open.splice(at, 1);
        if (!ended || step < 0) at += step;
        if (ended) continue;
        offer(other, next);
        offer(next, other);
        seen++;
      }
    }
    const at = firstIndex(open, (other) => other.left >= next.left);
    open.splice(at, 0, next);
  }
  pairs.sort(([a, b], [c, d]) => a.place - c.place || b.place - d.place);
  return pairs.map(([left, right]) => [left.textColumn, right.textColumn]);
}

function isLongPair(a: TextColumn, b: TextColumn): boolean {
  return Math.min(a.fragments.length, b.fragments.length) >= MIN_DRIFTING;
}

/** From the first line's top to the last one's bottom, at the widest extent to either side. */
function around({ fragments }: TextColumn): Extent {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const fragment of fragments) {
    left = Math.min(left, fragment.left);
    right = Math.max(right, fragment.right);
  }
  return { left, right, top: firstOf(fragments).top, bottom: lastOf(fragments).bottom, text: '' };
}

const MOSTLY = 0.9;
/** Of the line distance: a line beside a column is at most half a step off, except beside a gap. */
const BESIDE_A_LINE = 0.6;

function gutterBetween(left: TextColumn, right: TextColumn, effort: Effort): Gutter | undefined {
  const top = Math.max(firstOf(left.fragments).top, firstOf(right.fragments).top);
  const bottom = Math.min(lastOf(left.fragments).bottom, lastOf(right.fragments).bottom);
  const within = ({ fragments }: TextColumn) =>
    fragments.slice(
      firstIndex(fragments, (fragment) => middleOf(fragment) > top),
      firstIndex(fragments, (fragment) => middleOf(fragment) >= bottom),
    );
  const [a, b] = [within(left), within(right)];
  effort.spend(a.length + b.length);
  if (a.length < 2 || b.length < 2) return undefined;
  // Row by row: on a crooked page a gutter leans, and some lines are detected too long.
  const apart = share(
    a,
    (fragment) => nearestTo(fragment, b).left - fragment.right > -0.3 * heightOf(fragment),
  );
  if (apart < MOSTLY) return undefined;
  const from = quantile(
    a.map((fragment) => fragment.right),
    MOSTLY,
  );
  const to = quantile(
    b.map((fragment) => fragment.left),
    1 - MOSTLY,
  );
  if (!(left.prose && right.prose)) {
    const drifting = a.length <= b.length ? outOfStep(a, right.fragments) : outOfStep(b, left.fragments);
    if (!drifting) return undefined;
  }
  return { left, right, from: Math.min(from, to), to: Math.max(from, to), top, bottom };
}

/**
 * Lines of two columns that drift against each other have no common rows.
 * A constant offset is no drift: a crooked or curved receipt has one between items and prices. Nor is a row with an empty
 * cell, as in tables: its nearest line is further off than drifting lines are.
 */
function outOfStep(lines: readonly Fragment[], others: readonly Fragment[]): boolean {
  const steps = pairwise(others).map(([before, line]) => middleOf(line) - middleOf(before));
  const furthest = BESIDE_A_LINE * quantile(steps, 0.25);
  const offsets = lines
    .map((line) => middleOf(nearestTo(line, others)) - middleOf(line))
    .filter((offset) => Math.abs(offset) < furthest);
  if (offsets.length < MIN_DRIFTING) return false;
  const drifts = pairwise(offsets).map(([before, offset]) => Math.abs(offset - before));
  const drift = drifts.reduce((sum, one) => sum + one, 0) / drifts.length;
  return drift > 0.25 * median(lines.map(heightOf));
}

/** The fragment of the nearest row, the upper one of two equally near. `others` are lines of one column. */
function nearestTo(fragment: Fragment, others: readonly Fragment[]): Fragment {
  const next = firstIndex(others, (other) => middleOf(other) >= middleOf(fragment));
  const [upper, lower] = [others[next - 1], others[next]];
  if (!upper || !lower) return required(upper ?? lower);
  const distance = (other: Fragment) => Math.abs(middleOf(other) - middleOf(fragment));
  return distance(lower) < distance(upper) ? lower : upper;
}

function standsInside(fragment: Fragment, gutter: Gutter): boolean {
  const middle = middleOf(fragment);
  const height = heightOf(fragment);
  return (
    middle > gutter.top &&
    middle < gutter.bottom &&
    widthOf(fragment) > 2 * height &&
    fragment.left > gutter.from - 0.3 * height &&
    fragment.right < gutter.to + 0.3 * height
  );
}

/** The value that the given share of the values, 0 to 1, does not exceed; NaN without values. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.round(share * (values.length - 1))] ?? Number.NaN;
}

function share<T>(items: readonly T[], holds: (item: T, index: number) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
