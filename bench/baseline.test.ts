import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SetReport } from './accuracy.ts';
import { findDrops, readBaseline, recordBaseline } from './baseline.ts';

const reader = { f1: 0, cer: 0, orderLoss: 0, p50: 0, p95: 0, total: 0, computed: 0 };

/** A set of pictures of 100 words each; `hits` says how many were read, picture by picture. */
function setReport(name: string, hits: number[], gap = 0.02): SetReport {
  return {
    name,
    pictures: hits.length,
    engine: reader,
    plain: null,
    before: null,
    peers: {},
    timeRatio: null,
    computedRatio: null,
    worst: { name: '0', f1: 1 },
    calibration: { gap, bins: [] },
    filter: { precision: null, recall: null, loss: 0, unfilteredF1: 1 },
    cases: hits.map((hit, i) => ({
      name: `${i}`,
      counts: { hits: hit, read: 100, expected: 100 },
      cer: 1 - hit / 100,
      orderLoss: 0,
      milliseconds: 1,
      plainF1: null,
    })),
  };
}

describe('a recorded baseline', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'baseline-'));
    file = join(folder, 'baseline.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const record = (...reports: SetReport[]) => recordBaseline(reports, new Date(0), file);

  test('an equal run and one within the tolerance pass', () => {
    const baseline = record(setReport('pages', [97, 95]));
    expect(findDrops([setReport('pages', [97, 95])], baseline)).toEqual([]);
    expect(findDrops([setReport('pages', [98, 96], 0.01)], baseline)).toEqual([]);
  });

  test('lost words and wrong characters are told apart', () => {
    const baseline = record(setReport('pages', [97, 95]));
    const drops = findDrops([setReport('pages', [97, 93])], baseline);
    expect(drops.map((drop) => [drop.set, drop.figure])).toEqual([
      ['pages', 'word F1'],
      ['pages', 'CER'],
    ]);
  });

  test('a sample is held against the same pictures of the baseline, and only by what single pictures tell', () => {
    const baseline = record(setReport('pages', [97, 20, 95]));
    expect(findDrops([setReport('pages', [97], 0.5)], baseline)).toEqual([]);
    expect(findDrops([setReport('pages', [90], 0.5)], baseline)).toHaveLength(2);
  });

  test('a wider calibration gap fails a whole set', () => {
    const baseline = record(setReport('pages', [97]));
    expect(findDrops([setReport('pages', [97], 0.06)], baseline).map((drop) => drop.figure)).toEqual([
      'calibration gap',
    ]);
  });

  test('recording one set keeps the others', () => {
    record(setReport('pages', [97]));
    record(setReport('screens', [99]));
    expect(Object.keys(readBaseline(file)?.sets ?? {})).toEqual(['pages', 'screens']);
  });

  test('a set that was never recorded cannot drop', () => {
    const baseline = record(setReport('pages', [97]));
    expect(findDrops([setReport('screens', [1])], baseline)).toEqual([]);
  });
});
