import { expect, it } from 'vitest';
import { placesOf } from './find-in-text.ts';

it('find in text: every place in order, whatever the case, and signs as they are', () => {
  expect(placesOf('Rye and rye', 'rye', false)).toEqual([
    { start: 0, end: 3 },
    { start: 8, end: 11 },
  ]);
  expect(placesOf('Rye and rye', 'rye', true)).toEqual([{ start: 8, end: 11 }]);
  expect(placesOf('1.00 and 1x00', '1.00', false)).toEqual([{ start: 0, end: 4 }]);
  expect(placesOf('aaa', 'aa', false)).toEqual([{ start: 0, end: 2 }]);
  expect(placesOf('İzmir ÇAY', 'çay', false)).toEqual([{ start: 6, end: 9 }]);
  expect(placesOf('a', '', false)).toEqual([]);
});
