import { describe, expect, it } from 'vitest';
import type { LayoutTable } from '#contract/extraction';
import { editedTable, type TableEdit } from './table-edits.ts';

const image = { width: 300, height: 300, rotation: 0 };
/** Three rows of two words. */
const lines = [0, 1, 2].map((row) => ({
  text: 'left right',
  confidence: 90,
  box: { x: 0, y: row * 100, width: 200, height: 50 },
  paragraph: 0,
  words: [0, 1].map((column) => ({
    text: column === 0 ? 'left' : 'right',
    confidence: 90,
    box: { x: column * 100, y: row * 100, width: 80, height: 50 },
  })),
}));
const table: LayoutTable = {
  box: { x: 0, y: 0, width: 200, height: 300 },
  confidence: 90,
  rows: 3,
  columns: 2,
  headerRows: 1,
  cells: [0, 1, 2].flatMap((row) =>
    [0, 1].map((column) => ({
      row,
      column,
      rowSpan: 1,
      columnSpan: 1,
      box: { x: column * 100, y: row * 100, width: 100, height: 100 },
      confidence: 90,
      words: [{ line: row, from: column, to: column + 1 }],
    })),
  ),
};
const after = (from: LayoutTable, edit: TableEdit, row: number, column: number) =>
  editedTable(from, edit, { row, column }, { lines, image });
/** The words of each grid position; a spanning cell has them in its first position. */
const wordsOf = ({ rows, columns, cells }: LayoutTable) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      (cells.find((cell) => cell.row === row && cell.column === column)?.words ?? [])
        .map(({ line, from, to }) => `${line}:${from}-${to}`)
        .join(' '),
    ),
  );
/** Whether each grid position belongs to exactly one cell. */
const isWhole = ({ rows, columns, cells }: LayoutTable) =>
  cells.reduce((sum, { rowSpan, columnSpan }) => sum + rowSpan * columnSpan, 0) === rows * columns;

describe('editedTable', () => {
  it('inserts a row after the cell, and deletes it', () => {
    const extended = after(table, 'insert-row', 1, 0)!;
    expect(wordsOf(extended)).toEqual([
      ['0:0-1', '0:1-2'],
      ['1:0-1', '1:1-2'],
      ['', ''],
      ['2:0-1', '2:1-2'],
    ]);
    expect(isWhole(extended)).toBe(true);
    expect(wordsOf(after(extended, 'delete-row', 2, 0)!)).toEqual(wordsOf(table));
  });

  it('inserts a column after the cell, and deletes a column with words', () => {
    const extended = after(table, 'insert-column', 0, 0)!;
    expect(wordsOf(extended)[0]).toEqual(['0:0-1', '', '0:1-2']);
    expect(isWhole(extended)).toBe(true);
    expect(wordsOf(after(extended, 'delete-column', 0, 0)!)[2]).toEqual(['', '2:1-2']);
    expect(
      after(after(table, 'delete-column', 0, 0)!, 'delete-column', 0, 0),
      'the last column cannot be deleted',
    ).toBeNull();
  });

  it('merges cells with the words of both, and splits them by the positions of the words', () => {
    const joined = after(table, 'merge-below', 1, 0)!;
    expect(wordsOf(joined)[1]).toEqual(['1:0-1 2:0-1', '1:1-2']);
    expect(isWhole(joined)).toBe(true);
    expect(wordsOf(after(joined, 'split', 2, 0)!)).toEqual(wordsOf(table));
    const wide = after(table, 'merge-right', 0, 0)!;
    expect(wordsOf(wide)[0]).toEqual(['0:0-1 0:1-2', '']);
    expect(wordsOf(after(wide, 'split', 0, 1)!)).toEqual(wordsOf(table));
    expect(after(table, 'merge-right', 0, 1), 'there is no next cell').toBeNull();
    expect(after(table, 'split', 0, 0), 'the cell spans no others').toBeNull();
  });

  it('extends the span of a cell into which a row is inserted', () => {
    const joined = after(table, 'merge-below', 1, 0)!;
    const extended = after(joined, 'insert-row', 1, 1)!;
    expect(extended.cells.find(({ row, column }) => row === 1 && column === 0)).toMatchObject({ rowSpan: 3 });
    expect(isWhole(extended)).toBe(true);
    const reduced = after(extended, 'delete-row', 1, 0)!;
    expect(reduced.cells.find(({ row, column }) => row === 1 && column === 0)).toMatchObject({ rowSpan: 2 });
    expect(isWhole(reduced)).toBe(true);
  });

  it('toggles the header rows down to the cell', () => {
    expect(after(table, 'heading', 1, 0)).toMatchObject({ headerRows: 2 });
    expect(after(table, 'heading', 0, 0)).toMatchObject({ headerRows: 0 });
  });
});
