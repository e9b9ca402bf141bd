/** Tables without a grid around their cells: rows of words that leave the same columns free. */
import { median } from '../page/geometry.ts';
import type { Rule } from './rules.ts';
import {
  centreOf,
  type FoundCell,
  type FoundTable,
  headerRowsOf,
  inReadingOrder,
  isFigure,
  levelsOf,
  type PlacedWord,
  type Row,
  rightOf,
  textOf,
} from './table-parts.ts';

/** Between two cells of a row at least this much is free, by the height of its words. Words of a line stand closer. */
const GAP = 0.75;
/** Columns may come closer to one another in rows that are apart, but not closer than this. */
const GUTTER = 0.3;
/** Rows further apart than this, by their height, are not of one table. */
const APART = 3.2;
/** Rows of a table with one cell alone that may follow one another. */
const SINGLES = 4;
/** Rows that are looked at together; a table that is longer falls into several. */
const MOST_ROWS = 500;
/** From how many words on a cell may be a line of running text, and how much of its column such a line takes. */
const PROSE = { words: 3.5, width: 0.7 } as const;

/** Words of a row that stand as close as words of a line do. */
interface Chunk {
  words: PlacedWord[];
  left: number;
  right: number;
}

interface ChunkRow extends Row {
  chunks: Chunk[];
}

interface Gutter {
  from: number;
  to: number;
}

/**
 * @param words of the flat page, without those of drawn tables and of running text
 * @param rules across the page, and down it
 * @param isParted whether something else stands between two heights of the page
 */
export function openTables(
  words: readonly PlacedWord[],
  rules: { across: readonly Rule[]; down: readonly Rule[] },
  isParted: (top: number, bottom: number) => boolean,
): FoundTable[] {
  const rows = levelsOf(words).map((row) => ({ ...row, chunks: chunksOf(row, rules.down) }));
  return runsOf(rows, isParted).flatMap((run) => tablesIn(run, rules.across, 0));
}

function chunksOf(row: Row, down: readonly Rule[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (const word of row.words) {
    const last = chunks.at(-1);
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
      chunks.push({ words: [word], left: word.box.x, right: rightOf(word.box) });
    }
  }
  return chunks;
}

/** Rows that may be of one table: those with several cells, and a few with one among them. */
function runsOf(rows: readonly ChunkRow[], isParted: (top: number, bottom: number) => boolean): ChunkRow[][] {
  const runs: ChunkRow[][] = [];
  let run: ChunkRow[] = [];
  let singles = 0;
  const close = () => {
    if (run.some(({ chunks }) => chunks.length > 1)) runs.push(run);
    run = [];
    singles = 0;
  };
  for (const row of rows) {
    const above = run.at(-1);
    if (above) {
      const apart = row.middle - above.middle > APART * Math.max(row.height, above.height);
      if (apart || isParted(above.middle, row.middle) || run.length >= MOST_ROWS) close();
    }
    singles = row.chunks.length > 1 ? 0 : singles + 1;
    run.push(row);
    if (singles > SINGLES) close();
  }
  close();
  return runs;
}

/** Two rows that stand in columns may be anything. */
const LEAST_ROWS = 3;
/** How often a run is cut in two to look for tables in its parts. */
const DEEPEST = 6;

function tablesIn(run: readonly ChunkRow[], across: readonly Rule[], depth: number): FoundTable[] {
  const rows = trimmed(run);
  if (rows.length < 2) return [];
  const whole = standingIn(rows, across);
  const cut = depth < DEEPEST ? bestCut(rows, across, whole?.worth ?? 0) : undefined;
  if (cut !== undefined) {
    return [
      ...tablesIn(rows.slice(0, cut), across, depth + 1),
      ...tablesIn(rows.slice(cut), across, depth + 1),
    ];
  }
  const table = whole && tableOf(whole, across);
  return table && table.rows.length > LEAST_ROWS ? [table] : [];
}

/** Places that a run is cut at, at most: where rows lie furthest apart, and around those that look unlike their neighbours. */
const CUTS = 10;

