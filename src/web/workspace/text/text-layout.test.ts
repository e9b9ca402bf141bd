import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { mapText, piecesOf } from '#formats/pieces';
import { hideRestored, layOut, restoreHidden } from './text-layout.ts';
import { editText, isUntouched } from './text-mapping.ts';

type Line = Extraction['lines'][number];
type HiddenText = Extraction['hidden'][number];

const box = { x: 0, y: 0, width: 1, height: 1 };
const line = (text: string, paragraph: number): Line => ({
  text,
  confidence: 90,
  box,
  paragraph,
  words: text.split(' ').map((word) => ({ text: word, confidence: 90, box })),
});
const hiddenText = (text: string, lineIndex: number, word: number | null): HiddenText => ({
  text,
  confidence: 40,
  box,
  reason: 'noise',
  at: { line: lineIndex, word },
});

const lines = [line('The recog-', 0), line('nition of words', 0), line('Second paragraph', 1)];
const TEXT = 'The recog-\nnition of words\n\nSecond paragraph';

function read(hidden: HiddenText[] = []) {
  const pieces = piecesOf({ lines, hidden });
  return { pieces, mapped: mapText(TEXT, pieces) };
}

describe('layOut', () => {
  it('joins the lines of a paragraph and rejoins hyphenated words', () => {
    const { pieces, mapped } = read();
    const joined = layOut(mapped, pieces, 'paragraphs');
    expect(joined.text).toBe('The recognition of words\n\nSecond paragraph');
    expect(joined.marks.every((mark) => isUntouched(joined, mark, pieces[mark.piece]!))).toBe(true);
  });

  it('keeps each row of a table on a separate line, and the table separate from the text below', () => {
    const rows = [
      line('Milk 2', 0),
      line('Rye bread', 0),
      line('fresh 3', 0),
      line('Thank you', 0),
      line('all', 0),
    ];
    const text = 'Milk 2\nRye bread\nfresh 3\nThank you\nall';
    const cell = (row: number, lines: number[]) => ({
      row,
      column: 0,
      rowSpan: 1,
      columnSpan: 1,
      box,
      confidence: 90,
      words: lines.map((each) => ({ line: each, from: 0, to: 2 })),
    });
    const cells = [cell(0, [0]), cell(1, [1, 2])];
    const table = { box, confidence: 90, rows: 2, columns: 1, headerRows: 0, cells };
    const layout = { tables: [table], headings: [], listItems: [], fields: [], indents: [] };
    const pieces = piecesOf({ lines: rows, hidden: [], layout });
    expect(layOut(mapText(text, pieces), pieces, 'paragraphs').text).toBe(
      'Milk 2\nRye bread fresh 3\nThank you all',
    );
  });

  it('round-trips to the same lines and positions', () => {
    const { pieces, mapped } = read();
    expect(layOut(layOut(mapped, pieces, 'paragraphs'), pieces, 'lines')).toEqual(mapped);
  });

  it.each([
    ['a state-of-the-', 'art camera', 'a state-of-the-art camera'],
    ['the mother-', 'in-law of', 'the mother-in-law of'],
  ])('text layout: a compound with another hyphen keeps its hyphen: %s %s', (first, second, together) => {
    const compound = [line(first, 0), line(second, 0)];
    const pieces = piecesOf({ lines: compound, hidden: [] });
    const mapped = mapText(`${first}\n${second}`, pieces);
    const joined = layOut(mapped, pieces, 'paragraphs');
    expect(joined.text).toBe(together);
    expect(layOut(joined, pieces, 'lines')).toEqual(mapped);
  });

  it('text layout: edits and manual line breaks stay', () => {
    const { pieces, mapped } = read();
    const edited = editText(mapped, TEXT.replace('words', 'many\nwords'), 23);
    const joined = layOut(edited, pieces, 'paragraphs');
    expect(joined.text).toBe('The recognition of many\nwords\n\nSecond paragraph');
    expect(layOut(joined, pieces, 'lines').text).toBe(edited.text);
  });
});

describe('restoreHidden', () => {
  it('inserts a word before its next word', () => {
    const { pieces, mapped } = read([hiddenText('~', 1, 1)]);
    const index = pieces.findIndex((piece) => piece.hidden);
    const back = restoreHidden(mapped, pieces, index);
    expect(back.text).toBe('The recog-\nnition ~ of words\n\nSecond paragraph');
    expect(hideRestored(back, pieces, index)).toEqual(mapped);
  });

  it('inserts a word at the end of its line', () => {
    const { pieces, mapped } = read([hiddenText('~', 0, 2)]);
    const index = pieces.findIndex((piece) => piece.hidden);
    const back = restoreHidden(mapped, pieces, index);
    expect(back.text).toBe('The recog- ~\nnition of words\n\nSecond paragraph');
    expect(hideRestored(back, pieces, index)).toEqual(mapped);
  });

  it('inserts lines in reading order, independent of the order of calls', () => {
    const { pieces, mapped } = read([
      hiddenText('Menu', 0, null),
      hiddenText('File Edit', 0, null),
      hiddenText('OK', 3, null),
    ]);
    const [menu, file, ok] = pieces.flatMap((piece, index) => (piece.hidden ? [index] : []));
    const back = [ok!, file!, menu!].reduce((text, index) => restoreHidden(text, pieces, index), mapped);
    expect(back.text).toBe(`Menu\nFile Edit\n${TEXT}\nOK`);
    const again = [file!, ok!, menu!].reduce((text, index) => hideRestored(text, pieces, index), back);
    expect(again).toEqual(mapped);
  });

  it('finds the position in an edited text', () => {
    const { pieces, mapped } = read([hiddenText('~', 1, 1)]);
    const edited = editText(mapped, TEXT.replace('The', 'This'), 4);
    expect(
      restoreHidden(
        edited,
        pieces,
        pieces.findIndex((piece) => piece.hidden),
      ).text,
    ).toContain('nition ~ of');
  });

  it('restores pieces even if all text was hidden', () => {
    const pieces = piecesOf({ lines: [], hidden: [hiddenText('Menu', 0, null), hiddenText('OK', 0, null)] });
    const back = restoreHidden(restoreHidden(mapText('', pieces), pieces, 1), pieces, 0);
    expect(back.text).toBe('Menu\nOK');
  });

  it('does nothing for a restored piece', () => {
    const { pieces, mapped } = read([hiddenText('~', 1, 1)]);
    const index = pieces.findIndex((piece) => piece.hidden);
    const back = restoreHidden(mapped, pieces, index);
    expect(restoreHidden(back, pieces, index)).toBe(back);
  });
});
