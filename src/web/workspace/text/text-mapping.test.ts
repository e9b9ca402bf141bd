import { describe, expect, it } from 'vitest';
import { type MappedText, mapText, type Piece } from '#formats/pieces';
import { editText, isUntouched, marksWithin, replacePiece } from './text-mapping.ts';

const piece = (text: string): Piece => ({
  text,
  confidence: 90,
  box: { x: 0, y: 0, width: 1, height: 1 },
  line: 0,
  paragraph: 0,
  hidden: null,
  readings: [],
});
const words = (text: string) => text.split(/\s+/).map(piece);
const mapped = (text: string) => mapText(text, words(text));
/** The text in each range, by the index of its piece. */
const covered = ({ text, marks }: MappedText) =>
  Object.fromEntries(marks.map((mark) => [mark.piece, text.slice(mark.start, mark.end)]));

describe('mapText', () => {
  it('finds every word, and repeated words in order', () => {
    const text = mapText('to be\n\nor not to be', words('to be or not to be'));
    expect(text.marks.map((mark) => mark.start)).toEqual([0, 3, 7, 10, 14, 17]);
  });

  it('skips a missing word without misplacing the following words', () => {
    const text = mapText('one two three', ['one', 'gone', 'two', 'three'].map(piece));
    expect(covered(text)).toEqual({ 0: 'one', 2: 'two', 3: 'three' });
  });

  it('gives hidden text no range', () => {
    const text = mapText('menu', [{ ...piece('menu'), hidden: 'word' }]);
    expect(text.marks).toEqual([]);
  });
});

describe('editText', () => {
  const text = mapped('alpha beta gamma');

  it('moves words after an edit', () => {
    const edited = editText(text, 'alpha and beta gamma', 10);
    expect(covered(edited)).toEqual({ 0: 'alpha', 1: 'beta', 2: 'gamma' });
  });

  it('text mapping: typing within a word or at its edges extends it', () => {
    expect(covered(editText(text, 'alphas beta gamma', 6))[0]).toBe('alphas');
    expect(covered(editText(text, 'alpha xbeta gamma', 7))[1]).toBe('xbeta');
    expect(covered(editText(text, 'alpha be-ta gamma', 9))[1]).toBe('be-ta');
  });

  it('text mapping: a word that is split in two keeps one range', () => {
    expect(covered(editText(text, 'alpha be ta gamma', 9))[1]).toBe('be ta');
  });

  it('does not extend a word by a space typed after it', () => {
    expect(covered(editText(text, 'alpha  beta gamma', 6))).toEqual({ 0: 'alpha', 1: 'beta', 2: 'gamma' });
  });

  it('keeps the range of a word that is replaced by another', () => {
    expect(covered(editText(text, 'alpha X gamma', 7))).toEqual({ 0: 'alpha', 1: 'X', 2: 'gamma' });
  });

  it('removes the range of a deleted word', () => {
    expect(covered(editText(text, 'alpha gamma', 6))).toEqual({ 0: 'alpha', 2: 'gamma' });
  });

  it('removes all ranges if the whole text is replaced', () => {
    expect(editText(text, 'something else', 14).marks).toEqual([]);
    expect(editText(text, '', 0).marks).toEqual([]);
  });

  it('text mapping: if the inserted letter could be in either word, the caret decides', () => {
    const repeated = mapped('aa aa');
    expect(covered(editText(repeated, 'aa aaa', 4))).toEqual({ 0: 'aa', 1: 'aaa' });
    expect(covered(editText(repeated, 'aaa aa', 3))).toEqual({ 0: 'aaa', 1: 'aa' });
  });

  it('text mapping: both words stay when the space between them is deleted', () => {
    expect(covered(editText(text, 'alphabeta gamma', 5))).toEqual({ 0: 'alpha', 1: 'beta', 2: 'gamma' });
  });

  it('keeps ranges disjoint and inside the text after any edit', () => {
    let current = mapped('The quick brown fox jumps over the lazy dog near the bank');
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let step = 0; step < 2000; step += 1) {
      const start = random(current.text.length + 1);
      const end = Math.min(current.text.length, start + random(4));
      const inserted = ['', 'x', ' ', 'ab', 'a b', '\n'][random(6)]!;
      const after = current.text.slice(0, start) + inserted + current.text.slice(end);
      current = editText(current, after, start + inserted.length);
      expect(current.text).toBe(after);
      let last = 0;
      for (const mark of current.marks) {
        expect(mark.start).toBeGreaterThanOrEqual(last);
        expect(mark.end).toBeGreaterThan(mark.start);
        last = mark.end;
      }
      expect(last).toBeLessThanOrEqual(after.length);
    }
  });
});

describe('replacePiece', () => {
  it('changes one word and moves the words after it', () => {
    const pieces = words('alpha beta gamma');
    const text = replacePiece(mapText('alpha beta gamma', pieces), pieces, 1, 'be');
    expect(text.text).toBe('alpha be gamma');
    expect(covered(text)).toEqual({ 0: 'alpha', 1: 'be', 2: 'gamma' });
  });

  it('keeps the other part of a rejoined word and inserts no hyphen', () => {
    const pieces = ['recoq-', 'nition'].map(piece);
    const joined = {
      text: 'recoqnition',
      marks: [
        { piece: 0, start: 0, end: 5 },
        { piece: 1, start: 5, end: 11 },
      ],
    };
    const corrected = replacePiece(joined, pieces, 0, 'recog-');
    expect(corrected.text).toBe('recognition');
    expect(covered(corrected)).toEqual({ 0: 'recog', 1: 'nition' });
    expect(covered(replacePiece(joined, pieces, 1, 'notion'))).toEqual({ 0: 'recoq', 1: 'notion' });
  });

  it('does nothing for a missing word', () => {
    const text = mapped('alpha beta');
    expect(replacePiece(text, words('alpha beta gamma'), 2, 'delta')).toBe(text);
  });
});

it('isUntouched: false for a changed word, true for a moved one', () => {
  const pieces = words('alpha beta');
  const text = editText(editText(mapText('alpha beta', pieces), '  alpha beta', 2), '  alpha betta', 11);
  expect(text.marks.map((mark) => isUntouched(text, mark, pieces[mark.piece]!))).toEqual([true, false]);
});

it('finds the word at the caret and those in a selection', () => {
  const { marks } = mapped('alpha beta gamma');
  expect(marksWithin(marks, 8, 8).map((mark) => mark.piece)).toEqual([1]);
  expect(marksWithin(marks, 3, 8).map((mark) => mark.piece)).toEqual([0, 1]);
  expect(marksWithin(marks, 5, 6)).toEqual([]);
});