function bestCut(rows: readonly ChunkRow[], across: readonly Rule[], worth: number): number | undefined {
  const places = rows
    .slice(1)
    .map((row, i) => {
      const above = rows[i]!;
      const gap = (row.middle - above.middle) / Math.max(row.height, above.height);
      return { at: i + 1, unlike: gap + 0.7 * Math.abs(row.chunks.length - above.chunks.length) };
    })
    .sort((a, b) => b.unlike - a.unlike)
    .slice(0, CUTS);
  let best: { at: number; worth: number } | undefined;
  for (const { at } of places) {
    const parts = [rows.slice(0, at), rows.slice(at)].map((part) => {
      const inner = trimmed(part);
      return inner.length > 1 ? (standingIn(inner, across)?.worth ?? 0) : 0;
    });
    const sum = parts[0]! + parts[1]!;
    if (sum > (best?.worth ?? 1.1 * worth + 0.5)) best = { at, worth: sum };
  }
  return best?.at;
}

/** Without the rows above and below that have one cell alone. */
function trimmed(run: readonly ChunkRow[]): readonly ChunkRow[] {
  const first = run.findIndex(({ chunks }) => chunks.length > 1);
  const last = run.findLastIndex(({ chunks }) => chunks.length > 1);
  if (first < 0) return [];
  // What a last cell goes on with stands below it alone.
  let end = last;
  while (end + 1 < run.length && goesOn(run, end, last)) end++;
  return run.slice(first, end + 1);
}

/** Whether the next row, of one cell alone, is more of the first cell of the row above it. */
function goesOn(run: readonly ChunkRow[], at: number, last: number): boolean {
  const [above, below] = [run[at]!, run[at + 1]!];
  const [host, chunk] = [run[last]!.chunks, below.chunks[0]!];
  const [first, second] = host;
  const near = below.middle - above.middle < 1.35 * above.height;
  return (
    near &&
    chunk.right < second!.left &&
    Math.abs(chunk.left - first!.left) < below.height &&
    chunk.words[0]!.text.charAt(0) !== chunk.words[0]!.text.charAt(0).toUpperCase()
  );
}

/** Gutters between words of cells that stand one below the other. */
export function columnsWithin(cells: readonly (readonly PlacedWord[])[]): Gutter[] {
  const rows = cells
    .flatMap((words) => levelsOf(words))
    .map((row) => ({ ...row, chunks: chunksOf(row, []) }));
  const several = rows.filter(({ chunks }) => chunks.length > 1).length;
  return several < 3 || several < 0.5 * rows.length ? [] : (standingIn(rows, [])?.gutters.slice() ?? []);
}

interface Standing {
  rows: readonly ChunkRow[];
  gutters: readonly Gutter[];
  worth: number;
}

/** The columns that rows stand in, and what they are worth as a table: the more cells beside one another, the better. */
function standingIn(rows: readonly ChunkRow[], across: readonly Rule[]): Standing | undefined {
  const gutters = guttersOf(rows);
  if (gutters.length === 0) return undefined;
  const standing = rows.map((row) => cellsOf(row, gutters));
  const filled = standing.map((cells) => cells.columns.filter((words) => words.length > 0).length);
  const several = filled.filter((count) => count > 1).length;
  if (several < (gutters.length > 1 ? 2 : 3) || several < 0.5 * rows.length) return undefined;
  if (isOther(standing.map(({ columns }) => columns))) return undefined;
  let worth = 0;
  for (const [i, count] of filled.entries()) {
    worth += count > 1 ? count - 1 - 1.5 * standing[i]!.crossing : -0.5;
  }
  // Rules above and below frame it.
  const [left, right] = [Math.min(...rows.map(leftOf)), Math.max(...rows.map(endOf))];
  if (
    across.some(
      (rule) => isAlong(rule, left, right) && rule.at > rows[0]!.middle && rule.at < rows.at(-1)!.bottom,
    )
  ) {
    worth += 0.5;
  }
  return { rows, gutters, worth };
}

const leftOf = ({ chunks }: ChunkRow) => chunks[0]!.left;
const endOf = ({ chunks }: ChunkRow) => chunks.at(-1)!.right;
const isAlong = ({ from, to }: Rule, left: number, right: number) =>
  Math.min(to, right) - Math.max(from, left) > 0.6 * (right - left);

