/** Ruled tables: rules across and down that cross. */

import { firstOf, itemAt, lastOf, pairwise, required } from '../../checked.ts';
import { type Grid, withColumnsParted, withLinesParted, withoutProse } from './parted-cells.ts';
import type { Rule, Rules } from './rules.ts';
import {
  bottomOf,
  centerOf,
  type FoundCell,
  type FoundTable,
  headerRowsOf,
  inReadingOrder,
  levelsOf,
  middleOf,
  type PlacedWord,
} from './table-parts.ts';

/** Rules closer together than this, by line height, are one; a rule that ends this near to another touches it. */
const NEAR = 0.4;
/** Two cells have a border where rules cover this share of their edge. */
const BORDER = 0.3;
/** The row of a section title is no higher than this, by line height. */
const SECTION = 2.2;
/** An edge this close to another one, by line height, and this much shorter belongs to a shadow. */
const SHADE = { near: 0.9, shorter: 0.4 } as const;
/** A rule with this share detected continues between words above and below it. */
const MOSTLY = 0.6;
/** More cells are not practical to check. */
const MAX_CELLS = 4000;
/** A cell with this many lines holds running text. */
const RUNNING_LINES = 8;
/** Least share of a table's cells with content: a plot has fewer. */
const FILLED = 0.3;

/** @param words of the dewarped page, @param line the height of its text */
export function ruledTables(rules: Rules, words: readonly PlacedWord[], line: number): FoundTable[] {
  return stacked(groupsOf(rules, NEAR * line), line)
    .flatMap((group) => tableIn(group, words, line) ?? [])
    .sort((a, b) => firstOf(a.rows) - firstOf(b.rows));
}

/** Connected rules. */
function groupsOf({ across, down }: Rules, near: number): Rules[] {
  const parents = new Map<Rule, Rule>();
  const rootOf = (rule: Rule): Rule => {
    let root = rule;
    for (let next = parents.get(root); next; next = parents.get(root)) root = next;
    if (root !== rule) parents.set(rule, root);
    return root;
  };
  for (const level of across) {
    for (const upright of down) {
      if (upright.at < level.from - near || upright.at > level.to + near) continue;
      if (level.at < upright.from - near || level.at > upright.to + near) continue;
      const [one, other] = [rootOf(level), rootOf(upright)];
      if (one !== other) parents.set(one, other);
    }
  }
  const groups = new Map<Rule, Rules>();
  const groupOf = (rule: Rule) => {
    const root = rootOf(rule);
    const group = groups.get(root) ?? { across: [], down: [] };
    groups.set(root, group);
    return group;
  };
  for (const rule of across) groupOf(rule).across.push(rule);
  for (const rule of down) groupOf(rule).down.push(rule);
  return [...groups.values()].filter((group) => group.across.length > 1 && group.down.length > 0);
}

interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const extentOf = ({ across, down }: Rules): Extent => ({
  left: Math.min(...across.map(({ from }) => from), ...down.map(({ at }) => at)),
  right: Math.max(...across.map(({ to }) => to), ...down.map(({ at }) => at)),
  top: Math.min(...across.map(({ at }) => at), ...down.map(({ from }) => from)),
  bottom: Math.max(...across.map(({ at }) => at), ...down.map(({ to }) => to)),
});

const frameOf = ({ rows, columns }: Pick<FoundTable, 'rows' | 'columns'>): Extent => ({
  left: firstOf(columns),
  right: lastOf(columns),
  top: firstOf(rows),
  bottom: lastOf(rows),
});

/** A section title in a table may have no rules at its sides: equally wide rules above and below it form one table. */
function stacked(groups: readonly Rules[], line: number): Rules[] {
  const near = NEAR * line;
  const joined: { rules: Rules; extent: Extent }[] = [];
  for (const rules of groups.toSorted((a, b) => extentOf(a).top - extentOf(b).top)) {
    const extent = extentOf(rules);
    const above = joined.findLast(
      (one) =>
        extent.top - one.extent.bottom < SECTION * line &&
        extent.top > one.extent.bottom - near &&
        Math.abs(extent.left - one.extent.left) < 2 * near &&
        Math.abs(extent.right - one.extent.right) < 2 * near,
    );
    if (above) {
      above.rules.across.push(...rules.across);
      above.rules.down.push(...rules.down);
      above.extent.bottom = extent.bottom;
    } else {
      joined.push({ rules, extent });
    }
  }
  return joined.map(({ rules }) => rules);
}

