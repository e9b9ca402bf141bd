import { describe, expect, test } from 'vitest';
import {
  addCounts,
  calibrationBins,
  calibrationGap,
  characterErrorRate,
  countFiltered,
  countWords,
  editDistance,
  exactTokens,
  f1,
  filterRates,
  judgeWords,
  orderLoss,
  percentile,
  tokens,
} from './measure.ts';

describe('tokens', () => {
  test('punctuation stays in a token between two digits and separates tokens elsewhere', () => {
    expect(tokens('Total: $1,234.50 on 12/03-2024, ex-works 3.')).toEqual([
      'total',
      '1,234.50',
      'on',
      '12/03-2024',
      'ex',
      'works',
      '3',
    ]);
  });

  test('punctuation between a letter and a digit separates tokens', () => {
    expect(tokens('A-4 v.2 4-A')).toEqual(['a', '4', 'v', '2', '4', 'a']);
  });

  test('letters of every script count, precomposed or not', () => {
    expect(tokens('Cafe\u0301 МОСКВА 東京')).toEqual(['café', 'москва', '東京']);
  });
});

describe('exactTokens', () => {
  test('tokens keep case and punctuation, and only white space separates them', () => {
    expect(exactTokens(' 10 µm,\n\tSW1A 2aa\u00a0₹499 ')).toEqual(['10', 'µm,', 'SW1A', '2aa', '₹499']);
  });

  test('curly, low and straight quotes are equal, guillemets and primes are not', () => {
    expect(exactTokens('“it’s” „so“ ‚no‘')).toEqual(exactTokens('"it\'s" "so" \'no\''));
    expect(exactTokens('«so» 5′')).not.toEqual(exactTokens('"so" 5\''));
  });

  test('composed and decomposed letters are the same', () => {
    expect(exactTokens('Cafe\u0301')).toEqual(['Café']);
  });
});

describe('orderLoss', () => {
  const columns = tokens('one two three four five six');
  test('is zero if the right words are in order, whatever is missing or wrong', () => {
    expect(orderLoss(columns, columns)).toBe(0);
    expect(orderLoss(tokens('one two nonsense five six'), columns)).toBe(0);
    expect(orderLoss(tokens('nothing true'), columns)).toBe(0);
  });
  test('is the share of right words outside the longest common subsequence', () => {
    // Two columns that were read line by line across both.
    expect(orderLoss(tokens('one four two five three six'), columns)).toBeCloseTo(1 / 3);
    expect(orderLoss(tokens('four five six one two three'), columns)).toBeCloseTo(1 / 2);
  });
});

describe('f1: word F1', () => {
  test('words are matched one to one, so a repeated word counts as often as in the ground truth', () => {
    expect(countWords(['a', 'a', 'b'], ['a', 'b', 'b'])).toEqual({ hits: 2, read: 3, expected: 3 });
  });

  test('hits are summed over pictures before the ratio is computed', () => {
    const sum = addCounts([countWords(['a'], ['a']), countWords(['x', 'y', 'z'], ['a'])]);
    expect(f1(sum)).toBeCloseTo(2 / 6);
  });

  test('an empty result is perfect only for an empty ground truth', () => {
    expect(f1(countWords([], []))).toBe(1);
    expect(f1(countWords([], ['a']))).toBe(0);
  });
});

describe('characterErrorRate', () => {
  test('white space is folded and case is not', () => {
    expect(characterErrorRate('one  two\nthree', 'one two three')).toBe(0);
    expect(characterErrorRate('One', 'one')).toBeCloseTo(1 / 3);
  });

  test('lines in the wrong order cost characters', () => {
    expect(characterErrorRate('world hello', 'hello world')).toBeGreaterThan(0.5);
  });

  test('the distance counts code points, not UTF-16 units', () => {
    expect(editDistance('a😀b', 'ab')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});

describe('calibrationGap', () => {
  test('words with a confidence of .9 and an accuracy of .5 give a gap of .4', () => {
    const judged = judgeWords(
      [
        { text: 'right', confidence: 0.9 },
        { text: 'wrong', confidence: 0.9 },
        { text: '—', confidence: 0.1 },
      ],
      ['right'],
    );
    expect(judged).toHaveLength(2);
    expect(calibrationGap(calibrationBins(judged))).toBeCloseTo(0.4);
  });

  test('with exact tokens a word of the wrong case is wrong', () => {
    const words = [{ text: 'Total', confidence: 0.9 }];
    expect(judgeWords(words, ['total'], exactTokens)).toEqual([{ confidence: 0.9, right: false }]);
    expect(judgeWords(words, ['total'])).toEqual([{ confidence: 0.9, right: true }]);
  });

  test('bins are weighted by their words, and a confidence of 1 belongs to the last bin', () => {
    const bins = calibrationBins([
      { confidence: 1, right: true },
      { confidence: 1, right: true },
      { confidence: 1, right: true },
      { confidence: 0.25, right: true },
    ]);
    expect(bins.map((bin) => [bin.from, bin.words])).toEqual([
      [0.2, 1],
      [0.9, 3],
    ]);
    expect(calibrationGap(bins)).toBeCloseTo(0.75 / 4);
  });
});

describe('filtering', () => {
  test('a hidden word in the ground truth is a loss, and another hidden word is a true positive', () => {
    const counts = countFiltered(['file', 'edit', 'o'], ['o', 'help'], ['file', 'edit', 'help']);
    expect(counts).toEqual({ hiddenFalse: 1, hiddenTrue: 1, visibleFalse: 1, expected: 3 });
    expect(filterRates([counts])).toEqual({ precision: 0.5, recall: 0.5, loss: 1 / 3 });
  });

  test('a right word that is visible is no loss if it is also hidden elsewhere', () => {
    expect(countFiltered(['total'], ['total'], ['total']).hiddenTrue).toBe(0);
  });
});

test('percentile: returns one of the values', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(percentile([4, 1, 3, 2], 0.95)).toBe(4);
  expect(percentile([], 0.5)).toBe(0);
});
