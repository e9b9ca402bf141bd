/** Formats the figures of the benchmark as text. */
import { REVIEW_BELOW } from '#contract/product';
import type { ReaderSummary, SetReport } from './accuracy.ts';
import { addCounts, f1, type WordCounts } from './measure.ts';
import type { LossReport } from './silent-loss.ts';
import type { ThroughputReport } from './throughput.ts';

export interface LeftOut {
  set: string;
  pictures: number;
  /** Tesseract codes of the missing data. */
  languages: string[];
}

/** All results of one run; written as JSON, and the source of the plots. */
export interface Report {
  at: string;
  /** `load`: mean number of busy threads over the run's last minute. */
  machine: { cpu: string; cores: number; load: number; node: string; tesseract: string | null };
  sets: SetReport[];
  /** Pictures that were not read because the trained data of their languages is missing. */
  leftOut: LeftOut[];
  throughput: ThroughputReport | null;
  /** Peak of resident bytes of the recognition process. */
  peakMemory: number | null;
}

export const LOSS_HEAD = ['missing /1000', `wrong ≥ ${REVIEW_BELOW} %`, 'unmarked'];

const HEAD = [
  'set',
  'pictures',
  'word F1',
  'plain',
  'CER',
  'plain',
  'order lost',
  'worst picture',
  'p50 s',
  'p95 s',
  'time ×',
  'CPU ×',
  'calib.',
  'hidden: precision',
  'recall',
  'true lost',
  ...LOSS_HEAD,
];

/** @param ownTable replaces the table of all figures */
export function formatReport(report: Report, ownTable: string | null = null): string {
  const lines = [ownTable ?? formatSets(report)];
  for (const { figure, rows } of comparisons(report.sets)) lines.push(`\n${figure}`, table(rows));
  lines.push('\nMean milliseconds of a picture, by stage', formatStages(report.sets));
  const overall = overallRatios(report.sets);
  if (overall) {
    lines.push(
      `Against plain tesseract, all sets: time ${ratio(overall.time)}, processor time ${ratio(overall.computed)}`,
    );
  }
  lines.push(...notesOf(report));
  if (report.machine.load > report.machine.cores) {
    lines.push(
      `The machine was busy (load ${report.machine.load.toFixed(1)} on ${report.machine.cores} cores): times are too long, and ratios of time too high, because the engine uses every core.`,
    );
  }
  const losses = turnLosses(report.sets).map(({ degrees, loss }) => `${degrees}° ${fixed(loss)}`);
  if (losses.length > 0) lines.push(`Word F1 lost by turning: ${losses.join(', ')}`);
  if (report.throughput) lines.push(formatThroughput(report.throughput));
  if (report.peakMemory !== null) {
    lines.push(`Peak memory of the recognition process: ${Math.round(report.peakMemory / 1e6)} MB`);
  }
  return lines.join('\n');
}

function formatSets(report: Report): string {
  const rows = report.sets.map((set) => [
    set.name,
    String(set.pictures),
    fixed(set.engine.f1),
    set.plain ? fixed(set.plain.f1) : '–',
    fixed(set.engine.cer),
    set.plain ? fixed(set.plain.cer) : '–',
    fixed(set.engine.orderLoss),
    `${set.worst.name} ${fixed(set.worst.f1)}`,
    seconds(set.engine.p50),
    seconds(set.engine.p95),
    ratio(set.timeRatio),
    ratio(set.computedRatio),
    fixed(set.calibration.gap),
    set.filter.precision === null ? '–' : fixed(set.filter.precision),
    set.filter.recall === null ? '–' : fixed(set.filter.recall),
    `${(set.filter.loss * 100).toFixed(2)} %`,
    ...lossCells(set.losses),
  ]);
  return table([HEAD, ...rows]);
}

function formatStages(sets: readonly SetReport[]): string {
  const names = sets[0]?.stages.map(({ name }) => name) ?? [];
  return table([
    ['set', ...names],
    ...sets.map((set) => [set.name, ...set.stages.map(({ milliseconds }) => milliseconds.toFixed(0))]),
  ]);
}

/** Losses per 1,000 expected words and, in parentheses, in total. */
export function lossCells(losses: LossReport): string[] {
  const cell = (key: keyof LossReport['perThousand']) =>
    `${losses.perThousand[key].toFixed(1)} (${losses[key]})`;
  return [cell('missing'), cell('wrong'), cell('unmarked')];
}

