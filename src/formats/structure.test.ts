import { describe, expect, it } from 'vitest';
import {
  extractionOf,
  positionedTextFrom,
  recordedExtraction,
  retyped,
} from '../../tests/support/extractions.ts';
import { mapText, piecesOf } from './pieces.ts';
import { blocksOf } from './structure.ts';
import { findTables } from './tables.ts';

/** The blocks of an extraction, with tables as their rows. */
function blocks(extraction: Parameters<typeof positionedTextFrom>[0], text?: string) {
  const edited = text === undefined ? undefined : mapText(text, piecesOf(extraction));
  const positionedText = positionedTextFrom(extraction, edited);
  return blocksOf(positionedText, findTables(positionedText)).map((block) =>
    block.kind === 'table' ? { kind: 'table', rows: block.table.rows } : block,
  );
}

/** An extraction of lines of one font size, by text and left edge. */
const page = (...lines: (readonly [text: string, x: number])[]) =>
  extractionOf(
    'eng',
    lines.map(([text, x]) => {
      let left = x;
      return text.split(' ').map((word) => {
        const place = [word, left, 20 * word.length] as const;
        left += 20 * (word.length + 1);
        return place;
      });
    }),
  );

describe('blocksOf: a page has', () => {
  it('headings by their size, paragraphs, tables with their empty cells, and lists across paragraphs', () => {
    expect(blocks(recordedExtraction('order'))).toEqual([
      { kind: 'heading', level: 1, text: 'Order for the kitchen' },
      {
        kind: 'paragraph',
        lines: [
          'Please deliver before noon and ring at the back door,',
          'the front one stays closed on Mondays.',
        ],
      },
      {
        kind: 'table',
        rows: [
          ['Article', 'Packs', 'Price', 'Remark'],
          ['Green tea', '12', '3.20', 'loose'],
          ['Coffee beans', '140', '18.90', ''],
          ['Sugar', '', '0.95', 'cane'],
          ['Rice flour', '8', '2.40', ''],
          ['Olive oil', '36', '11.25', 'cold pressed'],
        ],
      },
      { kind: 'heading', level: 2, text: 'Bring along' },
      {
        kind: 'list',
        start: null,
        items: ['two crates of bottles', 'the receipt of last week', 'a list of what is missing'],
      },
    ]);
  });

  it('only paragraphs where all text has one size', () => {
    for (const name of ['note', 'columns', 'slanted', 'turned', 'code'] as const) {
      for (const block of blocks(recordedExtraction(name))) expect(block.kind, name).toBe('paragraph');
    }
  });

  it('a heading if a single line precedes a table and no text is larger', () => {
    const stock = recordedExtraction('table');
    const title = 'Stock of the workshop in November';
    const [first] = blocks(stock);
    expect(first).toEqual({ kind: 'heading', level: 1, text: title });
    const kindsAfter = (from: string, to: string) => {
      const positionedText = positionedTextFrom(stock, retyped(stock, from, to));
      return blocksOf(positionedText, findTables(positionedText)).map(({ kind }) => kind);
    };
    expect(kindsAfter('workshop', 'yard')).toEqual(['heading', 'table', 'paragraph']);
    expect(kindsAfter('November', 'November.')).toEqual(['paragraph', 'table', 'paragraph']);
    expect(kindsAfter(' of the workshop', '\nof the workshop')).toEqual(['paragraph', 'table', 'paragraph']);
    expect(kindsAfter(title, '1 2 3')).toEqual(['paragraph', 'table', 'paragraph']);
  });

  it('one line for lines that a user joined', () => {
    expect(blocks(page(['one two', 20], ['three four', 20]), 'one two three four')).toEqual([
      { kind: 'paragraph', lines: ['one two three four'] },
    ]);
  });
});

describe('blocksOf: a list', () => {
  it('is numbered from its first number on, and its items continue on indented lines', () => {
    const list = page(
      ['Then:', 20],
      ['3. wash the re-', 20],
      ['maining cups', 80],
      ['4. dry them', 20],
      ['and rest.', 20],
    );
    expect(blocks(list)).toEqual([
      { kind: 'paragraph', lines: ['Then:'] },
      { kind: 'list', start: 3, items: ['wash the remaining cups', 'dry them'] },
      { kind: 'paragraph', lines: ['and rest.'] },
    ]);
  });

  it('needs two items, consecutive numbers, and marks at the start of lines', () => {
    for (const lines of [
      ['1. alone', 'and on'],
      ['3. three', '7. seven'],
      ['- this', 'and - that'],
      ['1.5 l', '2.5 l'],
    ]) {
      expect(blocks(page(...lines.map((line) => [line, 20] as const)))).toEqual([
        { kind: 'paragraph', lines },
      ]);
    }
  });
});