function tableIn(rules: Rules, words: readonly PlacedWord[], line: number): FoundTable | undefined {
  const near = NEAR * line;
  const columns = edgesOf(rules.down, rules.across, line);
  const rows = edgesOf(rules.across, rules.down, line);
  const [width, height] = [columns.length - 1, rows.length - 1];
  if (width < 1 || height < 1 || width * height > MAX_CELLS) return undefined;
  const hasText = textIn(words, rows, columns);
  const grid = withoutFalseEdges(mergedCells(rules, rows, columns, near, hasText), rows, columns);
  const { left, right, top, bottom } = frameOf(grid);
  const inside = words.filter(
    ({ box }) =>
      centerOf(box) > left && centerOf(box) < right && middleOf(box) > top && middleOf(box) < bottom,
  );
  fill(grid, inside);
  // Lines are separated by the columns beside them, including those without rules.
  const table = withoutProse(withLinesParted(withColumnsParted(withLinesParted(grid))));
  const filled = table.cells.filter((cell) => cell.words.length > 0);
  const kinds = (of: (cell: FoundCell) => number) => new Set(filled.map(of)).size;
  if (kinds(({ row }) => row) < 2 || kinds(({ column }) => column) < 2) return undefined;
  if (filled.length < 4 || filled.length < FILLED * table.cells.length) return undefined;
  // Rules between the columns of a page separate running text.
  const running = filled.filter((cell) => levelsOf(cell.words).length >= RUNNING_LINES);
  const wordsIn = (cells: readonly FoundCell[]) => cells.reduce((sum, cell) => sum + cell.words.length, 0);
  if (wordsIn(running) > 0.5 * wordsIn(filled)) return undefined;
  return { ...table, headerRows: headerRowsOf(table.cells, table.rows.length - 1), drawn: true };
}

/** Positions of rules, and the ends of those across them: a table may lack the rule at its side. */
function edgesOf(rules: readonly Rule[], across: readonly Rule[], line: number): number[] {
  const near = NEAR * line;
  const [low, high] = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  const edges: { at: number; weight: number }[] = [];
  let group: { at: number; weight: number }[] = [];
  const close = () => {
    const weight = group.reduce((sum, one) => sum + one.weight, 0);
    const at = group.reduce((sum, one) => sum + one.at * one.weight, 0) / weight;
    group = [];
    const before = edges.at(-1);
    if (before && at - before.at < SHADE.near * line) {
      if (weight < SHADE.shorter * before.weight) return;
      if (before.weight < SHADE.shorter * weight) edges.pop();
    }
    edges.push({ at, weight });
  };
  for (const { at, from, to } of rules.toSorted((a, b) => a.at - b.at)) {
    const [opening] = group;
    if (opening && at - opening.at > near) close();
    group.push({ at, weight: to - from });
  }
  close();
  const places = edges.map(({ at }) => at);
  return [
    ...(low < firstOf(places) - 2 * near ? [low] : []),
    ...places,
    ...(high > lastOf(places) + 2 * near ? [high] : []),
  ];
}

/** Places of the grid without a border between them, as cells; each is a rectangle. */
function mergedCells(
  rules: Rules,
  rows: readonly number[],
  columns: readonly number[],
  near: number,
  hasText: (row: number, column: number) => boolean,
): FoundCell[] {
  const [width, height] = [columns.length - 1, rows.length - 1];
  const owner = Int32Array.from({ length: width * height }, (_, i) => i);
  const isBorder = (candidates: readonly Rule[], from: number, to: number, share: number) => {
    let drawn = 0;
    for (const rule of candidates) drawn += Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from));
    return drawn >= share * (to - from);
  };
  const join = (one: number, other: number) => {
    const [a, b] = [owner[one]!, owner[other]!];
    const [keep, give] = [Math.min(a, b), Math.max(a, b)];
    if (keep !== give) for (let i = 0; i < owner.length; i++) if (owner[i] === give) owner[i] = keep;
  };
  for (const [column, at] of columns.slice(1, -1).entries()) {
    const here = rules.down.filter((rule) => Math.abs(rule.at - at) <= near);
    for (const [row, [top, bottom]] of pairwise(rows).entries()) {
      if (isBorder(here, top, bottom, BORDER)) continue;
      join(row * width + column, row * width + column + 1);
    }
  }
  for (const [row, at] of rows.slice(1, -1).entries()) {
    const here = rules.across.filter((rule) => Math.abs(rule.at - at) <= near);
    // Where words touch a rule, a part of it is not detected.
    const continues = isBorder(here, firstOf(columns), lastOf(columns), MOSTLY);
    for (const [column, [left, right]] of pairwise(columns).entries()) {
      if (isBorder(here, left, right, BORDER)) continue;
      if (continues && hasText(row, column) && hasText(row + 1, column)) continue;
      join(row * width + column, (row + 1) * width + column);
    }
  }
  return rectanglesOf(owner, width);
}

