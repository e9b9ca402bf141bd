import { describe, expect, it, test } from 'vitest';
import { type Advantage, isTornAmount, likeliestLookAlike, repairWord } from './repair.ts';

const lexicon = {
  has: (word: string) => ['total', 'bill', 'so', 'invoice', 'old'].includes(word.toLowerCase()),
  letters: new Set<string>(),
  words: () => [],
  near: () => new Set<string>(),
};

/** The picture supports one text as well as another. */
const EITHER = () => 0;

describe('repairWord: a word with a look-alike in it', () => {
  it.each([
    ['T0TAL', 'TOTAL', 'a digit between letters'],
    ['tota1', 'total', 'a digit at the end of a known word'],
    ['1O.5O', '10.50', 'letters in an amount'],
    ['RMO.50', 'RM0.50', 'a letter after a currency'],
    ['12.OO', '12.00', 'letters for the hundredths'],
    ['.17.80', '17.80', 'the last dot of a leader before an amount'],
    ['2O18', '2018', 'a letter between digits'],
    ['lnvoice', 'Invoice', 'a small l before a consonant'],
    ['N0', 'NO', 'the one short word that is common'],
    ['√√', '✓✓', 'radicals without a number'],
  ])('%s is corrected to %s: %s', (text, mended) => {
    expect(repairWord(text, lexicon, EITHER)).toBe(mended);
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
    'SW1A',
    'EC2Y',
    'XR5TW',
    'SAVE5NOW',
    'FACE8B',
    'Fe2O3',
    '0O1I',
    '12l',
    'lxml',
    'lsblk',
    'T8',
  ])('%s stays unchanged', (text) => {
    expect(repairWord(text, lexicon, EITHER)).toBe(text);
  });
});

describe('repairWord: a figure among two or three capitals', () => {
  const known = { ...lexicon, has: (word: string) => word === 'ASB' };
  it('stays, as codes have it, where the picture shows it rather than the word', () => {
    expect(repairWord('A5B', known, () => -7)).toBe('A5B');
  });
  it('is corrected where the picture shows the word', () => {
    expect(repairWord('A5B', known, () => 1)).toBe('ASB');
  });
});

test.each([
  ['T0TAL', 'TOTAL'],
  ['2O18', '2018'],
  ['1O.5O', '10.50'],
])('repairWord: %s stays where the picture clearly contradicts %s', (text) => {
  expect(repairWord(text, lexicon, () => -20)).toBe(text);
});

test.each([
  ['Ibs', 'lbs'],
  ['Itd', 'ltd'],
  ['It', 'It'],
  ['0ld', 'Old'],
  [',,Guten', '„Guten'],
  [',so‘', '‚so‘'],
  [',so‘.', '‚so‘.'],
  [',so', ',so'],
  ['so,‘', 'so,‘'],
])('repairWord: %s becomes %s', (text, expected) => {
  expect(repairWord(text, lexicon, EITHER)).toBe(expected);
});

describe('isTornAmount', () => {
  it.each([
    ['7.', '42', true],
    ['7', '.42', true],
    ['RM12', ',50', true],
    ['7.', '423', false],
    ['12', '50', false],
    ['end.', '42', false],
  ])('%s and %s: %s', (before, after, torn) => {
    expect(isTornAmount(before, after, 0.2)).toBe(torn);
  });

  it('is false where a space of the text lies between: "rgb(255, 90"', () => {
    expect(isTornAmount('rgb(255,', '90', 0.6)).toBe(false);
  });

  it('is false where the gap is as wide as the other spaces of the line', () => {
    expect(isTornAmount('4,', '47', 0.33, 0.36)).toBe(false);
    expect(isTornAmount('4,', '47', 0.2, 0.36)).toBe(true);
  });
});

test.each([
  ['<leur›', '‹leur›'],
  ['‹leur>,', '‹leur›,'],
  ['<leur>', '<leur>'],
  ['>leur<,', '›leur‹,'],
])('repairWord: "%s" becomes "%s"', (text, repaired) => {
  expect(repairWord(text, lexicon, EITHER)).toBe(repaired);
});

test('repairWord: marks that the picture clearly shows as > and < stay', () => {
  expect(repairWord('>leur<', lexicon, () => -20)).toBe('>leur<');
});

describe('likeliestLookAlike', () => {
  const leads =
    (known: Readonly<Record<string, number>>): Advantage =>
    (_text, over) =>
      known[over] ?? 30;

  it('returns the code with the smallest lead that differs by one look-alike', () => {
    expect(likeliestLookAlike('B0G5', leads({ BOG5: 5, B0GS: 2 }))).toBe('B0GS');
  });

  it.each([
    ['a code that was read clearly', 'B0G5', {}],
    ['a zero whose shape has decided', 'B0G5', { BOG5: -20 }],
    ['a number', '4085', { '40B5': 1 }],
    ['a word', 'BOSS', { '8OSS': 1 }],
    ['a measure', '12ml', { '12mI': 1 }],
  ])('is undefined for %s', (_what, text, known) => {
    expect(likeliestLookAlike(text, leads(known))).toBeUndefined();
  });
});