/** Notes below the table. */
export function notesOf({ sets, leftOut }: Pick<Report, 'sets' | 'leftOut'>): string[] {
  const exact = sets.filter((set) => set.exact);
  const wholeIn = ({ cases }: SetReport) => cases.filter(({ counts }) => f1(counts) === 1).length;
  const languages = [...new Set(leftOut.flatMap((each) => each.languages))].sort();
  const count = leftOut.reduce((sum, { pictures }) => sum + pictures, 0);
  return [
    ...exact.map(
      (set) =>
        `${set.name}: exact words, case and signs included; ${wholeIn(set)} of ${set.pictures} without a mistake`,
    ),
    ...(count > 0
      ? [
          `Left out: ${count} pictures (${leftOut.map(({ set, pictures }) => `${set} ${pictures}`).join(', ')}) in languages without trained data here: ${languages.join(', ')}. --data FOLDER says where there is some.`,
        ]
      : []),
  ];
}

const FIGURES: [figure: string, of: (reader: ReaderSummary, pictures: number) => string][] = [
  ['word F1', (reader) => fixed(reader.f1)],
  ['CER', (reader) => fixed(reader.cer)],
  ['seconds a picture', (reader, pictures) => seconds(reader.total / pictures)],
];

/** The readers of the set, this engine first. */
export function readersOf({ engine, before, plain, peers }: SetReport): [name: string, ReaderSummary][] {
  return [
    ['Glyphlift', engine],
    ...(before ? [['before', before] as [string, ReaderSummary]] : []),
    ...(plain ? [['tesseract', plain] as [string, ReaderSummary]] : []),
    ...Object.entries(peers),
  ];
}

/** The sets that were also read by other readers than the plain program. */
export function comparedSets(sets: readonly SetReport[]): SetReport[] {
  return sets.filter(({ before, peers }) => before || Object.keys(peers).length > 0);
}

/**
 * A table for each figure, with a column per reader and the unweighted mean over the sets in the last row. Empty without other
 * readers.
 */
export function comparisons(sets: readonly SetReport[]): { figure: string; rows: string[][] }[] {
  const compared = comparedSets(sets);
  const [first] = compared;
  if (!first) return [];
  const names = readersOf(first).map(([name]) => name);
  return FIGURES.map(([figure, of]) => ({
    figure,
    rows: [
      ['set', 'pictures', ...names],
      ...compared.map((set) => [
        set.name,
        String(set.pictures),
        ...readersOf(set).map(([, reader]) => of(reader, set.pictures)),
      ]),
      ['mean of the sets', '', ...names.map((name) => of(meanOf(compared, name), 1))],
    ],
  }));
}

function meanOf(sets: readonly SetReport[], name: string): ReaderSummary {
  const readers = sets.map((set) => {
    const reader = new Map(readersOf(set)).get(name)!;
    return { ...reader, total: reader.total / set.pictures };
  });
  const mean = (key: keyof ReaderSummary) =>
    readers.reduce((sum, reader) => sum + reader[key], 0) / readers.length;
  return {
    f1: mean('f1'),
    cer: mean('cer'),
    orderLoss: mean('orderLoss'),
    p50: mean('p50'),
    p95: mean('p95'),
    total: mean('total'),
    computed: mean('computed'),
  };
}

/** Totals of the engine divided by those of the plain program, for the pictures that both could read. */
export function overallRatios(sets: readonly SetReport[]): { time: number; computed: number } | null {
  const both = sets.flatMap(({ beside }) => beside ?? []);
  if (both.length === 0) return null;
  const over = (key: 'total' | 'computed') =>
    both.reduce((sum, set) => sum + set.engine[key], 0) / both.reduce((sum, set) => sum + set.plain[key], 0);
  return { time: over('total'), computed: over('computed') };
}

/** Word F1 of the upright set minus that of its rotated pages, for each rotation. Empty without both sets. */
export function turnLosses(sets: readonly SetReport[]): { degrees: number; loss: number }[] {
  return sets.flatMap((turned) => {
    const upright = sets.find((set) => `${set.name}-turned` === turned.name);
    if (!upright) return [];
    const byTurn = new Map<number, WordCounts[]>();
    for (const { name, counts } of turned.cases) {
      const degrees = Number(name.slice(name.lastIndexOf('@') + 1));
      byTurn.set(degrees, [...(byTurn.get(degrees) ?? []), counts]);
    }
    return [...byTurn].map(([degrees, counts]) => ({
      degrees,
      loss: upright.engine.f1 - f1(addCounts(counts)),
    }));
  });
}

/** Pads columns to their widest cell; the first column is aligned left, the others right. */
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

function formatThroughput({ pictures, engine, plainPair, ratio: best }: ThroughputReport): string {
  const runs = engine.map((run) => `${run.perSecond.toFixed(2)} with ${run.inFlight}`).join(', ');
  const plain =
    plainPair === null || best === null
      ? ''
      : `; two plain tesseract processes ${plainPair.toFixed(2)}, ratio of the best ${best.toFixed(2)}`;
  return `Pictures a second, ${pictures} pictures: ${runs} in flight${plain}`;
}

export const ratio = (value: number | null) => (value === null ? '–' : value.toFixed(2));
export const fixed = (value: number) => value.toFixed(3);
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);
