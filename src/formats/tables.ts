import type { Box, LayoutTable } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { itemAt, required } from './checked.ts';
import type { Transcript, TranscriptWord } from './transcript.ts';

/** A cell with content. */
export interface TableCell {
  text: string;
  /** Its first row and column, counted from 0, as in `Table.rows`. */
  row: number;
  column: number;
  /** Span in rows and columns, at least one each. */
  rowSpan: number;
  columnSpan: number;
  /** In pixels of the picture after its EXIF orientation: around the cell, not the words in it. */
  box: Box;
  /** The transcript's own, in reading order, including added words. */
  words: readonly TranscriptWord[];
}

export interface Table {
  /**
   * Cells from left to right, or from right to left in a right-to-left table; each row has as many, empty ones included. A
   * cell over several places stands in the first of them, and the others are empty.
   */
  rows: readonly (readonly string[])[];
  /** Row by row, without empty places. */
  cells: readonly TableCell[];
  /** Rows at its top with column titles; 0 where there are none. */
  headerRows: number;
  /** In pixels of the picture after its EXIF orientation. */
  box: Box;
  /** 0 to 100: the expected share of cells that were read right. */
  confidence: number;
  /** The table of the layout that this is, and which row of it each row is; absent in a table from elsewhere. */
  source?: { table: LayoutTable; rows: readonly number[] };
}

/** The tables that the engine found on the page, with the current words in their cells. */
export function findTables(transcript: Transcript): Table[] {
  const { tables } = transcript.layout;
  if (tables.length === 0) return [];
  const held = wordsByCell(transcript, tables);
  return tables.flatMap((table) => tableOf(table, held) ?? []);
}

type Cell = LayoutTable['cells'][number];

function wordsByCell(
  { paragraphs }: Transcript,
  tables: readonly LayoutTable[],
): Map<Cell, TranscriptWord[]> {
  const cells = new Map<string, Cell>();
  for (const cell of tables.flatMap((table) => table.cells)) {
    for (const { line, from, to } of cell.words) {
      for (let word = from; word < to; word += 1) cells.set(`${line} ${word}`, cell);
    }
  }
  const held = new Map<Cell, TranscriptWord[]>();
  const put = (cell: Cell, words: readonly TranscriptWord[]) =>
    held.set(cell, [...(held.get(cell) ?? []), ...words]);
  for (const { words } of paragraphs.flatMap(({ lines }) => lines)) {
    // Added text belongs to the word before it, or else to the one after it.
    let ahead: TranscriptWord[] = [];
    let last: Cell | undefined;
    for (const word of words) {
      if (!word.placed) {
        if (last) put(last, [word]);
        else ahead.push(word);
        continue;
      }
      last = word.source
        ? cells.get(`${word.source.line} ${word.source.word}`)
        : cellAround(word.box, tables);
      if (last) put(last, [...ahead, word]);
      ahead = [];
    }
  }
  return held;
}

/** The cell of a word that was hidden when the table was found: the one with the nearest middle. */
function cellAround(box: Box, tables: readonly LayoutTable[]): Cell | undefined {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const around = (one: Box) => x > one.x && x < one.x + one.width && y > one.y && y < one.y + one.height;
  const apart = ({ box: one }: Cell) => Math.hypot(one.x + one.width / 2 - x, one.y + one.height / 2 - y);
  return tables
    .filter((table) => around(table.box))
    .flatMap(({ cells }) => cells.filter((cell) => around(cell.box)))
    .sort((one, other) => apart(one) - apart(other))[0];
}

/** Undefined where no text of it is left. Rows that a user emptied are dropped. */
function tableOf(table: LayoutTable, held: ReadonlyMap<Cell, readonly TranscriptWord[]>): Table | undefined {
  const full = table.cells.filter((cell) => held.has(cell));
  if (full.length === 0) return undefined;
  const wasFull = new Set(table.cells.flatMap(({ row, words }) => (words.length > 0 ? [row] : [])));
  const isFull = new Set(full.map(({ row }) => row));
  const kept = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => isFull.has(row) || !wasFull.has(row),
  );
  const rowsUpTo = (row: number) => kept.filter((one) => one < row).length;
  const cells = full.map((cell): TableCell => {
    const words = required(held.get(cell));
    const { column, columnSpan, box } = cell;
    const row = rowsUpTo(cell.row);
    const rowSpan = rowsUpTo(cell.row + cell.rowSpan) - row;
    return { text: textOf(words), row, column, rowSpan, columnSpan, box, words };
  });
  const rows = kept.map(() => new Array<string>(table.columns).fill(''));
  for (const { row, column, text } of cells) itemAt(rows, row)[column] = text;
  return {
    rows,
    cells,
    headerRows: rowsUpTo(table.headerRows),
    box: required(boundsOf([table.box, ...cells.map(({ box }) => box)])),
    confidence: table.confidence,
    source: { table, rows: kept },
  };
}

/** Words on one line, with hyphenated words rejoined. */
export const textOf = (words: readonly TranscriptWord[]) =>
  words
    .map(({ text, spaced, broken }, index) => {
      if (index === words.length - 1) return text;
      return broken ? text.slice(0, -1) : `${text}${spaced ? ' ' : ''}`;
    })
    .join('');

/** The most decimals that a number may have. */
export const MAX_DECIMALS = 6;

/**
 * Decimals of a cell's number; null for text that is not clearly a number: 007, 1-2, more digits than a spreadsheet keeps,
 * and three decimals, which may be thousands.
 */
export function decimalsOf(text: string): number | null {
  const number = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  if (!number || text.replaceAll(/\D/g, '').length > 15) return null;
  const decimals = number[1]?.length ?? 0;
  return decimals === 3 || decimals > MAX_DECIMALS ? null : decimals;
}

/** A spreadsheet's format for numbers with this many decimals. */
export const numberFormat = (decimals: number) => (decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`);
