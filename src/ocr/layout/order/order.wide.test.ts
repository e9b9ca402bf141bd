import { describe, expect, test } from 'vitest';
import { Effort, type TextBox } from './line-fragments.ts';
import { orderLines } from './order.ts';

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function* chance() {
  for (let seed = 7; ; ) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    yield seed / 2 ** 32;
  }
}

const boxes = (count: number, box: (i: number, random: () => number) => TextBox) => {
  const numbers = chance();
  return Array.from({ length: count }, (_, i) => box(i, () => numbers.next().value!));
};

describe('orderLines: a page with thousands of boxes', () => {
  const pages: Record<string, (count: number) => TextBox[]> = {
    'in a grid': (count) =>
      boxes(count, (i) => ({
        x: (i % 50) * 60,
        y: Math.floor(i / 50) * 20,
        width: 45 + (i % 10),
        height: 12,
      })),
    'in four columns that drift': (count) =>
      boxes(count, (i) => ({
        x: (i % 4) * 420,
        y: Math.floor(i / 4) * (20 + (i % 4) * 1.5),
        width: 400 - ((i * 13) % 30),
        height: 12,
      })),
    'in forty columns that drift': (count) =>
      boxes(count, (i) => ({
        x: (i % 40) * 120,
        y: Math.floor(i / 40) * (20 + (i % 4) * 1.5),
        width: 100 - ((i * 13) % 15),
        height: 12,
      })),
    'in pages of two columns below one another': (count) =>
      boxes(count, (i) => {
        const [top, line] = [Math.floor(i / 25) * 600, Math.floor(((i % 25) - 1) / 2)];
        if (i % 25 === 0) return { x: 0, y: top, width: 840, height: 40 };
        const isLeft = i % 2 === 1;
        return { x: isLeft ? 0 : 440, y: top + 80 + line * (isLeft ? 24 : 27), width: 400, height: 16 };
      }),
    'in one row': (count) => boxes(count, (i) => ({ x: i * 30, y: (i * 7) % 5, width: 20, height: 12 })),
    'down a staircase': (count) => boxes(count, (i) => ({ x: i * 5, y: i * 5, width: 60, height: 12 })),
    'all in one place': (count) => boxes(count, () => ({ x: 100, y: 100, width: 80, height: 12 })),
    'nearly in one place': (count) =>
      boxes(count, (_, random) => ({
        x: random(),
        y: random(),
        width: 80 + random(),
        height: 12 + random(),
      })),
    'of all sizes upon each other': (count) =>
      boxes(count, (_, random) => ({
        x: random() * 4000,
        y: random() * count,
        width: 1 + random() ** 6 * 400,
        height: 1 + random() ** 6 * 400,
      })),
    'half of them as high as the page': (count) =>
      boxes(count, (i) => ({ x: i * 10, y: 0, width: 8, height: i % 2 ? 12 : 12 * count })),
    'strewn about': (count) =>
      boxes(count, (_, random) => ({
        x: random() * 4000,
        y: random() * 4 * count,
        width: 10 + random() * 90,
        height: 8 + random() * 22,
      })),
  };

  test.each(Object.entries(pages))('%s costs in proportion to their number', (_how, page) => {
    const looksAt = (count: number) => {
      const effort = new Effort();
      expect(orderLines(page(count), {}, effort).flatMap((line) => line.boxes)).toHaveLength(count);
      return effort.looks;
    };
    const few = looksAt(1_000);
    expect(few).toBeGreaterThan(1_000);
    expect(looksAt(8_000)).toBeLessThan(12 * few);
  });

  test('%s stops soon after an abort at any step', () => {
    const page = pages['in forty columns that drift']!(4_000);
    const whole = new Effort();
    orderLines(page, {}, whole);
    for (const asked of [1, 10, 30]) {
      let times = 0;
      const effort = new Effort(() => {
        if (++times === asked) throw new Error('given up');
      });
      expect(() => orderLines(page, {}, effort)).toThrow('given up');
      expect(effort.looks).toBeLessThan(asked * 30_000);
      expect(effort.looks).toBeLessThan(whole.looks);
    }
  });
});
