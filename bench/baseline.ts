/** Records the figures of a run as the baseline, and detects drops below it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SetReport } from './accuracy.ts';
import { addCounts, f1, type WordCounts } from './measure.ts';
import type { LossCounts } from './silent-loss.ts';

/** The largest accepted drop of each figure. Accuracy is the same on every machine; time is not compared. */
export const TOLERANCE = { f1: 0.004, cer: 0.006, calibration: 0.015, filterLoss: 0.002 } as const;

export const BASELINE_FILE = fileURLToPath(new URL('./baseline.json', import.meta.url));

interface RecordedCase {
  counts: WordCounts;
  cer: number;
  /** Wrong and missing words; absent if recorded before they were counted. */
  losses?: LossCounts;
  /** Hash of the trained data; absent for English alone. */
  data?: string;
}

export interface RecordedSet {
  calibrationGap: number;
  filterLoss: number;
  cases: Record<string, RecordedCase>;
}

export interface Baseline {
  recordedAt: string;
  sets: Record<string, RecordedSet>;
}

export function readBaseline(file: string = BASELINE_FILE): Baseline | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Baseline) : null;
}

/** Replaces the sets of the run and keeps the others, so that a single set can be recorded. */
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
        report.cases.map(({ name, counts, cer, losses, data }) => [
          name,
          { counts, cer: round(cer), losses, ...(data !== null && { data }) },
        ]),
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

/** The pictures of a set in both the run and the baseline, with the same trained data. */
export interface SharedCases {
  is: SetReport['cases'];
  /** The same pictures in the same order. */
  was: RecordedCase[];
  /** Names of pictures in both runs but with different trained data, so that their figures are not comparable. */
  withOtherData: string[];
}

export function sharedCases(report: SetReport, baseline: Baseline | null): SharedCases {
  const recorded = baseline?.sets[report.name]?.cases ?? {};
  const known = report.cases.filter(({ name }) => recorded[name]);
  const is = known.filter(({ name, data }) => (recorded[name]!.data ?? null) === data);
  return {
    is,
    was: is.map(({ name }) => recorded[name]!),
    withOtherData: known.filter((one) => !is.includes(one)).map(({ name }) => name),
  };
}

/**
 * Compares only the pictures of both runs, so that a sample can be compared with a full baseline.
 * Calibration and filtering are figures of a whole set and are compared when the sets are the same.
 */
export function findDrops(reports: readonly SetReport[], baseline: Baseline): Drop[] {
  return reports.flatMap((report) => {
    const recorded = baseline.sets[report.name];
    const { is: shared, was: before } = sharedCases(report, baseline);
    if (!recorded || shared.length === 0) return [];
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
