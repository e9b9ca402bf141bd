import { expect, it } from 'vitest';
import { listOf, nearest, wholeNumber } from './command-line.ts';

it('listOf: splits repeated options at commas and plus signs', () => {
  expect(listOf(['md', 'pdf,text'])).toEqual(['md', 'pdf', 'text']);
  expect(listOf(['deu+eng'])).toEqual(['deu', 'eng']);
});

it.each(['0', '257', '1.5', '', 'x', '1e9'])('wholeNumber: rejects %j as a number of jobs', (typed) => {
  expect(() => wholeNumber('jobs', typed, 1, 256)).toThrow('--jobs takes a whole number from 1 to 256');
});

it('nearest: returns the nearest word, and undefined if all words are too different', () => {
  expect(nearest('reed', ['read', 'watch'])).toBe('read');
  expect(nearest('lang', ['languages', 'serve'])).toBe('languages');
  expect(nearest('xyzzy', ['read', 'watch'])).toBeUndefined();
});
