import { expect, it } from 'vitest';
import type { Layout } from '../types.ts';
import { lineOf, textOfLines, withTablesApart } from './lines.ts';

const box = { x: 0, y: 0, width: 1, height: 1 };
const line = (text: string, paragraph: number) => lineOf([{ text, confidence: 0.9, box }], paragraph);

function tableOf(...lines: number[]): Layout['tables'][number] {
  const cells = lines.map((each, row) => ({
    row,
    column: 0,
    rowSpan: 1,
    columnSpan: 1,
    box,
    confidence: 0.9,
    words: [{ line: each, from: 0, to: 1 }],
  }));
  return { box, confidence: 0.9, rows: lines.length, columns: 1, headerRows: 0, cells };
}

it('withTablesApart: a table is one paragraph of its own, even where its rows were several or were joined to the text around it', () => {
  const lines = [
    line('Above', 0),
    line('one', 0),
    line('two', 1),
    line('other', 1),
    line('Below', 1),
    line('it', 1),
  ];
  const layout: Layout = {
    tables: [tableOf(1, 2), tableOf(3)],
    headings: [],
    listItems: [],
    fields: [],
    indents: [],
  };
  expect(textOfLines(withTablesApart(lines, layout))).toBe('Above\n\none\ntwo\n\nother\n\nBelow\nit');
});