/**
 * Stretches that no row reaches into but those that span columns: headings over several of them, titles of sections.
 */
function guttersOf(rows: readonly ChunkRow[]): Gutter[] {
  const height = median(rows.map((row) => row.height));
  const several = rows.filter(({ chunks }) => chunks.length > 1);
  const all = several.flatMap(({ chunks }) => chunks);
  const few = several.length >= 4 ? Math.max(1, Math.floor(0.12 * several.length)) : 0;
  const likely = freeOf(all, few).filter(({ from, to }) => to - from >= GUTTER * height);
  // What crosses one of them crosses it wholly, and belongs to no column.
  const spans = (chunk: Chunk) =>
    likely.some(({ from, to }) => chunk.left < from + 0.1 * height && chunk.right > to - 0.1 * height);
  const within = all.filter((chunk) => !spans(chunk));
  const free = freeOf(within, 0).filter(({ from, to }) => to - from >= GUTTER * height);
  const wide = free.filter((gutter) => {
    const crossed = all.filter(({ left, right }) => left < gutter.from && right > gutter.to).length;
    const beside = several.filter(
      ({ chunks }) =>
        chunks.some(({ right }) => right <= gutter.from) && chunks.some(({ left }) => left >= gutter.to),
    ).length;
    const isWide = gutter.to - gutter.from >= 0.6 * height;
    return beside >= 2 && crossed <= 0.34 * several.length && (isWide || beside >= 4);
  });
  // Lines that begin further in than others stand below a gutter, but never beside one.
  const filled = several.map((row) => cellsOf(row, wide).columns.map((words) => words.length > 0));
  return wide.filter((_, i) => filled.some((cells) => cells[i] && cells[i + 1]));
}

