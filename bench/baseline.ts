/** The recorded figures, and whether a run has fallen behind them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SetReport } from './accuracy.ts';
import { addCounts, f1, type WordCounts } from './measure.ts';

/** How far a figure may fall before the run fails. Accuracy is the same on every machine; time is not compared. */
export const TOLERANCE = { f1: 0.004, cer: 0.006, calibration: 0.015, filterLoss: 0.002 } as const;

export const BASELINE_FILE = fileURLToPath(new URL('./baseline.json', import.meta.url));

interface RecordedSet {
  calibrationGap: number;
  filterLoss: number;
  cases: Record<string, { counts: WordCounts; cer: number }>;
}

export interface Baseline {
  recordedAt: string;
  sets: Record<string, RecordedSet>;
}

export function readBaseline(file: string = BASELINE_FILE): Baseline | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Baseline) : null;
}

/** Replaces the sets that were run and keeps the others, so that one set can be recorded on its own. */
export function recordBaseline(
  reports: readonly SetReport[],
  at: Date,
  file: string = BASELINE_FILE,
): Baseline {
  const sets = { ...readBaseline(file)?.sets };
  for (const report of reports) {
    sets[report.name] = {
      calibrationGap: round(report.calibration.gap),
      filterLoss: round(report.filter.loss),
      cases: Object.fromEntries(
        report.cases.map(({ name, counts, cer }) => [name, { counts, cer: round(cer) }]),
      ),
    };
  }
  const baseline = { recordedAt: at.toISOString().slice(0, 10), sets };
  writeFileSync(file, `${JSON.stringify(baseline, null, 1)}\n`);
  return baseline;
}

export interface Drop {
  set: string;
  figure: string;
  was: number;
  is: number;
}

/**
 * Compares only the pictures that both runs read, so that a sample can be held against a full baseline.
 * Calibration and filtering are figures of a whole set and are compared when the sets are the same.
 */
export function findDrops(reports: readonly SetReport[], baseline: Baseline): Drop[] {
  return reports.flatMap((report) => {
    const recorded = baseline.sets[report.name];
    if (!recorded) return [];
    const shared = report.cases.filter((one) => recorded.cases[one.name]);
    if (shared.length === 0) return [];
    const before = shared.map((one) => recorded.cases[one.name]!);
    const mean = (values: readonly { cer: number }[]) =>
      values.reduce((sum, value) => sum + value.cer, 0) / values.length;
    const figures: (Drop & { tolerance: number; sign: 1 | -1 })[] = [
      {
        set: report.name,
        figure: 'word F1',
        was: f1(addCounts(before.map((one) => one.counts))),
        is: f1(addCounts(shared.map((one) => one.counts))),
        tolerance: TOLERANCE.f1,
        sign: 1,
      },
      {
        set: report.name,
        figure: 'CER',
        was: mean(before),
        is: mean(shared),
        tolerance: TOLERANCE.cer,
        sign: -1,
      },
    ];
    if (shared.length === report.cases.length && shared.length === Object.keys(recorded.cases).length) {
      figures.push(
        {
          set: report.name,
          figure: 'calibration gap',
          was: recorded.calibrationGap,
          is: report.calibration.gap,
          tolerance: TOLERANCE.calibration,
          sign: -1,
        },
        {
          set: report.name,
          figure: 'true words hidden',
          was: recorded.filterLoss,
          is: report.filter.loss,
          tolerance: TOLERANCE.filterLoss,
          sign: -1,
        },
      );
    }
    return figures
      .filter(({ was, is, tolerance, sign }) => (was - is) * sign > tolerance)
      .map(({ set, figure, was, is }) => ({ set, figure, was, is }));
  });
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;
