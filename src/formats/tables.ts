import type { Box } from '#contract/extraction';
import { runsLeftwards, type Transcript, type TranscriptWord } from './transcript.ts';
import { boundsOf, toUpright } from './upright.ts';

/** A cell with something in it. */
export interface TableCell {
  text: string;
  /** Counted from 0, as rows and columns are in `Table.rows`: where it begins. */
  row: number;
  column: number;
  /** Rows and columns that it takes up, at least one of each. */
  rowSpan: number;
  columnSpan: number;
  /** In pixels of the picture as a person sees it. */
  box: Box;
  /** The transcript's own, in the order of reading; one that was added is among them. */
  words: readonly TranscriptWord[];
}

export interface Table {
  /**
   * Cells from left to right, or from right to left in a table that runs so; each row has as many, empty ones included. What
   * takes up several places stands in the first of them, and the others are empty.
   */
  rows: readonly (readonly string[])[];
  /** Row by row; places without text have none. */
  cells: readonly TableCell[];
  /** Rows at its top that say what the columns hold; 0 where there are none. */
  headerRows: number;
  /** In pixels of the picture as a person sees it. */
  box: Box;
  /** 0 to 100: the share of its cells that are expected to be right. */
  confidence: number;
}

/** A word on the upright page, level. Mirrored where the page runs from right to left. */
interface Placed {
  /** With what was added beside it; the first of them that has a place is what `left` and the others are about. */
  words: TranscriptWord[];
  left: number;
  right: number;
  /** The middle of its height. */
  middle: number;
  height: number;
}

interface Row {
  words: Placed[];
  middle: number;
  height: number;
}

/** A stretch that no word of several rows reaches into. */
interface Gutter {
  from: number;
  to: number;
}

/** Rows of a page that are looked at; a picture that holds more is no table anybody could check. */
const MOST_ROWS = 400;
/** Between columns at least this much is free, by a word's height. Words of a line stand closer. */
const GUTTER = 0.75;
/** Rows further apart than this, by their height, are not of one table. */
const APART = 3.2;

/**
 * The tables of a page, as far as the places of its words show them beyond doubt: three rows or more (two, where there are three
 * columns) whose words leave the same gutters free. Columns of running text are none.
 */
export function findTables(transcript: Transcript): Table[] {
  const rows = rowsOf(transcript).slice(0, MOST_ROWS);
  const found: { first: number; table: Table }[] = [];
  const look = (from: number, to: number) => {
    const best = bestStretch(rows, from, to);
    if (!best) return;
    const { first, last, gutters } = best;
    const inside = rows.slice(first, last + 1).map((row) => cellsOf(row, gutters));
    if (isTable(inside, gutters)) found.push({ first, table: tableOf(inside) });
    look(from, first - 1);
    look(last + 1, to);
  };
  look(0, rows.length - 1);
  return found.sort((one, other) => one.first - other.first).map(({ table }) => table);
}

/** Words that stand on one level, from the top to the bottom. */
function rowsOf(transcript: Transcript): Row[] {
  const { paragraphs, picture, text } = transcript;
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap((line) => withAdded(line.words)));
  const boxes = words.map((held) => ({
    words: held,
    box: toUpright(held.find(({ placed }) => placed)!.box, picture),
  }));
  const slope = slopeOf(transcript);
  const mirrored = runsLeftwards(text);
  const placed = boxes
    .map(({ words: held, box }): Placed => {
      const centre = box.x + box.width / 2;
      const [left, right] = mirrored ? [-box.x - box.width, -box.x] : [box.x, box.x + box.width];
      return {
        words: held,
        left,
        right,
        middle: box.y + box.height / 2 - slope * centre,
        height: box.height,
      };
    })
    .sort((one, other) => one.middle - other.middle);
  const rows: Row[] = [];
  for (const word of placed) {
    const row = rows.at(-1);
    if (row && word.middle - row.middle < 0.5 * Math.min(row.height, word.height)) {
      row.words.push(word);
      row.middle += (word.middle - row.middle) / row.words.length;
    } else {
      rows.push({ words: [word], middle: word.middle, height: word.height });
    }
  }
  for (const row of rows) row.words.sort((one, other) => one.left - other.left);
  return rows;
}

/** A line's words that have a place; one that was added stands with the word before it, or else with the one behind it. */
function withAdded(words: readonly TranscriptWord[]): TranscriptWord[][] {
  const held: TranscriptWord[][] = [];
  let ahead: TranscriptWord[] = [];
  for (const word of words) {
    if (word.placed) {
      held.push([...ahead, word]);
      ahead = [];
    } else {
      (held.at(-1) ?? ahead).push(word);
    }
  }
  return held;
}

/** By how much lines sink from left to right: the middle of what neighbours on a line say. */
function slopeOf({ paragraphs, picture }: Transcript): number {
  const slopes = paragraphs
    .flatMap(({ lines }) => lines)
    .flatMap(({ words }) => {
      const boxes = words.filter(({ placed }) => placed).map(({ box }) => toUpright(box, picture));
      return boxes.slice(1).flatMap((box, index) => {
        const before = boxes[index]!;
        const dx = box.x + box.width / 2 - before.x - before.width / 2;
        const dy = box.y + box.height / 2 - before.y - before.height / 2;
        return Math.abs(dx) > box.height && Math.abs(dy) < 0.3 * Math.abs(dx) ? [dy / dx] : [];
      });
    })
    .sort((one, other) => one - other);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}

interface Stretch {
  first: number;
  last: number;
  gutters: readonly Gutter[];
}

