import { expect, it } from 'vitest';
import type { Line, Word } from '../../clients/typescript/src/index.ts';
import { markDoubts } from './marked-text.ts';

const box = { x: 0, y: 0, width: 10, height: 10 };
const word = (text: string, confidence = 95): Word => ({ text, confidence, box });
const line = (...words: Word[]): Line => ({
  text: words.map(({ text }) => text).join(' '),
  confidence: 90,
  box,
  paragraph: 0,
  words,
});
const pieces = (extractedText: string, ...lines: Line[]) =>
  markDoubts({ extractedText, lines }).map(({ text, word: doubt }) => (doubt ? [text] : text));

it('markDoubts: a word below 60 percent is a separate piece', () => {
  expect(pieces('Pay 12 now', line(word('Pay'), word('12', 59), word('now', 60)))).toEqual([
    'Pay ',
    ['12'],
    ' now',
  ]);
});

it('markDoubts: of equal words, marks the doubtful one', () => {
  const lines = [line(word('to'), word('be')), line(word('to', 20), word('be'))];
  expect(pieces('to be\nto be', ...lines)).toEqual(['to be\n', ['to'], ' be']);
});

it('markDoubts: does not mark punctuation, or words that are missing in the text', () => {
  const text = 'a – b';
  expect(pieces(text, line(word('a'), word('–', 10), word('gone', 5), word('b')))).toEqual([text]);
});

it('markDoubts: the joined pieces are the text', () => {
  const text = '  x\n\ny z ';
  const found = markDoubts({
    extractedText: text,
    lines: [line(word('x', 1)), line(word('y', 2), word('z', 3))],
  });
  expect(found.map((piece) => piece.text).join('')).toBe(text);
});
