import { describe, expect, it } from 'vitest';
import {
  extractionOf,
  positionedTextFrom,
  recordedExtraction,
  retyped,
} from '../../tests/support/extractions.ts';
import { findTables } from './tables.ts';

const TABLE = [
  ['Item', 'Shelf', 'Pieces', 'Price'],
  ['Brass hinge', 'A12', '40', '3.50'],
  ['Oak board', 'BO7', '12', '18.25'],
  ['Linseed oil', 'C03', '6', '9.90'],
  ['Sandpaper', 'A04', '250', '0.45'],
  ['Wood glue', 'C11', '18', '5.15'],
];

describe('findTables', () => {
  it('finds tables between lines of text, by rows and columns', () => {
    expect(findTables(positionedTextFrom(recordedExtraction('table')))).toMatchObject([{ rows: TABLE }]);
  });

  it("returns each cell's place and words, and the header row", () => {
    const positionedText = positionedTextFrom(recordedExtraction('table'));
    const words = positionedText.paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words));
    const [table] = findTables(positionedText);
    expect(table).toMatchObject({ headerRows: 1 });
    expect(table!.cells).toHaveLength(24);
    const cell = table!.cells.find(({ row, column }) => row === 4 && column === 0)!;
    expect(cell).toMatchObject({ text: 'Sandpaper', rowSpan: 1, columnSpan: 1 });
    expect(words).toContain(cell.words[0]);
    for (const { box } of table!.cells) {
      expect(box.x).toBeGreaterThanOrEqual(table!.box.x);
      expect(box.y + box.height).toBeLessThanOrEqual(table!.box.y + table!.box.height);
    }
  });

  it("keeps a user's corrections", () => {
    const extraction = recordedExtraction('table');
    const [table] = findTables(positionedTextFrom(extraction, retyped(extraction, 'BO7', 'B07')));
    expect(table?.rows[2]).toEqual(['Oak board', 'B07', '12', '18.25']);
  });

  it('puts added text into the cell of the word beside it', () => {
    const extraction = extractionOf('eng', [
      [
        ['Tea', 20, 70],
        ['3.20', 300, 90],
      ],
      [
        ['Milk', 20, 80],
        ['1.10', 300, 90],
      ],
      [
        ['Salt', 20, 80],
        ['0.60', 300, 90],
      ],
    ]);
    const text = 'Tea green 3.20\nMilk 1.10\nSalt 0.60';
    const edited = {
      text,
      marks: ['Tea', '3.20', 'Milk', '1.10', 'Salt', '0.60'].map((word, piece) => ({
        piece,
        start: text.indexOf(word),
        end: text.indexOf(word) + word.length,
      })),
    };
    expect(findTables(positionedTextFrom(extraction, edited))[0]?.rows[0]).toEqual(['Tea green', '3.20']);
  });

  it('keeps empty cells', () => {
    const extraction = extractionOf('eng', [
      [
        ['Name', 20, 90],
        ['Yes', 300, 60],
        ['No', 500, 50],
      ],
      [
        ['Ann', 20, 70],
        ['x', 310, 20],
      ],
      [
        ['Ben', 20, 70],
        ['x', 510, 20],
      ],
      [
        ['Cleo', 20, 80],
        ['x', 310, 20],
      ],
    ]);
    expect(findTables(positionedTextFrom(extraction))).toMatchObject([
      {
        rows: [
          ['Name', 'Yes', 'No'],
          ['Ann', 'x', ''],
          ['Ben', '', 'x'],
          ['Cleo', 'x', ''],
        ],
      },
    ]);
  });

  it('orders the columns of a right-to-left table from right to left', () => {
    const extraction = extractionOf('ara', [
      [
        ['اسم', 700, 80],
        ['ثمن', 300, 80],
      ],
      [
        ['خبز', 700, 80],
        ['12', 320, 50],
      ],
      [
        ['زيت', 700, 80],
        ['30', 320, 50],
      ],
    ]);
    expect(findTables(positionedTextFrom(extraction))).toMatchObject([
      {
        rows: [
          ['اسم', 'ثمن'],
          ['خبز', '12'],
          ['زيت', '30'],
        ],
      },
    ]);
  });
});

describe('findTables: no table is found', () => {
  it('in running text, horizontal or slanted', () => {
    for (const name of ['note', 'slanted', 'turned'] as const)
      expect(findTables(positionedTextFrom(recordedExtraction(name))), name).toEqual([]);
  });

  it('in columns of text', () => {
    expect(findTables(positionedTextFrom(recordedExtraction('columns')))).toEqual([]);
  });
});
