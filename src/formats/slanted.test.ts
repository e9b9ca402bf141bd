import { expect, test } from 'vitest';
import { slantedLines } from './slanted.ts';

const word = (x: number, y: number) => ({ x, y, width: 80, height: 30 });

test('slantedLines: a single word on its line has the slant of the other lines', () => {
  const line = (y: number) => [word(0, y), word(100, y + 10), word(200, y + 20)];
  const [first, lone] = slantedLines([line(0), [word(0, 300)], line(100)]);
  expect(first![0]!.angle).toBeCloseTo(Math.atan(0.1));
  expect(lone![0]!.angle).toBeCloseTo(Math.atan(0.1));
});

test('slantedLines: a page of single words is horizontal', () => {
  expect(slantedLines([[word(0, 0)], [word(20, 90)]]).flat()).toMatchObject([{ angle: 0 }, { angle: 0 }]);
});
