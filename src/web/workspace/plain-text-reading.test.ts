import { expect, it } from 'vitest';
import { mapText, piecesOf } from '#formats/pieces';
import { readingOfText } from './plain-text-reading.ts';
import { layOut } from './text/text-layout.ts';

const TEXTS = {
  paragraphs: 'One line\nand an-\nother of it\n\nA second   paragraph\nof two lines',
  'an indented list': 'List\n  one\n    two\nthree \nfour\t\nfive',
  'a table aligned with spaces': 'Loaf      small   2.40\nLoaf      large   3.90',
  'a text without a word': ' \n\n ',
  'other scripts': '東京\nに住む\n\nمرحبا بكم\nفي المدينة',
};

it.each(Object.entries(TEXTS))('plain text: %s round-trips through paragraphs to lines', (_what, text) => {
  const reading = readingOfText(text, 'eng');
  const pieces = piecesOf(reading);
  const lines = mapText(text, pieces);
  expect(lines.marks).toHaveLength(reading.wordCount);
  const paragraphs = layOut(lines, pieces, 'paragraphs');
  expect(layOut(paragraphs, pieces, 'lines').text).toBe(text);
});

it('plain text: the lines of a paragraph and its hyphenated words are joined', () => {
  const pieces = piecesOf(readingOfText(TEXTS.paragraphs, 'eng'));
  expect(layOut(mapText(TEXTS.paragraphs, pieces), pieces, 'paragraphs').text).toBe(
    'One line and another of it\n\nA second   paragraph of two lines',
  );
});