/** Stretches between the outermost chunks that at most `few` of them reach into. */
function freeOf(chunks: readonly Chunk[], few: number): Gutter[] {
  const edges = chunks
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

/** A row's words by column, and how many of its chunks reach across a gutter. */
function cellsOf({ chunks }: ChunkRow, gutters: readonly Gutter[]) {
  const columns: PlacedWord[][] = [[], ...gutters.map(() => [])];
  let crossing = 0;
  for (const chunk of chunks) {
    const { first, last } = reachOf(chunk, gutters);
    if (last > first) crossing++;
    columns[first]!.push(...chunk.words);
  }
  return { columns, crossing };
}

/** The first and the last column that a chunk lies in. */
function reachOf({ left, right }: { left: number; right: number }, gutters: readonly Gutter[]) {
  const first = gutters.filter(({ from, to }) => (from + to) / 2 < left + 0.01).length;
  const last = gutters.filter(({ from, to }) => (from + to) / 2 < right - 0.01).length;
  return { first: Math.min(first, last), last };
}

/** What opens an item of a list, or the number of a line. */
const MARK = /^(?:[•·▪◦‣●○■□–—*+>-]|\(?\p{Nd}{1,4}[.):]?|\(?\p{L}[.)])$/u;

/** Columns of running text, lists and numbered lines leave gutters free too, but are no tables. */
function isOther(rows: readonly (readonly PlacedWord[][])[]): boolean {
  const columns = rows[0]!.map((_, column) =>
    rows.map((row) => row[column]!).filter((words) => words.length > 0),
  );
  const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const prose = columns.filter((cells) => {
    if (cells.length === 0) return false;
    const extents = cells.map((cell) => rightOf(cell.at(-1)!.box) - cell[0]!.box.x);
    const widest = Math.max(...extents);
    return meanOf(cells.map((cell) => cell.length)) >= PROSE.words && meanOf(extents) >= PROSE.width * widest;
  });
  if (prose.length >= 2) return true;
  const [first] = columns;
  const marks = first!.filter((cell) => MARK.test(textOf(cell))).length;
  return (
    columns.length === 2 &&
    marks >= 0.7 * first!.length &&
    !columns[1]!.every((cell) => isFigure(textOf(cell)))
  );
}

/** A line of a table, its words by the columns that they stand in. */
interface Level {
  row: ChunkRow;
  cells: { first: number; last: number; words: PlacedWord[]; left: number; right: number }[];
}

function tableOf({ rows, gutters }: Standing, across: readonly Rule[]): FoundTable {
  const left = Math.min(...rows.map(leftOf));
  const right = Math.max(...rows.map(endOf));
  const columns = [left, ...gutters.map(({ from, to }) => (from + to) / 2), right];
  const levels = rows.map(
    (row): Level => ({
      row,
      cells: inColumns(row.chunks.map((chunk) => ({ ...chunk, ...reachOf(chunk, gutters) }))),
    }),
  );
  const parting = across.filter((rule) => rule.to > left && rule.from < right);
  const isRuled = (above: Level, below: Level) =>
    parting.filter(({ at }) => at > above.row.middle && at < below.row.middle);
  const head = headLevels(levels, isRuled, left, right);
  const lowest = levels[head - 1];
  if (lowest) lowest.cells = lowest.cells.flatMap((cell) => partedOver(cell, levels.slice(head), columns));
  const bands = [
    ...headBands(levels.slice(0, head), columns, isRuled),
    ...bodyBands(levels.slice(head), isRuled, left, right, columns),
  ];
  const cells = bands.flatMap((band, row) => cellsOfBand(band, row, columns.length - 1));
  const headerBands = headBands(levels.slice(0, head), columns, isRuled).length;
  spanDown(cells, headerBands, columns.length - 1);
  const edges = [
    bands[0]!.top,
    ...bands.slice(1).map((band, i) => (bands[i]!.bottom + band.top) / 2),
    bands.at(-1)!.bottom,
  ];
  return {
    rows: edges,
    columns,
    cells: cells.filter(({ rowSpan }) => rowSpan > 0),
    headerRows: Math.max(headerBands, headerBands > 0 ? 0 : headerRowsOf(cells, bands.length)),
    drawn: false,
  };
}

/** Chunks of a row that begin in the same column are one cell. */
function inColumns(chunks: Level['cells']): Level['cells'] {
  const cells: Level['cells'] = [];
  for (const chunk of chunks) {
    const before = cells.at(-1);
    if (before && before.last >= chunk.first) {
      before.words = [...before.words, ...chunk.words];
      before.last = Math.max(before.last, chunk.last);
      before.right = Math.max(before.right, chunk.right);
    } else {
      cells.push({ ...chunk });
    }
  }
  return cells;
}

/** How far a heading may be off the edge or the middle of what it heads, by the height of its words. */
const OFF = 0.5;

/**
 * Headings so close to one another that they seemed one over several columns: each stands over its own, flush with it or
 * in its middle.
 */
function partedOver(
  cell: Level['cells'][number],
  body: readonly Level[],
  columns: readonly number[],
): Level['cells'] {
  if (cell.last === cell.first) return [cell];
  const parts = Array.from({ length: cell.last - cell.first + 1 }, (_, i) => {
    const [from, to] = [columns[cell.first + i]!, columns[cell.first + i + 1]!];
    const words = cell.words.filter(({ box }) => centreOf(box) > from && centreOf(box) <= to);
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
    const [from, to] = [
      Math.min(...below.map((one) => one.left)),
      Math.max(...below.map((one) => one.right)),
    ];
    const off = Math.min(Math.abs(left - from), Math.abs(right - to), Math.abs(left + right - from - to) / 2);
    return off < OFF * words[0]!.box.height;
  };
  return parts.every(isOver) ? parts : [cell];
}

type Ruled = (above: Level, below: Level) => readonly Rule[];

/** Lines that say what the columns hold: those above the first with figures; at a rule from side to side where one is near. */
function headLevels(levels: readonly Level[], isRuled: Ruled, left: number, right: number): number {
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
  // A title of the section that begins with the figures belongs to them.
  while (head > 0 && levels[head - 1]!.cells.length === 1 && levels[head - 1]!.cells[0]!.first === 0) {
    if (head === 1) break;
    head--;
  }
  return head;
}

const YEAR = /^(?:19|20)\d\d$/;

/** Lines that are one row of the table. */
interface Band {
  levels: Level[];
  top: number;
  bottom: number;
  /** Rules below it, which say what headings stretch over. */
  rules: readonly Rule[];
}

const bandOf = (levels: Level[], rules: readonly Rule[] = []): Band => ({
  levels,
  rules,
  top: Math.min(...levels.map(({ row }) => row.top)),
  bottom: Math.max(...levels.map(({ row }) => row.bottom)),
});

/** Headings of several lines are one row, but where one stretches over columns or is parted from those below it. */
function headBands(levels: readonly Level[], columns: readonly number[], isRuled: Ruled): Band[] {
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

/** Headings over several columns reach as far as the rule below them, or to where they stand in the middle of what is below. */
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
      const centre = (cell.left + cell.right) / 2;
      const offOf = (first: number, last: number) =>
        Math.abs((columns[first]! + columns[last + 1]!) / 2 - centre);
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

/** Rows as rules part them where most are parted so; else lines, with those that go on with a cell of the one above. */
function bodyBands(
  levels: readonly Level[],
  isRuled: Ruled,
  left: number,
  right: number,
  columns: readonly number[],
): Band[] {
  if (levels.length === 0) return [];
  const parted = levels
    .slice(1)
    .map((level, i) => isRuled(levels[i]!, level).some((rule) => isAlong(rule, left, right)));
  const rules = parted.filter(Boolean).length;
  const groups: Level[][] = [[levels[0]!]];
  const byRules = rules >= 3 && rules >= 0.3 * parted.length;
  const pitch = median(levels.slice(1).map((level, i) => level.row.middle - levels[i]!.row.middle)) || 0;
  for (const [i, level] of levels.slice(1).entries()) {
    const group = groups.at(-1)!;
    const isNew = byRules
      ? parted[i]! || isFull(group, level)
      : parted[i]! || !isMore(group, level, pitch, columns);
    if (isNew) groups.push([level]);
    else group.push(level);
  }
  return groups.map((group) => bandOf(group));
}

/** Whether a line has something in as many columns as the lines above it. */
const isFull = (group: readonly Level[], { cells }: Level) =>
  cells.length > 1 &&
  cells.length >= Math.max(...group.map((one) => one.cells.length)) &&
  cells.some(({ first, words }) => first > 0 && isFigure(textOf(words)));

/** Whether a line goes on with cells of the row above: each of them was so full that the next word did not fit in. */
function isMore(group: readonly Level[], level: Level, pitch: number, columns: readonly number[]): boolean {
  const above = group.at(-1)!;
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

/** The first line of a row whose figures stand beside its last. */
function isCutOff(above: Level, level: Level, columns: readonly number[]): boolean {
  const [before, cell] = [above.cells[0]!, level.cells[0]!];
  return before.first === 0 && before.last === 0 && cell.first === 0 && isWrapped(before, cell, columns);
}

function isWrapped(
  before: Level['cells'][number],
  cell: Level['cells'][number],
  columns: readonly number[],
): boolean {
  if (before.last > before.first) return false;
  const opening = cell.words[0]!;
  const lower = /^\P{L}*\p{Ll}/u.test(opening.text);
  const room = columns[before.first + 1]! - before.right;
  const space = 0.3 * opening.box.height;
  return room < opening.box.width + (lower ? 4 : 1) * space || (lower && !isFigure(textOf(before.words)));
}

function cellsOfBand({ levels }: Band, row: number, width: number): FoundCell[] {
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

/** Of headings in several rows, one that stands alone in its column stands in all of them. */
function spanDown(cells: FoundCell[], rows: number, width: number): void {
  if (rows < 2) return;
  for (let x = 0; x < width; x++) {
    const own = cells.filter(
      ({ row, column, columnSpan }) => row < rows && column <= x && x < column + columnSpan,
    );
    const full = own.filter(({ words }) => words.length > 0);
    const [only] = full;
    if (full.length !== 1 || only!.columnSpan > 1 || own.some(({ columnSpan }) => columnSpan > 1)) continue;
    for (const cell of own) if (cell !== only) cell.rowSpan = 0;
    only!.row = 0;
    only!.rowSpan = rows;
  }
}
