import { expect, it } from 'vitest';
import { boundsOf, median, middleOf } from './boxes.ts';

it('boundsOf: contains every box, and is null without boxes', () => {
  const boxes = [
    { x: 4, y: 10, width: 6, height: 2 },
    { x: -1, y: 11, width: 3, height: 9 },
  ];
  expect(boundsOf(boxes)).toEqual({ x: -1, y: 10, width: 11, height: 10 });
  expect(boundsOf([])).toBeNull();
});

it('middleOf: is the center of a box', () => {
  expect(middleOf({ x: 4, y: 10, width: 6, height: 2 })).toEqual({ x: 7, y: 11 });
});

it('median: is the middle value, the upper of two middle values, and 0 for an empty list', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([1, 2, 3, 4])).toBe(3);
  expect(median([])).toBe(0);
});
