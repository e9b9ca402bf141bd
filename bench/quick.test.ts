import { expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import type { Baseline, RecordedSet } from './baseline.ts';
import type { PictureSet } from './corpus.ts';
import { formatQuick, inMinutes, pickQuick } from './quick.ts';
import { reportLosses } from './silent-loss.ts';

const setOf = (names: readonly string[], exact = false): PictureSet => ({
  name: 'pages',
  cases: names.map((name) => ({ name, file: '', truth: '', foldCase: false, exact })),
});
const recordedWith = (hits: Record<string, number>): RecordedSet => ({
  calibrationGap: 0,
  filterLoss: 0,
  cases: Object.fromEntries(
    Object.entries(hits).map(([name, hit]) => [
      name,
      { counts: { hits: hit, read: 100, expected: 100 }, cer: 0 },
    ]),
  ),
});
const namesOf = ({ cases }: PictureSet) => cases.map(({ name }) => name);

test('pickQuick: takes the two hardest pictures and an easier one of a small set, in the order of the set', () => {
  const set = setOf(['a', 'b', 'c', 'd', 'e', 'f']);
  const recorded = recordedWith({ a: 90, b: 10, c: 99, d: 95, e: 20, f: 98 });
  // From the hardest: a, d, f, c. The middle picture of the easier half is taken.
  expect(namesOf(pickQuick(set, recorded))).toEqual(['b', 'c', 'e']);
  expect(namesOf(pickQuick(set, recorded))).toEqual(namesOf(pickQuick(set, recorded)));
});

test('pickQuick: takes two ordinary pictures of a large set, outside the hardest third', () => {
  const names = Array.from({ length: 14 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  const recorded = recordedWith(Object.fromEntries(names.map((name, i) => [name, 50 + i])));
  expect(namesOf(pickQuick(setOf(names), recorded))).toEqual(['p00', 'p01', 'p08', 'p12']);
});

test('pickQuick: prefers pictures with more words among equally bad ones', () => {
  const recorded = recordedWith({ a: 0, b: 0, c: 0, d: 90 });
  recorded.cases.a!.counts.expected = 1;
  expect(namesOf(pickQuick(setOf(['a', 'b', 'c', 'd']), recorded))).toEqual(['b', 'c', 'd']);
});

test('pickQuick: adds pictures without a record if there are too few, also for a set without a record', () => {
  expect(namesOf(pickQuick(setOf(['a', 'b', 'c', 'd']), recordedWith({ d: 90 })))).toEqual(['a', 'b', 'd']);
  expect(namesOf(pickQuick(setOf(['a', 'b', 'c', 'd']), undefined))).toEqual(['a', 'b', 'c']);
});

test('pickQuick: takes a small set and a set of exact words completely', () => {
  expect(namesOf(pickQuick(setOf(['a', 'b']), recordedWith({ a: 90, b: 80 })))).toEqual(['a', 'b']);
  const reports = Array.from({ length: 40 }, (_, i) => `${i}`);
  expect(namesOf(pickQuick(setOf(reports, true), undefined))).toEqual(reports);
});

test('formatQuick: the change covers the pictures in the baseline, and losses are per 1,000 expected words', () => {
  const losses = reportLosses({ expected: 200, wrong: 1, missing: 5, unmarked: 3 });
  const report = {
    name: 'pages',
    pictures: 2,
    engine: { f1: 0.7 },
    losses,
    timeRatio: 1.234,
    cases: [
      { name: 'a', data: null, counts: { hits: 90, read: 100, expected: 100 } },
      { name: 'new', data: null, counts: { hits: 50, read: 100, expected: 100 } },
    ],
  } as unknown as SetReport;
  const baseline: Baseline = { recordedAt: '', sets: { pages: recordedWith({ a: 95, b: 10 }) } };
  const rowsOf = (table: string) => table.split('\n').map((row) => row.trim().split(/ {2,}/));
  const [, pages, all] = rowsOf(formatQuick([report], baseline));
  expect(pages).toEqual([
    'pages',
    '2',
    '0.700',
    '0.950',
    '−0.050',
    '25.0 (5)',
    '5.0 (1)',
    '15.0 (3)',
    '–',
    '1.23',
  ]);
  expect(all).toEqual(['all', '2', '25.0 (5)', '5.0 (1)', '15.0 (3)']);

  baseline.sets.pages!.cases.a!.losses = { expected: 100, wrong: 0, missing: 1, unmarked: 1 };
  expect(rowsOf(formatQuick([report], baseline))[1]?.[8]).toBe('10.0');
  expect(rowsOf(formatQuick([report], null))[1]?.slice(3, 5)).toEqual(['–', '–']);
});

test('inMinutes: formats minutes and seconds', () => {
  expect([0, 59_600, 245_000].map(inMinutes)).toEqual(['0 min 00 s', '1 min 00 s', '4 min 05 s']);
});
