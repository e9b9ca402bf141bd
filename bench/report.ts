/** The benchmark's figures as a person reads them. */
import type { SetReport } from './accuracy.ts';
import type { ThroughputReport } from './throughput.ts';

/** Everything one run found out; written as JSON, and what the plots are drawn from. */
export interface Report {
  at: string;
  machine: { cpu: string; cores: number; node: string; tesseract: string | null };
  sets: SetReport[];
  throughput: ThroughputReport | null;
  /** Most bytes ever resident in the process that recognises. */
  peakMemory: number | null;
}

const HEAD = [
  'set',
  'pictures',
  'word F1',
  'plain',
  'CER',
  'plain',
  'worst picture',
  'p50 s',
  'p95 s',
  'time ×',
  'calib.',
  'hidden: precision',
  'recall',
  'true lost',
];

export function formatReport(report: Report): string {
  const rows = report.sets.map((set) => [
    set.name,
    String(set.pictures),
    fixed(set.engine.f1),
    set.plain ? fixed(set.plain.f1) : '–',
    fixed(set.engine.cer),
    set.plain ? fixed(set.plain.cer) : '–',
    `${set.worst.name} ${fixed(set.worst.f1)}`,
    seconds(set.engine.p50),
    seconds(set.engine.p95),
    set.timeRatio === null ? '–' : set.timeRatio.toFixed(2),
    fixed(set.calibration.gap),
    set.filter.precision === null ? '–' : fixed(set.filter.precision),
    set.filter.recall === null ? '–' : fixed(set.filter.recall),
    `${(set.filter.loss * 100).toFixed(2)} %`,
  ]);
  const lines = [table([HEAD, ...rows])];
  const ratio = overallRatio(report.sets);
  if (ratio !== null) lines.push(`Time against plain tesseract, all sets: ${ratio.toFixed(2)}`);
  if (report.throughput) lines.push(formatThroughput(report.throughput));
  if (report.peakMemory !== null) {
    lines.push(`Peak memory of the recognising process: ${Math.round(report.peakMemory / 1e6)} MB`);
  }
  return lines.join('\n');
}

/** Total time of the engine over that of the plain program, over the sets that both read. */
export function overallRatio(sets: readonly SetReport[]): number | null {
  const both = sets.flatMap(({ engine, plain }) => (plain ? [{ engine, plain }] : []));
  if (both.length === 0) return null;
  const sum = (pick: (set: (typeof both)[number]) => number) =>
    both.reduce((total, set) => total + pick(set), 0);
  return sum((set) => set.engine.total) / sum((set) => set.plain.total);
}

/** Columns padded to their widest cell; the first is aligned left, the others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n');
}

function formatThroughput({ pictures, engine, plainPair, ratio }: ThroughputReport): string {
  const runs = engine.map((run) => `${run.perSecond.toFixed(2)} with ${run.inFlight}`).join(', ');
  const plain =
    plainPair === null || ratio === null
      ? ''
      : `; two plain tesseract processes ${plainPair.toFixed(2)}, ratio of the best ${ratio.toFixed(2)}`;
  return `Pictures a second, ${pictures} pictures: ${runs} in flight${plain}`;
}

const fixed = (value: number) => value.toFixed(3);
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
