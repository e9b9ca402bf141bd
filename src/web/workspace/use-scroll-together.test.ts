import { expect, it } from 'vitest';
import { across } from './use-scroll-together.ts';

const line = (text: number, picture: number) => ({ text, picture });

it('scroll together: a place between two lines is as far between them in the other pane', () => {
  const lines = [line(10, 100), line(30, 200), line(50, 300)];
  expect(across(lines, 'text', 25, 0)).toBe(175);
  expect(across(lines, 'picture', 225, 0)).toBe(35);
});

it('scroll together: beyond the last line it stays there, and without any line nowhere', () => {
  const lines = [line(10, 100), line(30, 200)];
  expect(across(lines, 'text', 500, 0)).toBe(200);
  expect(across([], 'text', 500, 0)).toBeNull();
});

it('scroll together: of two columns the one in sight goes on', () => {
  const columns = [line(10, 100), line(30, 200), line(50, 100), line(70, 200)];
  expect(across(columns, 'picture', 105, 20)).toBe(11);
  expect(across(columns, 'picture', 105, 60)).toBe(51);
  expect(across(columns, 'text', 45, 0), 'the second column begins at the top again').toBe(100);
});
