/** Finds columns: the stretches that the words of many rows leave free. */
import { firstOf, itemAt, lastOf } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import type { Rule } from './rules.ts';
import { type PlacedWord, type Row, rightOf } from './table-parts.ts';

/** Least gap between two cells of a row, by the height of its words. Words of a line stand closer. */
const GAP = 0.75;
/** Columns may be closer to one another in rows that are apart, but not closer than this. */
const GUTTER = 0.3;
/** Greatest distance of the rule below a heading over several columns, by the heading's height. */
const UNDERLINE = 0.7;

/** Words of a row that stand as close as words of a line. */
export interface WordGroup {
  words: PlacedWord[];
  left: number;
  right: number;
}

export interface WordGroupRow extends Row {
  wordGroups: WordGroup[];
}

export interface Gutter {
  from: number;
  to: number;
}
export function wordGroupsOf(row: Row, down: readonly Rule[]): WordGroup[] {
  const wordGroups: WordGroup[] = [];
  for (const word of row.words) {
    const last = wordGroups.at(-1);
    const gap = last ? word.box.x - last.right : Number.POSITIVE_INFINITY;
    const walled =
      last &&
      gap > 0 &&
      down.some(
        ({ at, from, to }) => at > last.right && at < word.box.x && from < row.middle && to > row.middle,
      );
    if (last && !walled && gap < GAP * row.height) {
      last.words.push(word);
      last.right = Math.max(last.right, rightOf(word.box));
    } else {
      wordGroups.push({ words: [word], left: word.box.x, right: rightOf(word.box) });
    }
  }
  return wordGroups;
}

export const leftOf = ({ wordGroups }: WordGroupRow) => firstOf(wordGroups).left;
export const endOf = ({ wordGroups }: WordGroupRow) => lastOf(wordGroups).right;
export const isAlong = ({ from, to }: Rule, left: number, right: number) =>
  Math.min(to, right) - Math.max(from, left) > 0.6 * (right - left);

/** Stretches that no row reaches into except rows that span columns: headings over several of them, section titles. */
export function guttersOf(rows: readonly WordGroupRow[]): Gutter[] {
  const height = median(rows.map((row) => row.height));
  const several = rows.filter(({ wordGroups }) => wordGroups.length > 1);
  const all = several.flatMap(({ wordGroups }) => wordGroups);
  const few = several.length >= 4 ? Math.max(1, Math.floor(0.12 * several.length)) : 0;
  const likely = freeOf(all, few).filter(({ from, to }) => to - from >= GUTTER * height);
  // A word group that crosses a gutter crosses it wholly, and belongs to no column.
  const spans = (wordGroup: WordGroup) =>
    likely.some(
      ({ from, to }) => wordGroup.left < from + 0.1 * height && wordGroup.right > to - 0.1 * height,
    );
  const within = all.filter((wordGroup) => !spans(wordGroup));
  const free = freeOf(within, 0).filter(({ from, to }) => to - from >= GUTTER * height);
  const wide = free.filter((gutter) => {
    const crossed = all.filter(({ left, right }) => left < gutter.from && right > gutter.to).length;
    const beside = several.filter(
      ({ wordGroups }) =>
        wordGroups.some(({ right }) => right <= gutter.from) &&
        wordGroups.some(({ left }) => left >= gutter.to),
    ).length;
    const isWide = gutter.to - gutter.from >= 0.6 * height;
    return beside >= 2 && crossed <= 0.34 * several.length && (isWide || beside >= 4);
  });
  // Indented lines stand below a gutter, but never beside one.
  const filled = several.map((row) => cellsOf(row, wide).columns.map((words) => words.length > 0));
  return wide.filter((_, i) => filled.some((cells) => cells[i] && cells[i + 1]));
}

/** Stretches between the outermost word groups that at most `few` of them reach into. */
function freeOf(wordGroups: readonly WordGroup[], few: number): Gutter[] {
  const edges = wordGroups
    .flatMap(({ left, right }) => [
      { at: left, step: 1 },
      { at: right, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.step - b.step);
  const free: Gutter[] = [];
  let [depth, seen] = [0, 0];
  let from: number | undefined;
  for (const { at, step } of edges) {
    const before = depth;
    depth += step;
    if (step > 0) seen++;
    if (before <= few && depth > few && from !== undefined) {
      if (at > from) free.push({ from, to: at });
      from = undefined;
    } else if (before > few && depth <= few && seen > 0) {
      from = at;
    }
  }
  return free;
}

/**
 * A row's words by column, and the number of its word groups that cross a gutter.
 * @param underlines rules other than the table's own: text over several columns with such a rule below may well be a heading
 */
export function cellsOf(row: WordGroupRow, gutters: readonly Gutter[], underlines: readonly Rule[] = []) {
  const columns: PlacedWord[][] = [[], ...gutters.map(() => [])];
  let crossing = 0;
  for (const wordGroup of row.wordGroups) {
    const { first, last } = reachOf(wordGroup, gutters);
    if (last > first && !underlines.some((rule) => isBelow(rule, row, wordGroup))) crossing++;
    itemAt(columns, first).push(...wordGroup.words);
  }
  return { columns, crossing };
}

/** Whether a rule runs right below words, over their whole width. */
export const isBelow = (
  { at, from, to }: Rule,
  { middle, height, bottom }: WordGroupRow,
  { left, right }: Pick<WordGroup, 'left' | 'right'>,
) =>
  at > middle && at < bottom + UNDERLINE * height && from < left + 0.5 * height && to > right - 0.5 * height;

/** The first and the last column that a word group lies in. */
export function reachOf({ left, right }: { left: number; right: number }, gutters: readonly Gutter[]) {
  const first = gutters.filter(({ from, to }) => (from + to) / 2 < left + 0.01).length;
  const last = gutters.filter(({ from, to }) => (from + to) / 2 < right - 0.01).length;
  return { first: Math.min(first, last), last };
}
