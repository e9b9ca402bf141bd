/** Unruled tables: rows of words that leave the same columns free. */
import { firstOf, itemAt, lastOf, pairwise, required } from '../../checked.ts';
import type { Rule } from './rules.ts';
import { bodyBands, cellsOfBand, inColumns, type Level } from './table-bands.ts';
import {
  cellsOf,
  endOf,
  type Gutter,
  guttersOf,
  isAlong,
  leftOf,
  reachOf,
  type WordGroupRow,
  wordGroupsOf,
} from './table-columns.ts';
import { headBands, headLevels, partHeadings, spanDown } from './table-head.ts';
import {
  type FoundTable,
  headerRowsOf,
  isFigure,
  levelsOf,
  type PlacedWord,
  type Row,
  rightOf,
  textOf,
} from './table-parts.ts';

/** Rows further apart than this, by their height, are not of one table. */
const APART = 3.2;
/** Most consecutive rows of a table with a single cell. */
const SINGLES = 4;
/** Most rows that are examined together; a longer table is split. */
const MAX_ROWS = 500;
/** Words from which a cell may be a line of running text, and the least share of its column that such a line fills. */
const PROSE = { words: 3.5, width: 0.7 } as const;

/**
 * @param words of the dewarped page, without those of ruled tables and of running text
 * @param rules across the page, and down it
 * @param isSeparated whether other content stands between two heights of the page
 */
export function unruledTables(
  words: readonly PlacedWord[],
  rules: { across: readonly Rule[]; down: readonly Rule[] },
  isSeparated: (top: number, bottom: number) => boolean,
): FoundTable[] {
  const rows = levelsOf(words).map((row) => ({ ...row, wordGroups: wordGroupsOf(row, rules.down) }));
  return runsOf(rows, isSeparated).flatMap((run) => tablesIn(run, rules.across, 0));
}

/** Rows that may be of one table: those with several cells, and a few with one among them. */
function runsOf(
  rows: readonly WordGroupRow[],
  isSeparated: (top: number, bottom: number) => boolean,
): WordGroupRow[][] {
  const runs: WordGroupRow[][] = [];
  let run: WordGroupRow[] = [];
  let singles = 0;
  const close = () => {
    if (run.some(({ wordGroups }) => wordGroups.length > 1)) runs.push(run);
    run = [];
    singles = 0;
  };
  for (const row of rows) {
    const above = run.at(-1);
    if (above) {
      const apart = row.middle - above.middle > APART * Math.max(row.height, above.height);
      if (apart || isSeparated(above.middle, row.middle) || run.length >= MAX_ROWS) close();
    }
    singles = row.wordGroups.length > 1 ? 0 : singles + 1;
    run.push(row);
    if (singles > SINGLES) close();
  }
  close();
  return runs;
}

/** Two rows in columns are not enough evidence. */
const MIN_ROWS = 3;
/** How often a run is split in two to look for tables in its parts. */
const MAX_DEPTH = 6;

function tablesIn(run: readonly WordGroupRow[], across: readonly Rule[], depth: number): FoundTable[] {
  const rows = trimmed(run);
  if (rows.length < 2) return [];
  const whole = candidateIn(rows, across);
  const cut = depth < MAX_DEPTH ? bestCut(rows, across, whole?.score ?? 0) : undefined;
  if (cut !== undefined) {
    return [
      ...tablesIn(rows.slice(0, cut), across, depth + 1),
      ...tablesIn(rows.slice(cut), across, depth + 1),
    ];
  }
  const table = whole && tableOf(whole, across);
  return table && table.rows.length > MIN_ROWS ? [table] : [];
}

/** Most places where a run is split: at the widest row gaps, and around rows unlike their neighbors. */
const CUTS = 10;

function bestCut(rows: readonly WordGroupRow[], across: readonly Rule[], score: number): number | undefined {
  const places = pairwise(rows)
    .map(([above, row], i) => {
      const gap = (row.middle - above.middle) / Math.max(row.height, above.height);
      return { at: i + 1, unlike: gap + 0.7 * Math.abs(row.wordGroups.length - above.wordGroups.length) };
    })
    .sort((a, b) => b.unlike - a.unlike)
    .slice(0, CUTS);
  let best: { at: number; score: number } | undefined;
  for (const { at } of places) {
    const sum = scoreOf(rows.slice(0, at), across) + scoreOf(rows.slice(at), across);
    if (sum > (best?.score ?? 1.1 * score + 0.5)) best = { at, score: sum };
  }
  return best?.at;
}

function scoreOf(part: readonly WordGroupRow[], across: readonly Rule[]): number {
  const inner = trimmed(part);
  return inner.length > 1 ? (candidateIn(inner, across)?.score ?? 0) : 0;
}

/** Without the rows above and below that have a single cell. */
function trimmed(run: readonly WordGroupRow[]): readonly WordGroupRow[] {
  const first = run.findIndex(({ wordGroups }) => wordGroups.length > 1);
  const last = run.findLastIndex(({ wordGroups }) => wordGroups.length > 1);
  if (first < 0) return [];
  // The continuation of a last cell stands below it alone.
  const lowest = pairwise(run.slice(last));
  const others = lowest.findIndex(([above, below]) => !continues(itemAt(run, last), above, below));
  return run.slice(first, last + 1 + (others < 0 ? lowest.length : others));
}

