import type { Box, LayoutTable } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { itemAt, required } from './checked.ts';
import type { PositionedText, PositionedTextWord } from './positioned-text.ts';

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
  /** Words of the `PositionedText`, in reading order, including added words. */
  words: readonly PositionedTextWord[];
}

export interface Table {
  /**
   * Texts of the cells in reading direction; all rows have the same length. A spanning cell has its text in its first position;
   * its other positions are empty.
   */
  rows: readonly (readonly string[])[];
  /** Row by row, without empty cells. */
  cells: readonly TableCell[];
  /** Number of rows at the top with column titles; 0 without any. */
  headerRows: number;
  /** In pixels of the picture after its EXIF orientation. */
  box: Box;
  /** 0 to 100: the expected percentage of correctly recognized cells. */
  confidence: number;
  /** The layout's table from which this one was made, and the index of each row in it; absent if it has another source. */
  source?: { table: LayoutTable; rows: readonly number[] };
}

/** The tables that the engine found on the page, with the current words in their cells. */
export function findTables(positionedText: PositionedText): Table[] {
  const { tables } = positionedText.layout;
  if (tables.length === 0) return [];
  const wordsOfCell = wordsByCell(positionedText, tables);
  return tables.flatMap((table) => tableOf(table, wordsOfCell) ?? []);
}

type Cell = LayoutTable['cells'][number];

function wordsByCell(
  { paragraphs }: PositionedText,
  tables: readonly LayoutTable[],
): Map<Cell, PositionedTextWord[]> {
  const cells = new Map<string, Cell>();
  for (const cell of tables.flatMap((table) => table.cells)) {
    for (const { line, from, to } of cell.words) {
      for (let word = from; word < to; word += 1) cells.set(`${line} ${word}`, cell);
    }
  }
  const wordsOfCell = new Map<Cell, PositionedTextWord[]>();
  const addTo = (cell: Cell, words: readonly PositionedTextWord[]) =>
    wordsOfCell.set(cell, [...(wordsOfCell.get(cell) ?? []), ...words]);
  for (const { words } of paragraphs.flatMap(({ lines }) => lines)) {
    // Added text belongs to the word before it, or else to the one after it.
    let ahead: PositionedTextWord[] = [];
    let last: Cell | undefined;
    for (const word of words) {
      if (!word.placed) {
        if (last) addTo(last, [word]);
        else ahead.push(word);
        continue;
      }
      last = word.source
        ? cells.get(`${word.source.line} ${word.source.word}`)
        : cellAround(word.box, tables);
      if (last) addTo(last, [...ahead, word]);
      ahead = [];
    }
  }
  return wordsOfCell;
}

/** The cell of a word that was hidden when the table was found: the nearest by its center. */
function cellAround(box: Box, tables: readonly LayoutTable[]): Cell | undefined {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const around = (one: Box) => x > one.x && x < one.x + one.width && y > one.y && y < one.y + one.height;
  const distanceTo = ({ box: one }: Cell) =>
    Math.hypot(one.x + one.width / 2 - x, one.y + one.height / 2 - y);
  return tables
    .filter((table) => around(table.box))
    .flatMap(({ cells }) => cells.filter((cell) => around(cell.box)))
    .sort((one, other) => distanceTo(one) - distanceTo(other))[0];
}

/** Undefined if no text of the table is left. Rows that a user emptied are dropped. */
function tableOf(
  table: LayoutTable,
  wordsOfCell: ReadonlyMap<Cell, readonly PositionedTextWord[]>,
): Table | undefined {
  const full = table.cells.filter((cell) => wordsOfCell.has(cell));
  if (full.length === 0) return undefined;
  const wasFull = new Set(table.cells.flatMap(({ row, words }) => (words.length > 0 ? [row] : [])));
  const isFull = new Set(full.map(({ row }) => row));
  const kept = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => isFull.has(row) || !wasFull.has(row),
  );
  const rowsUpTo = (row: number) => kept.filter((one) => one < row).length;
  const cells = full.map((cell): TableCell => {
    const words = required(wordsOfCell.get(cell));
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
export const textOf = (words: readonly PositionedTextWord[]) =>
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

/** A spreadsheet's number format with `decimals` decimals. */
export const numberFormat = (decimals: number) => (decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`);
