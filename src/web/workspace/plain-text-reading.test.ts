import { expect, it } from 'vitest';
import { mapText, piecesOf } from '#formats/pieces';
import { readingOfText } from './plain-text-reading.ts';
import { layOut } from './text/text-layout.ts';

const TEXTS = {
  paragraphs: 'One line\nand an-\nother of it\n\nA second   paragraph\nof two lines',
  'a list that is indented': 'List\n  one\n    two\nthree \nfour\t\nfive',
  'a table as on the page': 'Loaf      small   2.40\nLoaf      large   3.90',
  'a text without a word': ' \n\n ',
  'other scripts': '東京\nに住む\n\nمرحبا بكم\nفي المدينة',
};

it.each(Object.entries(TEXTS))(
  '%s: joined to paragraphs and parted again it is what it was',
  (_what, text) => {
    const reading = readingOfText(text, 'eng');
    const pieces = piecesOf(reading);
    const lines = mapText(text, pieces);
    expect(lines.marks).toHaveLength(reading.wordCount);
    const paragraphs = layOut(lines, pieces, 'paragraphs');
    expect(layOut(paragraphs, pieces, 'lines').text).toBe(text);
  },
);

it('plain text: given lines of a paragraph, joins them and the words that they divide', () => {
  const pieces = piecesOf(readingOfText(TEXTS.paragraphs, 'eng'));
  expect(layOut(mapText(TEXTS.paragraphs, pieces), pieces, 'paragraphs').text).toBe(
    'One line and another of it\n\nA second   paragraph of two lines',
  );
});
