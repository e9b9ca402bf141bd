/** The head of a table: the titles of its columns, in several lines and over several columns. */
import { firstOf, itemAt, lastOf, pairwise } from '../../checked.ts';
import type { Rule } from './rules.ts';
import { type Band, bandOf, type Level, type Ruled } from './table-bands.ts';
import { isBelow } from './table-columns.ts';
import { centerOf, type FoundCell, isFigure, rightOf, textOf } from './table-parts.ts';

/** Greatest distance of a heading from the edge or the middle of its column, by the height of its words. */
const OFF = 0.5;
/** Greatest distance between lines of one heading, by the height of their words. */
const CLOSE = 1.3;
/** Greatest overhang of a heading's upper lines over the lines below, by the height of their words. */
const BEYOND = 1.5;

/**
 * Splits headings so close to one another that they seemed one over several columns, from the lowest line up.
 * A heading with a rule below it spans all columns of the rule.
 */
export function partHeadings(
  levels: readonly Level[],
  head: number,
  columns: readonly number[],
  underlines: readonly Rule[],
): void {
  let below = levels.slice(head);
  let reach = Number.POSITIVE_INFINITY;
  for (const level of levels.slice(0, head).reverse()) {
    const { row, cells } = level;
    const [next] = below;
    if (reach === BEYOND && next && next.row.middle - row.middle > CLOSE * row.height) return;
    level.cells = cells.flatMap((cell) =>
      underlines.some((rule) => isBelow(rule, row, cell)) ? [cell] : partedOver(cell, below, columns, reach),
    );
    below = [level, ...below];
    reach = BEYOND;
  }
}

/** Each of several headings stands over its own column, flush with it or centered. */
function partedOver(
  cell: Level['cells'][number],
  body: readonly Level[],
  columns: readonly number[],
  reach: number,
): Level['cells'] {
  if (cell.last === cell.first) return [cell];
  const parts = pairwise(columns.slice(cell.first, cell.last + 2)).map(([from, to], i) => {
    const words = cell.words.filter(({ box }) => centerOf(box) > from && centerOf(box) <= to);
    const column = cell.first + i;
    const left = Math.min(...words.map(({ box }) => box.x));
    const right = Math.max(...words.map(({ box }) => rightOf(box)));
    return { first: column, last: column, words, left, right };
  });
  if (parts.flatMap(({ words }) => words).length < cell.words.length) return [cell];
  const isOver = ({ first, words, left, right }: Level['cells'][number]) => {
    const below = body.flatMap((level) =>
      level.cells.filter((one) => one.first === first && one.last === first),
    );
    const [word] = words;
    if (!word || below.length === 0) return false;
    const { height } = word.box;
    const from = Math.min(...below.map((one) => one.left));
    const to = Math.max(...below.map((one) => one.right));
    const off = Math.min(Math.abs(left - from), Math.abs(right - to), Math.abs(left + right - from - to) / 2);
    return off < OFF * height && Math.max(from - left, right - to) < reach * height;
  };
  return parts.every(isOver) ? parts : [cell];
}

/** The lines with column titles: those above the first with figures; at a rule from side to side where one is near. */
export function headLevels(levels: readonly Level[], isRuled: Ruled, left: number, right: number): number {
  const isBody = ({ cells }: Level) => {
    const behind = cells.filter(({ first }) => first > 0);
    const figures = behind.filter(({ words }) => isFigure(textOf(words)) && !YEAR.test(textOf(words)));
    return behind.length > 0 && figures.length >= 0.5 * behind.length;
  };
  const first = levels.findIndex(isBody);
  const most = first < 0 ? Math.min(levels.length - 1, 6) : first;
  for (let head = Math.max(1, most - 3); head <= Math.min(levels.length - 1, most); head++) {
    const rules = isRuled(itemAt(levels, head - 1), itemAt(levels, head));
    if (rules.some((rule) => Math.min(rule.to, right) - Math.max(rule.from, left) > 0.8 * (right - left)))
      return head;
  }
  if (first < 0) return 0;
  let head = first;
  // A section title directly above the figures belongs to them.
  while (head > 1 && isTitle(itemAt(levels, head - 1))) head--;
  return head;
}

