/** The head of a table: the titles of its columns, in several lines and over several columns. */
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
  for (let i = head - 1; i >= 0; i--) {
    const { row, cells } = levels[i]!;
    const isLowest = i === head - 1;
    if (!isLowest && levels[i + 1]!.row.middle - row.middle > CLOSE * row.height) return;
    const reach = isLowest ? Number.POSITIVE_INFINITY : BEYOND;
    levels[i]!.cells = cells.flatMap((cell) =>
      underlines.some((rule) => isBelow(rule, row, cell))
        ? [cell]
        : partedOver(cell, levels.slice(i + 1), columns, reach),
    );
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
  const parts = Array.from({ length: cell.last - cell.first + 1 }, (_, i) => {
    const [from, to] = [columns[cell.first + i]!, columns[cell.first + i + 1]!];
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
    if (words.length === 0 || below.length === 0) return false;
    const { height } = words[0]!.box;
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
    const rules = isRuled(levels[head - 1]!, levels[head]!);
    if (rules.some((rule) => Math.min(rule.to, right) - Math.max(rule.from, left) > 0.8 * (right - left)))
      return head;
  }
  if (first < 0) return 0;
  let head = first;
  // A section title directly above the figures belongs to them.
  while (head > 0 && levels[head - 1]!.cells.length === 1 && levels[head - 1]!.cells[0]!.first === 0) {
    if (head === 1) break;
    head--;
  }
  return head;
}

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
      const least = i > 0 ? level.cells[i - 1]!.last + 1 : 0;
      const most = i + 1 < level.cells.length ? level.cells[i + 1]!.first - 1 : columns.length - 2;
      if (rule && rule.to - rule.from < 0.9 * (columns.at(-1)! - columns[0]!)) {
        const middles = columns.slice(1).map((edge, column) => (edge + columns[column]!) / 2);
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
        Math.abs((columns[first]! + columns[last + 1]!) / 2 - center);
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