/** Whether a row of a single cell continues the first cell of the last row with several, directly or below others that do. */
function continues({ wordGroups: [first, second] }: WordGroupRow, above: Row, below: WordGroupRow): boolean {
  const wordGroup = firstOf(below.wordGroups);
  const initial = firstOf(wordGroup.words).text.charAt(0);
  const near = below.middle - above.middle < 1.35 * above.height;
  return (
    near &&
    wordGroup.right < required(second).left &&
    Math.abs(wordGroup.left - required(first).left) < below.height &&
    initial !== initial.toUpperCase()
  );
}

/** Gutters between words of cells below one another. */
export function columnsWithin(cells: readonly (readonly PlacedWord[])[]): Gutter[] {
  const rows = cells
    .flatMap((words) => levelsOf(words))
    .map((row) => ({ ...row, wordGroups: wordGroupsOf(row, []) }));
  const several = rows.filter(({ wordGroups }) => wordGroups.length > 1).length;
  return several < 3 || several < 0.5 * rows.length ? [] : (candidateIn(rows, [])?.gutters.slice() ?? []);
}

interface Candidate {
  rows: readonly WordGroupRow[];
  gutters: readonly Gutter[];
  score: number;
}

/** The columns of the rows, and their score as a table: the more cells beside one another, the higher. */
function candidateIn(rows: readonly WordGroupRow[], across: readonly Rule[]): Candidate | undefined {
  const gutters = guttersOf(rows);
  if (gutters.length === 0) return undefined;
  const [left, right] = [Math.min(...rows.map(leftOf)), Math.max(...rows.map(endOf))];
  const separating = across.filter((rule) => !isAlong(rule, left, right));
  const cellRows = rows.map((row) => {
    const cells = cellsOf(row, gutters, separating);
    return { ...cells, filled: cells.columns.filter((words) => words.length > 0).length };
  });
  const several = cellRows.filter(({ filled }) => filled > 1).length;
  if (several < (gutters.length > 1 ? 2 : 3) || several < 0.5 * rows.length) return undefined;
  if (isRunningText(cellRows.map(({ columns }) => columns))) return undefined;
  let score = 0;
  for (const { filled, crossing } of cellRows) score += filled > 1 ? filled - 1 - 1.5 * crossing : -0.5;
  // Rules above and below frame it.
  if (
    across.some(
      (rule) => isAlong(rule, left, right) && rule.at > firstOf(rows).middle && rule.at < lastOf(rows).bottom,
    )
  ) {
    score += 0.5;
  }
  return { rows, gutters, score };
}

/** The start of a list item, or a line number. */
const MARK = /^(?:[•·▪◦‣●○■□–—*+>-]|\(?\p{Nd}{1,4}[.):]?|\(?\p{L}[.)])$/u;

/** Columns of running text, lists and numbered lines leave gutters free too, but are not tables. */
function isRunningText(rows: readonly (readonly PlacedWord[][])[]): boolean {
  const columns = firstOf(rows).map((_, column) =>
    rows.map((row) => itemAt(row, column)).filter((words) => words.length > 0),
  );
  const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const prose = columns.filter((cells) => {
    if (cells.length === 0) return false;
    const extents = cells.map((cell) => rightOf(lastOf(cell).box) - firstOf(cell).box.x);
    const widest = Math.max(...extents);
    return meanOf(cells.map((cell) => cell.length)) >= PROSE.words && meanOf(extents) >= PROSE.width * widest;
  });
  if (prose.length >= 2) return true;
  const [first, second, third] = columns;
  if (!first || !second || third) return false;
  const marks = first.filter((cell) => MARK.test(textOf(cell))).length;
  return marks >= 0.7 * first.length && !second.every((cell) => isFigure(textOf(cell)));
}

function tableOf({ rows, gutters }: Candidate, across: readonly Rule[]): FoundTable {
  const left = Math.min(...rows.map(leftOf));
  const right = Math.max(...rows.map(endOf));
  const columns = [left, ...gutters.map(({ from, to }) => (from + to) / 2), right];
  const levels = rows.map(
    (row): Level => ({
      row,
      cells: inColumns(row.wordGroups.map((wordGroup) => ({ ...wordGroup, ...reachOf(wordGroup, gutters) }))),
    }),
  );
  const separating = across.filter((rule) => rule.to > left && rule.from < right);
  const isRuled = (above: Level, below: Level) =>
    separating.filter(({ at }) => at > above.row.middle && at < below.row.middle);
  const head = headLevels(levels, isRuled, left, right);
  partHeadings(
    levels,
    head,
    columns,
    separating.filter((rule) => !isAlong(rule, left, right)),
  );
  const bands = [
    ...headBands(levels.slice(0, head), columns, isRuled),
    ...bodyBands(levels.slice(head), isRuled, left, right, columns),
  ];
  const cells = bands.flatMap((band, row) => cellsOfBand(band, row, columns.length - 1));
  const headerBands = headBands(levels.slice(0, head), columns, isRuled).length;
  spanDown(cells, headerBands, columns.length - 1);
  const edges = [
    firstOf(bands).top,
    ...pairwise(bands).map(([above, below]) => (above.bottom + below.top) / 2),
    lastOf(bands).bottom,
  ];
  return {
    rows: edges,
    columns,
    cells: cells.filter(({ rowSpan }) => rowSpan > 0),
    headerRows: Math.max(headerBands, headerBands > 0 ? 0 : headerRowsOf(cells, bands.length)),
    drawn: false,
  };
}
