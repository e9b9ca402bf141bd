import { describe, expect, it } from 'vitest';
import { isTornAmount, repairWord } from './repair.ts';

const lexicon = {
  has: (word: string) => ['total', 'bill', 'so'].includes(word.toLowerCase()),
  letters: new Set<string>(),
  words: () => [],
  near: () => new Set<string>(),
};

describe('a word with a look-alike in it', () => {
  it.each([
    ['T0TAL', 'TOTAL', 'a digit between letters'],
    ['tota1', 'total', 'a digit at the end of a known word'],
    ['1O.5O', '10.50', 'letters in an amount'],
    ['RMO.50', 'RM0.50', 'a letter after a currency'],
    ['12.OO', '12.00', 'letters for the hundredths'],
    ['2O18', '2018', 'a letter between digits'],
    ['lnvoice', 'Invoice', 'a small l before a consonant'],
    ['N0', 'NO', 'the one short word that is common'],
  ])('%s is mended to %s: %s', (text, mended) => {
    expect(repairWord(text, lexicon)).toBe(mended);
  });

  it.each([
    'B12',
    'A4',
    'M16X',
    'SKU-1042',
    'KB-8812',
    '3rd',
    'h2o',
    '75cl',
    'llama',
    'U2',
    'v1.0.2',
    'C0FE11',
  ])('%s stays as it is', (text) => {
    expect(repairWord(text, lexicon)).toBe(text);
  });
});

describe('a torn amount', () => {
  it.each([
    ['7.', '42', true],
    ['7', '.42', true],
    ['RM12', ',50', true],
    ['7.', '423', false],
    ['12', '50', false],
    ['end.', '42', false],
  ])('%s and %s: %s', (before, after, torn) => {
    expect(isTornAmount(before, after)).toBe(torn);
  });
});
