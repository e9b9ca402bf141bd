/** The data of table detection: words by their place on the dewarped page, and the tables built from them. */
import { median } from '../../page/geometry.ts';
import type { Box } from '../../types.ts';

/** A word of the text. `box` lies on the dewarped page; mirrored where the page runs from right to left. */
export interface PlacedWord {
  text: string;
  /** 0 to 1. */
  confidence: number;
  box: Box;
  /** Index of its line, and of the word in it. */
  line: number;
  index: number;
}

export interface FoundCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** In reading order; empty in an empty cell. */
  words: PlacedWord[];
}

/** The cells of a table fill it without a gap, and none overlaps another. */
export interface FoundTable {
  /** Edges of rows from the top and of columns from the left: one more than rows or columns. */
  rows: number[];
  columns: number[];
  cells: FoundCell[];
  headerRows: number;
  /** A ruled table, with lines around each cell. */
  drawn: boolean;
}

/** Words on one level. */
export interface Row {
  words: PlacedWord[];
  middle: number;
  height: number;
  top: number;
  bottom: number;
}

export const rightOf = ({ x, width }: Box) => x + width;
export const bottomOf = ({ y, height }: Box) => y + height;
export const centerOf = ({ x, width }: Box) => x + width / 2;
export const middleOf = ({ y, height }: Box) => y + height / 2;

export const textOf = (words: readonly PlacedWord[]) => words.map(({ text }) => text).join(' ');

/** A substitute for a figure. */
const NO_FIGURE = /^(?:n[./]?a\.?|[-–—*+]+)$/iu;
const LONGEST_UNIT = 3;

/** An amount, a share or a year, with or without a short unit after it; a dash or another substitute. */
export function isFigure(text: string): boolean {
  if (NO_FIGURE.test(text)) return true;
  const [unit, ...others] = text.matchAll(/\p{L}+/gu);
  if (others.length > 0) return false;
  if (!unit) return /\p{N}/u.test(text);
  const behind = text.slice(unit.index + unit[0].length);
  return unit[0].length <= LONGEST_UNIT && /\p{N}/u.test(text.slice(0, unit.index)) && !/\p{N}/u.test(behind);
}

/** Words by level, from top to bottom; in each from left to right. */
export function levelsOf(words: readonly PlacedWord[]): Row[] {
  const rows: Row[] = [];
  for (const word of words.toSorted((a, b) => middleOf(a.box) - middleOf(b.box))) {
    const middle = middleOf(word.box);
    const row = rows.at(-1);
    if (row && middle - row.middle < 0.5 * Math.min(row.height, word.box.height)) {
      row.words.push(word);
      row.middle += (middle - row.middle) / row.words.length;
      row.top = Math.min(row.top, word.box.y);
      row.bottom = Math.max(row.bottom, bottomOf(word.box));
    } else {
      const { y: top, height } = word.box;
      rows.push({ words: [word], middle, height, top, bottom: top + height });
    }
  }
  for (const row of rows) {
    row.words.sort((a, b) => a.box.x - b.box.x);
    row.height = median(row.words.map(({ box }) => box.height));
  }
  return rows;
}

/** Words of a cell, line by line. */
export const inReadingOrder = (words: readonly PlacedWord[]): PlacedWord[] =>
  levelsOf(words).flatMap((row) => row.words);

/**
 * Rows at the top with column titles: those above the first with figures after the first column, without a section title
 * that follows them.
 */
export function headerRowsOf(cells: readonly FoundCell[], rows: number): number {
  const filled = cells.filter(({ words }) => words.length > 0);
  const inRow = (row: number) => filled.filter((cell) => cell.row === row);
  let first = 0;
  for (; first < rows; first++) {
    const behind = inRow(first).filter(({ column }) => column > 0);
    const figures = behind.filter(
      ({ words }) => isFigure(textOf(words)) && !/^(?:19|20)\d\d$/.test(textOf(words)),
    );
    if (behind.length > 0 && figures.length >= 0.5 * behind.length) break;
  }
  // Without any figure, a full first row counts as the head.
  if (first === rows) return rows > 2 && inRow(0).length >= 2 ? 1 : 0;
  while (first > 0 && inRow(first - 1).length <= 1) first--;
  return first;
}
