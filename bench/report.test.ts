import { expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import { table, turnLosses } from './report.ts';

test('columns line up: names on the left, figures on the right', () => {
  expect(
    table([
      ['set', 'F1'],
      ['receipts', '.9'],
    ]),
  ).toBe('set       F1\nreceipts  .9');
});

test('what turning costs is told turn by turn, against the same pages upright', () => {
  const set = (name: string, f1: number, cases: [name: string, hits: number][]) =>
    ({
      name,
      engine: { f1 },
      cases: cases.map(([name, hits]) => ({ name, counts: { hits, read: 10, expected: 10 } })),
    }) as unknown as SetReport;
  const upright = set('pages', 1, []);
  const turned = set('pages-turned', 0, [
    ['a.3B@90', 10],
    ['b@90', 8],
    ['a.3B@-7', 5],
  ]);
  const losses = turnLosses([upright, turned]);
  expect(losses.map((one) => one.degrees)).toEqual([90, -7]);
  expect(losses.map((one) => one.loss)).toEqual([expect.closeTo(0.1), expect.closeTo(0.5)]);
  expect(turnLosses([turned])).toEqual([]);
});
