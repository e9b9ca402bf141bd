import { expect, it } from 'vitest';
import { matchingPosition } from './use-scroll-together.ts';

const line = (text: number, picture: number) => ({ text, picture });

it('matchingPosition: interpolates between two lines', () => {
  const lines = [line(10, 100), line(30, 200), line(50, 300)];
  expect(matchingPosition(lines, 'text', 25, 0)).toBe(175);
  expect(matchingPosition(lines, 'picture', 225, 0)).toBe(35);
});

it('matchingPosition: is the last line’s beyond it, and null without lines', () => {
  const lines = [line(10, 100), line(30, 200)];
  expect(matchingPosition(lines, 'text', 500, 0)).toBe(200);
  expect(matchingPosition([], 'text', 500, 0)).toBeNull();
});

it('matchingPosition: prefers the column that is visible', () => {
  const columns = [line(10, 100), line(30, 200), line(50, 100), line(70, 200)];
  expect(matchingPosition(columns, 'picture', 105, 20)).toBe(11);
  expect(matchingPosition(columns, 'picture', 105, 60)).toBe(51);
  expect(matchingPosition(columns, 'text', 45, 0), 'the second column starts at the top').toBe(100);
});
