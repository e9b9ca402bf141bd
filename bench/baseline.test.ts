import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import { findDrops, readBaseline, recordBaseline, sharedCases } from './baseline.ts';
import { reportLosses } from './silent-loss.ts';

const reader = { f1: 0, cer: 0, orderLoss: 0, p50: 0, p95: 0, total: 0, computed: 0 };

/** A set of pictures of 100 words each; `hits`: correctly read words of each picture. */
function setReport(name: string, hits: number[], gap = 0.02): SetReport {
  return {
    name,
    pictures: hits.length,
    engine: reader,
    plain: null,
    before: null,
    peers: {},
    exact: false,
    stages: [],
    losses: reportLosses({ expected: 0, wrong: 0, missing: 0, unmarked: 0 }),
    beside: null,
    timeRatio: null,
    computedRatio: null,
    worst: { name: '0', f1: 1 },
    calibration: { gap, bins: [] },
    filter: { precision: null, recall: null, loss: 0, unfilteredF1: 1 },
    cases: hits.map((hit, i) => ({
      name: `${i}`,
      data: null,
      counts: { hits: hit, read: 100, expected: 100 },
      losses: { expected: 100, wrong: 1, missing: 100 - hit, unmarked: 2 },
      cer: 1 - hit / 100,
      orderLoss: 0,
      milliseconds: 1,
      plainF1: null,
    })),
  };
}

describe('findDrops', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'baseline-'));
    file = join(folder, 'baseline.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const record = (...reports: SetReport[]) => recordBaseline(reports, new Date(0), file);

  test('passes an equal run and one within the tolerance', () => {
    const baseline = record(setReport('pages', [97, 95]));
    expect(findDrops([setReport('pages', [97, 95])], baseline)).toEqual([]);
    expect(findDrops([setReport('pages', [98, 96], 0.01)], baseline)).toEqual([]);
  });

  test('distinguishes lost words and wrong characters', () => {
    const baseline = record(setReport('pages', [97, 95]));
    const drops = findDrops([setReport('pages', [97, 93])], baseline);
    expect(drops.map((drop) => [drop.set, drop.figure])).toEqual([
      ['pages', 'word F1'],
      ['pages', 'CER'],
    ]);
  });

  test('compares a sample with the same pictures of the baseline, without the figures of whole sets', () => {
    const baseline = record(setReport('pages', [97, 20, 95]));
    expect(findDrops([setReport('pages', [97], 0.5)], baseline)).toEqual([]);
    expect(findDrops([setReport('pages', [90], 0.5)], baseline)).toHaveLength(2);
  });

  test('reports a wider calibration gap of a whole set', () => {
    const baseline = record(setReport('pages', [97]));
    expect(findDrops([setReport('pages', [97], 0.06)], baseline).map((drop) => drop.figure)).toEqual([
      'calibration gap',
    ]);
  });

  test('lists pictures that were recorded with other trained data, and does not compare them', () => {
    const report = setReport('real-languages', [90, 90]);
    report.cases[0]!.data = 'fra:1';
    const baseline = record(report);
    const now = setReport('real-languages', [10, 90]);
    now.cases[0]!.data = 'fra:2';
    expect(findDrops([now], baseline)).toEqual([]);
    expect(sharedCases(now, baseline)).toMatchObject({ is: [{ name: '1' }], withOtherData: ['0'] });
    now.cases[0]!.data = 'fra:1';
    expect(findDrops([now], baseline)).not.toEqual([]);
  });

  test('records silent loss for each picture', () => {
    const { was } = sharedCases(setReport('pages', [97]), record(setReport('pages', [97, 95])));
    expect(was).toMatchObject([{ losses: { expected: 100, wrong: 1, missing: 3, unmarked: 2 } }]);
  });

  test('recordBaseline keeps sets that are not in the run', () => {
    record(setReport('pages', [97]));
    record(setReport('screens', [99]));
    expect(Object.keys(readBaseline(file)?.sets ?? {})).toEqual(['pages', 'screens']);
  });

  test('reports no drop for a set without a record', () => {
    const baseline = record(setReport('pages', [97]));
    expect(findDrops([setReport('screens', [1])], baseline)).toEqual([]);
  });
});
