/** Rows and columns of a ruled table that no rule parts, and lines in its frame that are no row. */
import { itemAt, pairwise } from '../../checked.ts';
import {
  centerOf,
  type FoundCell,
  type FoundTable,
  isFigure,
  levelsOf,
  rightOf,
  textOf,
} from './table-parts.ts';
import { columnsWithin } from './unruled-tables.ts';

export type Grid = Pick<FoundTable, 'rows' | 'columns' | 'cells'>;

/** Rows of a table may stand between two rules without one of their own: figures on each level show them. */
export function withLinesParted(grid: Grid): Grid {
  let { rows, columns, cells } = grid;
  for (let row = rows.length - 2; row >= 0; row--) {
    const band = cells.filter((cell) => cell.row <= row && row < cell.row + cell.rowSpan);
    if (band.some(({ rowSpan }) => rowSpan > 1)) continue;
    const full = band.filter(({ words }) => words.length > 0);
    const levels = levelsOf(full.flatMap(({ words }) => words));
    if (full.length < 2 || levels.length < 2) continue;
    const partsOf = (cell: FoundCell) =>
      levels.map((level) => cell.words.filter((word) => level.words.includes(word)));
    const filledShare =
      full.flatMap(partsOf).filter((words) => words.length > 0).length / (full.length * levels.length);
    const figured = levels.filter((level) =>
      full.some(({ words }) => isFigure(textOf(words.filter((word) => level.words.includes(word))))),
    ).length;
    if (filledShare < 0.6 || figured < 0.7 * levels.length || figured < 2) continue;
    const edges = pairwise(levels).map(([above, below]) => (above.bottom + below.top) / 2);
    const more = edges.length;
    rows = [...rows.slice(0, row + 1), ...edges, ...rows.slice(row + 1)];
    cells = cells.flatMap((cell) => {
      if (cell.row > row) return [{ ...cell, row: cell.row + more }];
      if (!band.includes(cell)) return [cell];
      return partsOf(cell).map((words, level) => ({ ...cell, row: row + level, words }));
    });
  }
  return { rows, columns, cells };
}

/** Cells below one another between the same rules whose words leave a gutter free form columns without rules. */
export function withColumnsParted(grid: Grid): Grid {
  const alike = new Map<string, FoundCell[]>();
  for (const cell of grid.cells) {
    const key = `${cell.column} ${cell.columnSpan}`;
    alike.set(key, [...(alike.get(key) ?? []), cell]);
  }
  const parted = new Map<FoundCell, { words: FoundCell['words'][]; edges: number[] }>();
  const added: number[] = [];
  for (const cells of alike.values()) {
    const full = cells.filter(({ words }) => words.length > 0);
    if (full.length < 3) continue;
    const gutters = columnsWithin(full.map(({ words }) => words));
    if (gutters.length === 0) continue;
    const own = gutters.map(({ from, to }) => {
      const drawn = grid.columns.find((edge) => edge > from && edge < to);
      const at = drawn ?? (from + to) / 2;
      if (drawn === undefined) added.push(at);
      return at;
    });
    for (const cell of full) {
      const words = own.concat(Number.POSITIVE_INFINITY).map((to, i) => {
        const from = own[i - 1] ?? Number.NEGATIVE_INFINITY;
        return cell.words.filter(({ box }) => centerOf(box) > from && centerOf(box) <= to);
      });
      // A cell across the gutter is not split.
      const crossed = gutters.some(({ from, to }) =>
        cell.words.some(({ box }) => box.x < to && rightOf(box) > from),
      );
      const close = gutters.some(({ from, to }, i) => {
        const [before, after] = [words[i]?.at(-1), words[i + 1]?.[0]];
        return before &&
          after &&
          rightOf(before.box) > from - before.box.height &&
          after.box.x < to + after.box.height
          ? after.box.x - rightOf(before.box) < 0.6 * after.box.height
          : false;
      });
      if (crossed || close || words.filter((each) => each.length > 0).length < 2) continue;
      parted.set(cell, { words, edges: own });
    }
  }
  if (parted.size === 0) return grid;
  const columns = [...grid.columns, ...added].sort((a, b) => a - b);
  const placeOf = (edge: number) => columns.findIndex((column) => column >= edge - 1e-6);
  return {
    rows: grid.rows,
    columns,
    cells: grid.cells.flatMap((cell) => {
      const from = placeOf(itemAt(grid.columns, cell.column));
      const to = placeOf(itemAt(grid.columns, cell.column + cell.columnSpan));
      const parts = parted.get(cell);
      if (!parts) return [{ ...cell, column: from, columnSpan: to - from }];
      return pairwise([from, ...parts.edges.map(placeOf), to]).map(([start, end], i) => ({
        ...cell,
        column: start,
        columnSpan: end - start,
        words: itemAt(parts.words, i),
      }));
    }),
  };
}

/** Lines of running text in the frame of a table, below or above it, are not a row of it. */
export function withoutProse(grid: Grid): Grid {
  let { rows, columns, cells } = grid;
  const isProse = (row: number) => {
    const [cell, ...others] = cells.filter((one) => one.row <= row && row < one.row + one.rowSpan);
    if (!cell || others.length > 0 || cell.rowSpan > 1) return false;
    return levelsOf(cell.words).length >= 3;
  };
  while (rows.length > 2 && isProse(rows.length - 2)) {
    cells = cells.filter(({ row }) => row < rows.length - 2);
    rows = rows.slice(0, -1);
  }
  while (rows.length > 2 && isProse(0)) {
    cells = cells.filter(({ row }) => row > 0).map((cell) => ({ ...cell, row: cell.row - 1 }));
    rows = rows.slice(1);
  }
  return { rows, columns, cells };
}
