import { expect, it } from 'vitest';
import { findMatches } from './find-in-text.ts';

it('findMatches: returns all matches in order, with or without case, and takes special characters literally', () => {
  expect(findMatches('Rye and rye', 'rye', false)).toEqual([
    { start: 0, end: 3 },
    { start: 8, end: 11 },
  ]);
  expect(findMatches('Rye and rye', 'rye', true)).toEqual([{ start: 8, end: 11 }]);
  expect(findMatches('1.00 and 1x00', '1.00', false)).toEqual([{ start: 0, end: 4 }]);
  expect(findMatches('aaa', 'aa', false)).toEqual([{ start: 0, end: 2 }]);
  expect(findMatches('İzmir ÇAY', 'çay', false)).toEqual([{ start: 6, end: 9 }]);
  expect(findMatches('a', '', false)).toEqual([]);
});