/** The rows that yield most as a table: the more cells beside one another, the better. */
function bestStretch(rows: readonly Row[], from: number, to: number): Stretch | null {
  let best: (Stretch & { worth: number }) | null = null;
  for (let first = from; first <= to; first += 1) {
    if (gapsOf(rows[first]!).length === 0) continue;
    let open: readonly Gutter[] | null = null;
    for (let last = first; last <= to; last += 1) {
      if (last > first && isApart(rows[last - 1]!, rows[last]!)) break;
      open = open ? within(open, freeOf(rows[last]!)) : freeOf(rows[last]!);
      const stretch = rows.slice(first, last + 1);
      const gutters = guttersOf(open, stretch);
      if (gutters.length === 0) break;
      const filled = stretch.map((row) => cellsOf(row, gutters).filter((cell) => cell.length > 0).length);
      if (filled.at(-1)! < 2) continue;
      const worth = filled.reduce((sum, cells) => sum + (cells > 1 ? cells - 1 : -0.5), 0);
      if (!best || worth > best.worth) best = { first, last, gutters, worth };
    }
  }
  return best;
}

const isApart = (above: Row, below: Row) =>
  below.middle - above.middle > APART * Math.max(above.height, below.height);

/** The wide spaces within a row. */
function gapsOf({ words, height }: Row): Gutter[] {
  return words.slice(1).flatMap((word, index) => {
    const from = Math.max(...words.slice(0, index + 1).map(({ right }) => right));
    return word.left - from >= GUTTER * height ? [{ from, to: word.left }] : [];
  });
}

/** What a row leaves free: its wide spaces, and all that lies outside of it. */
function freeOf(row: Row): Gutter[] {
  const end = Math.max(...row.words.map(({ right }) => right));
  return [
    { from: Number.NEGATIVE_INFINITY, to: row.words[0]!.left },
    ...gapsOf(row),
    { from: end, to: Number.POSITIVE_INFINITY },
  ];
}

/** What is free in both. */
function within(some: readonly Gutter[], others: readonly Gutter[]): Gutter[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
      return to > from ? [{ from, to }] : [];
    }),
  );
}

/** Free stretches, wide enough, with words on both sides. */
function guttersOf(free: readonly Gutter[], rows: readonly Row[]): Gutter[] {
  const words = rows.flatMap((row) => row.words);
  const left = Math.min(...words.map((word) => word.left));
  const right = Math.max(...words.map((word) => word.right));
  const height = rows.map((row) => row.height).sort((one, other) => one - other)[
    Math.floor(rows.length / 2)
  ]!;
  return free.filter(({ from, to }) => from >= left && to <= right && to - from >= GUTTER * height);
}

function cellsOf({ words }: Row, gutters: readonly Gutter[]): Placed[][] {
  const cells: Placed[][] = [[], ...gutters.map(() => [])];
  for (const word of words) {
    const centre = (word.left + word.right) / 2;
    cells[gutters.filter(({ from, to }) => (from + to) / 2 < centre).length]!.push(word);
  }
  return cells;
}

/** From how many words on a cell may be a line of running text, and how much of its column such a line takes. */
const PROSE_WORDS = 3.5;
const PROSE_WIDTH = 0.7;

function isTable(rows: readonly Placed[][][], gutters: readonly Gutter[]): boolean {
  const full = rows.filter((row) => row.filter((cell) => cell.length > 0).length > 1).length;
  if (full < (gutters.length > 1 ? 2 : 3) || full < 0.6 * rows.length) return false;
  // Two columns of text beside one another have gutters too: their cells are lines, and nearly all of them are full.
  const prose = (rows[0] ?? []).filter((_, column) => {
    const cells = rows.map((row) => row[column]!).filter((cell) => cell.length > 0);
    const extents = cells.map((cell) => Math.max(...cell.map(({ right }) => right)) - cell[0]!.left);
    const widest = Math.max(...extents);
    const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return meanOf(cells.map((cell) => cell.length)) >= PROSE_WORDS && meanOf(extents) >= PROSE_WIDTH * widest;
  });
  return prose.length < 2;
}

function tableOf(rows: readonly Placed[][][]): Table {
  const cells = rows.flatMap((row, y) =>
    row.flatMap((cell, x): TableCell[] => {
      const words = cell.flatMap((placed) => placed.words);
      if (words.length === 0) return [];
      const box = boundsOf(words.map((word) => word.box))!;
      return [{ text: textOf(words), row: y, column: x, rowSpan: 1, columnSpan: 1, box, words }];
    }),
  );
  const places = rows.length * rows[0]!.length;
  return {
    rows: rows.map((row) => row.map((cell) => textOf(cell.flatMap(({ words }) => words)))),
    cells,
    headerRows: isHeader(cells) ? 1 : 0,
    box: boundsOf(cells.map(({ box }) => box))!,
    // What leaves many places free may as well be something else that stands in columns.
    confidence: Math.round(50 + (40 * cells.length) / places),
  };
}

/** The first row says what the columns hold where it has no figures and those below it have. */
function isHeader(cells: readonly TableCell[]): boolean {
  const figured = ({ text }: TableCell) => /\p{Nd}/u.test(text);
  return (
    !cells.some((cell) => cell.row === 0 && figured(cell)) &&
    cells.some((cell) => cell.row > 0 && figured(cell))
  );
}

const textOf = (words: readonly TranscriptWord[]) =>
  words.map(({ text, spaced }, index) => (spaced && index < words.length - 1 ? `${text} ` : text)).join('');
