import { describe, expect, it } from 'vitest';
import { positionedTextFrom, recordedExtraction } from '../../tests/support/extractions.ts';
import { type MappedText, mapText, type Piece, piecesOf } from './pieces.ts';
import { positionedTextOf } from './positioned-text.ts';
import { fillCell, rewriteCell } from './table-cells.ts';
import { findTables } from './tables.ts';

const extraction = recordedExtraction('order');
const pieces = piecesOf(extraction);
const read = mapText(extraction.extractedText, pieces);

function tableOf(edited: MappedText, filled: readonly Piece[] = []) {
  const [table] = findTables(positionedTextOf({ extraction, name: 'order.png', edited, filled }));
  return table!;
}

/** The text and its table after a cell was edited. */
function corrected(row: number, column: number, newText: string, from = read) {
  const cell = tableOf(from).cells.find((one) => one.row === row && one.column === column)!;
  const mapped = rewriteCell(from, cell, newText);
  for (const { start, end } of mapped.marks) expect(mapped.text.slice(start, end)).toMatch(/^\S+$/);
  return { mapped, rows: tableOf(mapped).rows };
}

describe('rewriteCell', () => {
  it.each([
    ['one word for another', 3, 2, '0.96', 'Sugar 0.96 cane'],
    ['a word at the end', 3, 0, 'Sugar white', 'Sugar white 0.95 cane'],
    ['a word at the start', 3, 0, 'Brown sugar', 'Brown sugar 0.95 cane'],
    ['a word before a word that stays', 5, 3, 'first cold pressed', 'Olive oil 36 11.25 first cold pressed'],
    ['one word for two', 5, 3, 'virgin', 'Olive oil 36 11.25 virgin'],
    ['more words for fewer', 1, 3, 'loose or in bags', 'Green tea 12 3.20 loose or in bags'],
  ])('changes text and table alike: %s', (_, row, column, newText, line) => {
    const { mapped, rows } = corrected(row, column, newText);
    expect(mapped.text.split('\n')).toContain(line);
    const expected = tableOf(read).rows.map((cells) => [...cells]);
    expected[row]![column] = newText;
    expect(rows).toEqual(expected);
  });

  it('keeps an emptied cell, and moves no other cell', () => {
    const { mapped, rows } = corrected(2, 1, '');
    expect(mapped.text.split('\n')).toContain('Coffee beans 18.90');
    expect(rows[2]).toEqual(['Coffee beans', '', '18.90', '']);
  });

  it('changes nothing for an equal text', () => {
    expect(corrected(2, 0, ' Coffee  beans ').mapped).toEqual(read);
  });

  it('keeps words separate from their neighbors after an earlier edit', () => {
    expect(positionedTextFrom(extraction, read).text).toBe(read.text);
    const { mapped } = corrected(1, 0, 'Black tea');
    expect(corrected(1, 1, '13', mapped).mapped.text).toContain('Black tea 13 3.20 loose');
  });
});

describe('fillCell', () => {
  it.each([
    ['an empty cell within a row', 3, 1, '4', 'Sugar 4 0.95 cane'],
    ['an empty cell at its end', 2, 3, 'roasted dark', 'Coffee beans 140 18.90 roasted dark'],
  ])('fills %s, and changes no other cell', (_, row, column, newText, line) => {
    const { mapped, piece } = fillCell(
      read,
      pieces,
      extraction.image,
      tableOf(read),
      { row, column },
      newText,
    )!;
    expect(mapped.text.split('\n')).toContain(line);
    const expected = tableOf(read).rows.map((cells) => [...cells]);
    expected[row]![column] = newText;
    expect(tableOf(mapped, [piece]).rows).toEqual(expected);
  });

  it('leaves the cell empty for an empty text', () => {
    expect(fillCell(read, pieces, extraction.image, tableOf(read), { row: 3, column: 1 }, ' ')).toBeNull();
  });
});
