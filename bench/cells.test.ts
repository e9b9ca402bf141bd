import { describe, expect, it } from 'vitest';
import { cellsOfText, countCells, countIndents, indentedLines, parseCsv } from './cells.ts';

const truth = [
  ['Item', 'Pieces', 'Price'],
  ['Hinge', '', '3.50'],
  ['Board', '12', '18.25'],
];

describe('cells are right', () => {
  it('where they say what the true ones say, in the same row and column', () => {
    expect(countCells(truth, truth)).toEqual({ hits: 8, read: 8, expected: 8 });
    const shifted = [truth[0]!, ['Hinge', '3.50', ''], truth[2]!];
    expect(countCells(shifted, truth)).toEqual({ hits: 7, read: 8, expected: 8 });
  });

  it('after rows and columns too many are left aside, and cost their own cells alone', () => {
    const more = [['Stock', '', '', ''], ...truth.map((row, i) => [row[0]!, `note ${i}`, row[1]!, row[2]!])];
    expect(countCells(more, truth)).toEqual({ hits: 8, read: 12, expected: 8 });
  });

  it('whatever sign is written for a dash or a quotation mark, and however many blanks stand in them', () => {
    expect(countCells([['a – b', '“x”']], [['a-b', '"x"']])).toEqual({ hits: 2, read: 2, expected: 2 });
  });

  it('of a plain text only as far as blanks happen to part them', () => {
    const text = 'Item Pieces Price\nHinge 3.50\nBoard 12 18.25';
    expect(countCells(cellsOfText(text), truth)).toEqual({ hits: 7, read: 8, expected: 8 });
  });

  it('of no table at all: none', () => {
    expect(countCells([], truth)).toEqual({ hits: 0, read: 0, expected: 8 });
  });
});

it('a table is read from a file as RFC 4180 has it', () => {
  expect(parseCsv('\ufeffa,"b, ""c""\nd",\r\n,2,3\r\n')).toEqual([
    ['a', 'b, "c"\nd', ''],
    ['', '2', '3'],
  ]);
});

describe('indentation is right', () => {
  const code = indentedLines('go() {\n    if (one) {\n        step();\n    }\n}\n');

  it('by steps, however many blanks a step is', () => {
    expect(code.map(({ steps }) => steps)).toEqual([0, 1, 2, 1, 0]);
    expect(indentedLines('go() {\n  if (one) {\n    step();\n  }\n}').map(({ steps }) => steps)).toEqual([
      0, 1, 2, 1, 0,
    ]);
    expect(countIndents(code, code)).toEqual({ right: 5, lines: 5 });
  });

  it('of the lines that were read, a little wrongly or not', () => {
    const read = [
      { text: 'go(0 {', steps: 0 },
      { text: 'if (one) {', steps: 0 },
      { text: 'step();', steps: 2 },
    ];
    expect(countIndents(read, code)).toEqual({ right: 2, lines: 3 });
  });
});
