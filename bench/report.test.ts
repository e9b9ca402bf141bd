import { expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import { comparisons, table, turnLosses } from './report.ts';

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

test('beside others every set counts the same in the mean, and a set that nobody else read is left out', () => {
  const reader = (f1: number, total: number) => ({ f1, cer: 1 - f1, total });
  const set = (name: string, pictures: number, own: number, other?: number) =>
    ({
      name,
      pictures,
      engine: reader(own, 2000 * pictures),
      plain: null,
      before: null,
      peers: other === undefined ? {} : { 'Another Reader': reader(other, 4000 * pictures) },
    }) as unknown as SetReport;
  const [words, characters, times] = comparisons([
    set('pages', 4, 1, 0.5),
    set('signs', 1, 0.5, 0.25),
    set('turned', 9, 0.1),
  ]);
  expect(words).toEqual({
    figure: 'word F1',
    rows: [
      ['set', 'pictures', 'Glyphlift', 'Another Reader'],
      ['pages', '4', '1.000', '0.500'],
      ['signs', '1', '0.500', '0.250'],
      ['mean of the sets', '', '0.750', '0.375'],
    ],
  });
  expect(characters?.rows.at(-1)).toEqual(['mean of the sets', '', '0.250', '0.625']);
  expect(times?.rows.map((row) => row.slice(2))).toEqual([
    ['Glyphlift', 'Another Reader'],
    ['2.00', '4.00'],
    ['2.00', '4.00'],
    ['2.00', '4.00'],
  ]);
  expect(comparisons([set('turned', 9, 0.1)])).toEqual([]);
});
