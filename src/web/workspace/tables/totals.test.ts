import { describe, expect, it } from 'vitest';
import { isNumeric, parseAmount, totalsOf } from './totals.ts';

describe('parseAmount', () => {
  it.each([
    ['1,314,000', 1314000n, 0],
    ['$28.75', 2875n, 2],
    ['(4.20)', -420n, 2],
    ['1.234,50', 123450n, 2],
    ['-3', -3n, 0],
  ])('amount: %s is a number', (text, units, decimals) => {
    expect(parseAmount(text)).toEqual({ units, decimals });
  });

  it.each(['', 'n/a', '12/04', '1-2', '10,000 (1)', '1,23,4'])('amount: "%s" is no number', (text) => {
    expect(parseAmount(text)).toBeNull();
  });
});

describe('totalsOf', () => {
  const bill = (total: string) => [
    ['Item', 'Price'],
    ['Notebook', '13.00'],
    ['Pencil', '4.20'],
    ['Subtotal', '17.20'],
    ['Tax', '3.44'],
    ['Total', total],
  ];

  it('totals: a subtotal and a total that add up have no expected sum', () => {
    expect(totalsOf(bill('20.64'), 1)).toEqual([
      { row: 3, column: 1, expectedSum: null },
      { row: 5, column: 1, expectedSum: null },
    ]);
  });

  it('totals: a total that does not add up has the expected sum', () => {
    expect(totalsOf(bill('26.40'), 1).at(-1)).toEqual({ row: 5, column: 1, expectedSum: '20.64' });
  });

  it('totals: need a word for a sum and at least two figures', () => {
    expect(
      totalsOf(
        [
          ['a', '1'],
          ['b', '2'],
          ['c', '3'],
        ],
        0,
      ),
    ).toEqual([]);
    expect(
      totalsOf(
        [
          ['a', '1'],
          ['Total', '3'],
        ],
        0,
      ),
    ).toEqual([]);
  });

  it('totals: are omitted if no column of the row adds up', () => {
    const rows = [
      ['a', '1', '50'],
      ['b', '2', '60'],
      ['Total', '4', '55'],
    ];
    expect(totalsOf(rows, 0)).toEqual([]);
  });

  it('totals: blank cells are ignored, and large numbers are exact', () => {
    const rows = [
      ['a', '9,007,199,254,740,993'],
      ['b', ''],
      ['c', '7'],
      ['Total', '9,007,199,254,741,000'],
    ];
    expect(totalsOf(rows, 0)).toEqual([{ row: 3, column: 1, expectedSum: null }]);
  });
});

it('isNumeric: most cells are numbers, without the header and placeholders for missing numbers', () => {
  const rows = [
    ['Packs', 'Note'],
    ['12', 'x'],
    ['n/a', '1'],
    ['N.A.', 'z'],
    ['NA', 'z'],
    ['\u2013', 'z'],
    ['7', 'y'],
  ];
  expect(isNumeric(rows, 0, 1)).toBe(true);
  expect(isNumeric(rows, 1, 1)).toBe(false);
});
