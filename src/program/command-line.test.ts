import { expect, it } from 'vitest';
import { listOf, nearest, wholeNumber } from './command-line.ts';

it('listOf: given repeated options, commas and plus signs, gives each value', () => {
  expect(listOf(['md', 'pdf,text'])).toEqual(['md', 'pdf', 'text']);
  expect(listOf(['deu+eng'])).toEqual(['deu', 'eng']);
});

it.each(['0', '257', '1.5', '', 'x', '1e9'])(
  'wholeNumber: given %j as a number of jobs, refuses it',
  (typed) => {
    expect(() => wholeNumber('jobs', typed, 1, 256)).toThrow('--jobs takes a whole number from 1 to 256');
  },
);

it('nearest: given a word that is far from all others, returns none', () => {
  expect(nearest('reed', ['read', 'watch'])).toBe('read');
  expect(nearest('lang', ['languages', 'serve'])).toBe('languages');
  expect(nearest('xyzzy', ['read', 'watch'])).toBeUndefined();
});
