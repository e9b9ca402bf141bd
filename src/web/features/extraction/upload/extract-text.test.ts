import { expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import note from '../../../../../tests/fixtures/extractions/note.json' with { type: 'json' };
import { scaleToOriginal } from './extract-text.ts';

it('scaleToOriginal: converts boxes from the scaled to the chosen picture', () => {
  const box = { x: 10, y: 20, width: 30, height: 40 };
  const corners = [
    { x: 10, y: 22 },
    { x: 39, y: 20 },
    { x: 40, y: 58 },
    { x: 11, y: 60 },
  ];
  const cell = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box, confidence: 90, words: [] };
  const read = extractionSchema.parse({ ...note, unread: [{ box, why: 'no_reading' }] });
  read.lines[0]!.words[0]!.polygon = corners;
  read.layout = {
    tables: [{ box, confidence: 90, rows: 1, columns: 1, headerRows: 0, cells: [cell] }],
    headings: [{ level: 1, lines: { from: 0, to: 1 }, box, confidence: 90 }],
    listItems: [{ level: 1, mark: '•', lines: { from: 0, to: 1 }, box, confidence: 90 }],
    fields: [{ label: [], value: [], box, confidence: 90 }],
    indents: [],
  };
  const original = { width: 3 * read.image.width, height: 3 * read.image.height };
  const moved = scaleToOriginal(read, original);
  expect(moved.image).toEqual({ ...read.image, ...original });
  const boxes = ({ lines, hidden, unread = [], layout }: typeof read) => {
    const { tables, headings, listItems, fields } = layout!;
    const laid = [...tables, ...tables.flatMap(({ cells }) => cells), ...headings, ...listItems, ...fields];
    return [...lines.flatMap((line) => [line, ...line.words]), ...hidden, ...unread, ...laid].map(
      ({ box }) => box,
    );
  };
  expect(boxes(moved)).toEqual(
    boxes(read).map(({ x, y, width, height }) => ({
      x: 3 * x,
      y: 3 * y,
      width: 3 * width,
      height: 3 * height,
    })),
  );
  expect(moved.lines[0]?.words[0]?.polygon).toEqual(corners.map(({ x, y }) => ({ x: 3 * x, y: 3 * y })));
  expect(moved.extractedText).toBe(read.extractedText);
  expect(moved.notices.at(-1)?.code).toBe('scaled_down');
  expect(extractionSchema.parse(moved)).toEqual(moved);
});