const isTitle = ({ cells: [cell, ...others] }: Level) => cell?.first === 0 && others.length === 0;

const YEAR = /^(?:19|20)\d\d$/;

/** Headings of several lines are one row, except where one spans columns or is separated from those below it. */
export function headBands(levels: readonly Level[], columns: readonly number[], isRuled: Ruled): Band[] {
  const bands: Band[] = [];
  let open: Level[] = [];
  for (const [i, level] of levels.entries()) {
    open.push(level);
    const next = levels[i + 1];
    const rules = next ? isRuled(level, next) : [];
    const spans = open.some(({ cells }) => cells.some(({ first, last }) => last > first));
    if (next && rules.length === 0 && !spans) continue;
    bands.push(bandOf(open, rules));
    open = [];
  }
  for (const [i, band] of bands.entries()) {
    const below = bands[i + 1];
    if (below) stretch(band, below, columns);
  }
  return bands;
}

/** Headings over several columns span the rule below them, or the columns that they are centered over. */
function stretch(band: Band, below: Band, columns: readonly number[]): void {
  const named = new Set(below.levels.flatMap(({ cells }) => cells.map(({ first }) => first)));
  for (const level of band.levels) {
    for (const [i, cell] of level.cells.entries()) {
      const rule = band.rules.find(({ from, to }) => from <= cell.left + 1 && to >= cell.right - 1);
      const [before, after] = [level.cells[i - 1], level.cells[i + 1]];
      const least = before ? before.last + 1 : 0;
      const most = after ? after.first - 1 : columns.length - 2;
      if (rule && rule.to - rule.from < 0.9 * (lastOf(columns) - firstOf(columns))) {
        const middles = pairwise(columns).map(([from, to]) => (to + from) / 2);
        const under = middles.flatMap((middle, column) =>
          middle > rule.from && middle < rule.to && column >= least && column <= most ? [column] : [],
        );
        cell.first = Math.min(cell.first, ...under);
        cell.last = Math.max(cell.last, ...under);
        continue;
      }
      if (cell.first === 0 || (cell.last === cell.first && named.size < 3)) continue;
      const center = (cell.left + cell.right) / 2;
      const offOf = (first: number, last: number) =>
        Math.abs((itemAt(columns, first) + itemAt(columns, last + 1)) / 2 - center);
      const height = level.row.height;
      let best = { first: cell.first, last: cell.last, off: offOf(cell.first, cell.last) };
      for (let first = Math.max(1, least); first <= cell.first; first++) {
        for (let last = cell.last; last <= most; last++) {
          const isNamed = Array.from({ length: last - first + 1 }, (_, k) => first + k).every((c) =>
            named.has(c),
          );
          if (isNamed && offOf(first, last) < best.off - 0.5 * height)
            best = { first, last, off: offOf(first, last) };
        }
      }
      [cell.first, cell.last] = [best.first, best.last];
    }
  }
}

/** Of headings in several rows, one alone in its column spans all of them. */
export function spanDown(cells: FoundCell[], rows: number, width: number): void {
  if (rows < 2) return;
  for (let x = 0; x < width; x++) {
    const own = cells.filter(
      ({ row, column, columnSpan }) => row < rows && column <= x && x < column + columnSpan,
    );
    const full = own.filter(({ words }) => words.length > 0);
    const [only] = full;
    if (!only || full.length !== 1 || only.columnSpan > 1 || own.some(({ columnSpan }) => columnSpan > 1))
      continue;
    for (const cell of own) if (cell !== only) cell.rowSpan = 0;
    only.row = 0;
    only.rowSpan = rows;
  }
}