/** Whether a whole line of words stands in a place of the grid. */
function textIn(words: readonly PlacedWord[], rows: readonly number[], columns: readonly number[]) {
  const places = new Set<string>();
  const bands = pairwise(rows);
  for (const { box } of words) {
    const column = columns.findIndex((edge) => edge > centerOf(box)) - 1;
    const [top, bottom] = [middleOf(box) - 0.35 * box.height, middleOf(box) + 0.35 * box.height];
    const row = bands.findIndex(([from, to]) => top > from && bottom < to);
    if (column >= 0 && row >= 0) places.add(`${row} ${column}`);
  }
  return (row: number, column: number) => places.has(`${row} ${column}`);
}

/** Grows connected places until each group is a rectangle and none overlaps another. */
function rectanglesOf(owner: Int32Array, width: number): FoundCell[] {
  for (;;) {
    const cells = new Map<number, { left: number; right: number; top: number; bottom: number }>();
    for (let i = 0; i < owner.length; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      const id = owner[i]!;
      const cell = cells.get(id) ?? { left: x, right: x, top: y, bottom: y };
      cell.left = Math.min(cell.left, x);
      cell.right = Math.max(cell.right, x);
      cell.bottom = Math.max(cell.bottom, y);
      cells.set(id, cell);
    }
    let whole = true;
    for (const [id, { left, right, top, bottom }] of cells) {
      for (let y = top; y <= bottom; y++) {
        for (let x = left; x <= right; x++) {
          const other = owner[y * width + x]!;
          if (other === id) continue;
          whole = false;
          for (let i = 0; i < owner.length; i++) if (owner[i] === other) owner[i] = id;
        }
      }
      // The other groups have changed.
      if (!whole) break;
    }
    if (!whole) continue;
    return [...cells.values()]
      .sort((a, b) => a.top - b.top || a.left - b.left)
      .map(({ left, right, top, bottom }) => ({
        row: top,
        column: left,
        rowSpan: bottom - top + 1,
        columnSpan: right - left + 1,
        words: [],
      }));
  }
}

/** Removes edges at which no cell starts: a short stroke that touches a table divides nothing. */
function withoutFalseEdges(cells: FoundCell[], rows: readonly number[], columns: readonly number[]): Grid {
  const kept = (edges: readonly number[], of: (cell: FoundCell) => number) => {
    const used = new Set(cells.map(of));
    const places = edges.slice(0, -1).map((_, i) => used.has(i));
    let next = -1;
    const now = [...places.map((is) => (is ? ++next : next)), next + 1];
    return {
      edges: edges.filter((_, i) => i === edges.length - 1 || places[i]),
      /** The new index of an old place. */
      now: (place: number) => itemAt(now, place),
    };
  };
  const down = kept(rows, ({ row }) => row);
  const across = kept(columns, ({ column }) => column);
  return {
    rows: down.edges,
    columns: across.edges,
    cells: cells.map((cell) => {
      const row = down.now(cell.row);
      const column = across.now(cell.column);
      return {
        ...cell,
        row,
        column,
        rowSpan: Math.max(1, down.now(cell.row + cell.rowSpan) - row),
        columnSpan: Math.max(1, across.now(cell.column + cell.columnSpan) - column),
      };
    }),
  };
}

function fill({ rows, columns, cells }: Grid, words: readonly PlacedWord[]): void {
  const at = new Map<string, FoundCell>();
  for (const cell of cells) {
    for (let y = cell.row; y < cell.row + cell.rowSpan; y++) {
      for (let x = cell.column; x < cell.column + cell.columnSpan; x++) at.set(`${y} ${x}`, cell);
    }
  }
  const placeOf = (edges: readonly number[], value: number) =>
    Math.min(edges.length - 2, Math.max(0, edges.findIndex((edge) => edge > value) - 1));
  for (const word of words) {
    required(
      at.get(`${placeOf(rows, middleOf(word.box))} ${placeOf(columns, centerOf(word.box))}`),
    ).words.push(word);
  }
  for (const cell of cells) cell.words = inReadingOrder(cell.words);
}

/** Whether a word lies within a table. */
export function holds(table: FoundTable, { box }: PlacedWord): boolean {
  const { left, right, top, bottom } = frameOf(table);
  return (
    centerOf(box) > left &&
    centerOf(box) < right &&
    bottomOf(box) - box.height / 2 > top &&
    middleOf(box) < bottom
  );
}
