import { expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import { comparisons, notesOf, overallRatios, table, turnLosses } from './report.ts';

test('table: aligns names left and figures right', () => {
  expect(
    table([
      ['set', 'F1'],
      ['receipts', '.9'],
    ]),
  ).toBe('set       F1\nreceipts  .9');
});

test('turnLosses: returns the loss for each rotation, relative to the same pages upright', () => {
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

test('comparisons: sets have equal weights in the mean, and sets without another reader are left out', () => {
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

test('notesOf: counts pictures without a mistake in exact sets, and lists left-out pictures by set and language', () => {
  const exact = {
    name: 'reports',
    exact: true,
    pictures: 2,
    cases: [{ counts: { hits: 3, read: 3, expected: 3 } }, { counts: { hits: 3, read: 4, expected: 3 } }],
  } as unknown as SetReport;
  const leftOut = [
    { set: 'real-languages', pictures: 2, languages: ['fra', 'spa'] },
    { set: 'real-business', pictures: 1, languages: ['fra'] },
  ];
  expect(notesOf({ sets: [exact], leftOut })).toEqual([
    'reports: exact words, case and signs included; 1 of 2 without a mistake',
    'Left out: 3 pictures (real-languages 2, real-business 1) in languages without trained data here: fra, spa. --data FOLDER says where there is some.',
  ]);
  expect(notesOf({ sets: [{ ...exact, exact: false }], leftOut: [] })).toEqual([]);
});

test('overallRatios: counts only pictures that both could read', () => {
  const set = (beside: SetReport['beside']) => ({ beside }) as unknown as SetReport;
  const times = (total: number) => ({ total, computed: total * 2 });
  const both = set({ engine: times(300), plain: times(200) });
  expect(overallRatios([both, set(null)])).toEqual({ time: 1.5, computed: 1.5 });
  expect(overallRatios([set(null)])).toBeNull();
});
