import { describe, expect, it } from 'vitest';
import { cellsOfText, countCells, countIndents, indentedLines, parseCsv } from './cells.ts';

const truth = [
  ['Item', 'Pieces', 'Price'],
  ['Hinge', '', '3.50'],
  ['Board', '12', '18.25'],
];

describe('countCells', () => {
  it('counts cells with the true text in the same row and column', () => {
    expect(countCells(truth, truth)).toEqual({ hits: 8, read: 8, expected: 8 });
    const shifted = [truth[0]!, ['Hinge', '3.50', ''], truth[2]!];
    expect(countCells(shifted, truth)).toEqual({ hits: 7, read: 8, expected: 8 });
  });

  it('counts only the cells of surplus rows and columns as wrong', () => {
    const more = [['Stock', '', '', ''], ...truth.map((row, i) => [row[0]!, `note ${i}`, row[1]!, row[2]!])];
    expect(countCells(more, truth)).toEqual({ hits: 8, read: 12, expected: 8 });
  });

  it('ignores variants of dashes and quotation marks, and the number of spaces', () => {
    expect(countCells([['a – b', '“x”']], [['a-b', '"x"']])).toEqual({ hits: 2, read: 2, expected: 2 });
  });

  it('counts cells of plain text only if spaces separate them', () => {
    const text = 'Item Pieces Price\nHinge 3.50\nBoard 12 18.25';
    expect(countCells(cellsOfText(text), truth)).toEqual({ hits: 7, read: 8, expected: 8 });
  });

  it('counts no cell without a table', () => {
    expect(countCells([], truth)).toEqual({ hits: 0, read: 0, expected: 8 });
  });
});

it('parseCsv: reads a table by RFC 4180', () => {
  expect(parseCsv('\ufeffa,"b, ""c""\nd",\r\n,2,3\r\n')).toEqual([
    ['a', 'b, "c"\nd', ''],
    ['', '2', '3'],
  ]);
});

describe('countIndents', () => {
  const code = indentedLines('go() {\n    if (one) {\n        step();\n    }\n}\n');

  it('counts steps for any number of spaces per step', () => {
    expect(code.map(({ steps }) => steps)).toEqual([0, 1, 2, 1, 0]);
    expect(indentedLines('go() {\n  if (one) {\n    step();\n  }\n}').map(({ steps }) => steps)).toEqual([
      0, 1, 2, 1, 0,
    ]);
    expect(countIndents(code, code)).toEqual({ right: 5, lines: 5 });
  });

  it('counts lines that were read exactly or with small errors', () => {
    const read = [
      { text: 'go(0 {', steps: 0 },
      { text: 'if (one) {', steps: 0 },
      { text: 'step();', steps: 2 },
    ];
    expect(countIndents(read, code)).toEqual({ right: 2, lines: 3 });
  });
});
