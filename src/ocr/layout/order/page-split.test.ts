import { describe, expect, it } from 'vitest';
import type { TextBox } from './line-fragments.ts';
import { orderLines } from './order.ts';

/** Lines L1, L2, … of running text, the last of each five a little short. */
function prose(label: string, x: number, y: number, width: number, lines: number): TextBox[] {
  return Array.from({ length: lines }, (_, i) => ({
    x,
    y: y + i * 20,
    width: width * (i % 5 === 4 ? 0.7 : 1 - (i % 3) * 0.04),
    height: 16,
    text: `${label}${i + 1} and so on`,
  }));
}

function box(text: string, x: number, y: number, width: number): TextBox {
  return { x, y, width, height: 16, text };
}

/** The first word of each box, line by line. */
function read(boxes: readonly TextBox[], rightToLeft = false): string[] {
  return orderLines(boxes, { rightToLeft }).map((line) =>
    line.boxes.map((index) => boxes[index]!.text!.split(' ')[0]).join(' '),
  );
}

const numbered = (label: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${label}${i + 1}`);

describe('orderLines: two open pages side by side', () => {
  const formula = [box('left-formula', 100, 400, 60), box('(1)', 380, 400, 20)];
  const left = [box('12', 100, 20, 20), ...prose('a', 50, 60, 350, 16), ...formula];
  const right = [
    box('head', 500, 20, 120),
    box('13', 830, 20, 20),
    ...prose('b', 500, 60, 350, 6),
    box('right-formula', 550, 200, 60),
    box('(2)', 830, 200, 20),
    ...prose('c', 500, 240, 350, 9),
  ];
  const leftRead = ['12', ...numbered('a', 16), 'left-formula (1)'];
  const rightRead = ['head 13', ...numbered('b', 6), 'right-formula (2)', ...numbered('c', 9)];

  it('are read one after the other, with their numbers, heads and loose lines', () => {
    expect(read([...right, ...left])).toEqual([...leftRead, ...rightRead]);
  });

  it('are read right page first where text runs from right to left', () => {
    expect(read([...left, ...right], true).slice(0, rightRead.length)).toContain('b1');
    expect(read([...left, ...right], true).slice(rightRead.length)).toContain('a1');
  });

  it('are split in spite of specks in the shadow of the fold', () => {
    const specks = [box('|', 440, 150, 6), box('.', 452, 290, 8)];
    const order = read([...left, ...specks, ...right]).filter((line) => line.length > 1 && line !== '| .');
    expect(order.indexOf('c9')).toBeGreaterThan(order.indexOf('b1'));
    expect(order.indexOf('head 13')).toBeGreaterThan(order.indexOf('a16'));
  });
});

describe('orderLines: a page that is not a spread', () => {
  it('is not split when a heading runs across its middle', () => {
    const boxes = [
      ...prose('a', 50, 60, 350, 8),
      ...prose('b', 500, 60, 350, 8),
      box('heading', 200, 240, 500),
      ...prose('c', 50, 280, 350, 8),
      ...prose('d', 500, 280, 350, 8),
    ];
    const parts = [numbered('a', 8), numbered('b', 8), ['heading'], numbered('c', 8), numbered('d', 8)];
    expect(read(boxes)).toEqual(parts.flat());
  });

  it('is a table, however wide: its rows are read across', () => {
    const boxes = Array.from({ length: 12 }, (_, i) => [
      box(`a${i}`, 50, 60 + 30 * i, 120),
      box(`b${i}`, 600, 60 + 30 * i, 90),
    ]).flat();
    expect(read(boxes)).toEqual(Array.from({ length: 12 }, (_, i) => `a${i} b${i}`));
  });
});
