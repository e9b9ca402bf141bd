/** Joins the lines of a table to rows. */
import { firstOf, itemAt, lastOf, pairwise } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import type { Rule } from './rules.ts';
import { isAlong, type WordGroupRow } from './table-columns.ts';
import { type FoundCell, inReadingOrder, isFigure, type PlacedWord, textOf } from './table-parts.ts';

/** A line of a table, its words by column. */
export interface Level {
  row: WordGroupRow;
  cells: { first: number; last: number; words: PlacedWord[]; left: number; right: number }[];
}
export type Ruled = (above: Level, below: Level) => readonly Rule[];

/** Lines that are one row of the table. */
export interface Band {
  levels: Level[];
  top: number;
  bottom: number;
  /** Rules below it, which show how far headings span. */
  rules: readonly Rule[];
}

export const bandOf = (levels: Level[], rules: readonly Rule[] = []): Band => ({
  levels,
  rules,
  top: Math.min(...levels.map(({ row }) => row.top)),
  bottom: Math.max(...levels.map(({ row }) => row.bottom)),
});
/** Word groups of a row that start in the same column are one cell. */
export function inColumns(wordGroups: Level['cells']): Level['cells'] {
  const cells: Level['cells'] = [];
  for (const wordGroup of wordGroups) {
    const before = cells.at(-1);
    if (before && before.last >= wordGroup.first) {
      before.words = [...before.words, ...wordGroup.words];
      before.last = Math.max(before.last, wordGroup.last);
      before.right = Math.max(before.right, wordGroup.right);
    } else {
      cells.push({ ...wordGroup });
    }
  }
  return cells;
}

/** Rows between rules where most are separated so; else lines, joined with those that continue a cell of the one above. */
export function bodyBands(
  levels: readonly Level[],
  isRuled: Ruled,
  left: number,
  right: number,
  columns: readonly number[],
): Band[] {
  const [first] = levels;
  if (!first) return [];
  const others = pairwise(levels).map(([above, level]) => ({
    level,
    parted: isRuled(above, level).some((rule) => isAlong(rule, left, right)),
    pitch: level.row.middle - above.row.middle,
  }));
  const rules = others.filter(({ parted }) => parted).length;
  const groups: Level[][] = [[first]];
  const byRules = rules >= 3 && rules >= 0.3 * others.length;
  const usual = median(others.map(({ pitch }) => pitch)) || 0;
  for (const { level, parted } of others) {
    const group = lastOf(groups);
    const isNew = parted || (byRules ? isFull(group, level) : !isMore(group, level, usual, columns));
    if (isNew) groups.push([level]);
    else group.push(level);
  }
  return groups.map((group) => bandOf(group));
}

/** Whether a line has content in as many columns as the lines above it. */
const isFull = (group: readonly Level[], { cells }: Level) =>
  cells.length > 1 &&
  cells.length >= Math.max(...group.map((one) => one.cells.length)) &&
  cells.some(({ first, words }) => first > 0 && isFigure(textOf(words)));

/** Whether a line continues cells of the row above: each of them was too full for the next word. */
function isMore(group: readonly Level[], level: Level, pitch: number, columns: readonly number[]): boolean {
  const above = lastOf(group);
  if (level.row.middle - above.row.middle > 1.25 * Math.max(pitch, level.row.height)) return false;
  const most = Math.max(...group.map(({ cells }) => cells.length));
  if (most === 1 && level.cells.length > 1) return isCutOff(above, level, columns);
  if (level.cells.length >= most) return false;
  return level.cells.every((cell) => {
    const before = above.cells.find(({ first }) => first === cell.first);
    if (!before || isFigure(textOf(cell.words))) return false;
    return isWrapped(before, cell, columns);
  });
}

/** The first line of a row whose figures stand beside its last line. */
function isCutOff(above: Level, level: Level, columns: readonly number[]): boolean {
  const [before, cell] = [firstOf(above.cells), firstOf(level.cells)];
  return before.first === 0 && before.last === 0 && cell.first === 0 && isWrapped(before, cell, columns);
}

function isWrapped(
  before: Level['cells'][number],
  cell: Level['cells'][number],
  columns: readonly number[],
): boolean {
  if (before.last > before.first) return false;
  const opening = firstOf(cell.words);
  const lower = /^\P{L}*\p{Ll}/u.test(opening.text);
  const room = itemAt(columns, before.first + 1) - before.right;
  const space = 0.3 * opening.box.height;
  return room < opening.box.width + (lower ? 4 : 1) * space || (lower && !isFigure(textOf(before.words)));
}

export function cellsOfBand({ levels }: Band, row: number, width: number): FoundCell[] {
  const cells: FoundCell[] = [];
  const taken = new Array<FoundCell | undefined>(width);
  for (const { cells: line } of levels) {
    for (const { first, last, words } of line) {
      const there = taken.slice(first, last + 1).find((cell) => cell);
      if (there) {
        there.words.push(...words);
        const end = Math.max(there.column + there.columnSpan - 1, last);
        const free = taken.slice(there.column, end + 1).every((cell) => !cell || cell === there);
        if (free) there.columnSpan = end - there.column + 1;
        for (let x = there.column; x < there.column + there.columnSpan; x++) taken[x] = there;
        continue;
      }
      const cell: FoundCell = {
        row,
        column: first,
        rowSpan: 1,
        columnSpan: last - first + 1,
        words: [...words],
      };
      for (let x = first; x <= last; x++) taken[x] = cell;
      cells.push(cell);
    }
  }
  for (let x = 0; x < width; x++) {
    if (!taken[x]) cells.push({ row, column: x, rowSpan: 1, columnSpan: 1, words: [] });
  }
  for (const cell of cells) cell.words = inReadingOrder(cell.words);
  return cells.sort((a, b) => a.column - b.column);
}
