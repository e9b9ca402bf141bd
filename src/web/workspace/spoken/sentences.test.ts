import { expect, test } from 'vitest';
import { sentenceAt, sentencesOf } from './sentences.ts';

const textsOf = (text: string, lang = 'en') => sentencesOf(text, lang).map((sentence) => sentence.text);

test('sentences: joins a sentence across lines, with its hyphenated word', () => {
  const text =
    'The harbour lights were lit before the rain be-\ngan to fall. No ship saw them.\n\nThe next day';
  expect(textsOf(text)).toEqual([
    'The harbour lights were lit before the rain began to fall.',
    'No ship saw them.',
    'The next day',
  ]);
});

test('sentences: lines of a list are separate, and rules between them are omitted', () => {
  expect(textsOf('Rye bread 4.20\n----------\nPlum jam 3.10\nTotal 7.30')).toEqual([
    'Rye bread 4.20',
    'Plum jam 3.10',
    'Total 7.30',
  ]);
});

test('sentences: have offsets of the text', () => {
  const text = '  First one.\nThen the second,\nwhich goes on. Third!\n';
  for (const { start, end, text: spoken } of sentencesOf(text, 'en'))
    expect(text.slice(start, end).replaceAll('\n', ' ')).toBe(spoken);
  expect(sentencesOf(text, 'en')).toHaveLength(3);
});

test('sentences: Japanese ones need no space between them', () => {
  expect(textsOf('今日は雨です。明日は晴れます。', 'ja')).toEqual(['今日は雨です。', '明日は晴れます。']);
});

test('sentenceAt: returns the sentence at an offset, the next one in a gap, and the first one after the end', () => {
  const sentences = sentencesOf('One. Two. Three.', 'en');
  expect([0, 6, 9, 15, 99].map((place) => sentenceAt(sentences, place))).toEqual([0, 1, 2, 2, 0]);
});
