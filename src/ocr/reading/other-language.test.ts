import { expect, it } from 'vitest';
import type { Word } from '../types.ts';
import type { Lexicon } from './lexicon.ts';
import { type LanguageIdentifier, lessSure, otherLanguage } from './other-language.ts';

const ENGLISH = new Set(['the', 'old', 'tower']);
const lexicon = { has: (word: string) => ENGLISH.has(word.toLowerCase()) } as Lexicon;
const saysFrench: LanguageIdentifier = () => [
  ['fra', 1],
  ['spa', 0.93],
  ['eng', 0.9],
];

const word = (text: string, confidence = 0.95): Word => ({
  text,
  confidence,
  box: { x: 0, y: 0, width: 10, height: 10 },
});
const times = (count: number, text: string, confidence?: number) =>
  Array.from({ length: count }, () => word(text, confidence));
const french = times(40, 'maison,');

it('otherLanguage: a text whose words the lexicon does not know is in the language that it resembles', async () => {
  expect(await otherLanguage(french, ['eng'], lexicon, saysFrench)).toBe('fra');
  expect(await otherLanguage([...french, ...times(100, 'the')], ['eng'], lexicon, saysFrench)).toBe('fra');
});

it.each([
  ['has words that the dictionary knows', times(40, 'tower'), ['eng'], saysFrench],
  ['has few words', times(29, 'maison'), ['eng'], saysFrench],
  ['has few words that are sure', [...times(29, 'maison'), ...times(40, 'ma1s', 0.4)], ['eng'], saysFrench],
  ['is of figures', times(40, '12.50'), ['eng'], saysFrench],
  ['was read in the language that it resembles', french, ['eng', 'fra'], saysFrench],
  [
    'resembles the languages that it was read in as much',
    french,
    ['spa', 'eng'],
    likely('fra', 1, 'spa', 0.98),
  ],
  ['resembles two others alike', french, ['eng'], likely('fra', 1, 'cat', 0.999, 'eng', 0.9)],
  ['was read in an unsupported script', french, ['Cyrillic'], saysFrench],
  ['resembles nothing', french, ['eng'], () => []],
] as const)('otherLanguage: a text that %s gives no language', async (_, words, languages, judge) => {
  expect(await otherLanguage(words, languages, lexicon, judge)).toBeUndefined();
});

it('lessSure: words unknown to the wrong lexicon lose confidence, and the others keep theirs', () => {
  expect(lessSure(word('maison', 0.9), lexicon).confidence).toBeLessThan(0.8);
  expect(lessSure(word('“Tower”', 0.9), lexicon).confidence).toBe(0.9);
  expect(lessSure(word('1836', 0.9), lexicon).confidence).toBe(0.9);
});

function likely(...pairs: readonly (string | number)[]): LanguageIdentifier {
  return () => pairs.flatMap((code, at) => (at % 2 ? [] : [[String(code), Number(pairs[at + 1])] as const]));
}
