/** Reads a set of labelled pictures with the engine, and beside it with the plain tesseract program. */
import { readFile } from 'node:fs/promises';
import type { Recognition } from '#ocr';
import type { Case, PictureSet } from './corpus.ts';
import {
  addCounts,
  type CalibrationBin,
  calibrationBins,
  calibrationGap,
  characterErrorRate,
  countFiltered,
  countWords,
  type FilterCounts,
  f1,
  filterRates,
  type Judged,
  judgeWords,
  orderLoss,
  percentile,
  tokens,
  type WordCounts,
} from './measure.ts';
import { computedBy } from './process-use.ts';
import type { Subject } from './subject.ts';
import { readPlainly } from './tesseract.ts';
import { photographed, TURNS, turned, VIEWPOINTS, type Viewpoint } from './variants.ts';

/** What one reader made of one picture. Times are milliseconds. */
export interface Reading {
  counts: WordCounts;
  cer: number;
  /** 0 to 1; undefined where the truth is in no order. */
  orderLoss: number | undefined;
  /** From bytes to result. */
  milliseconds: number;
  /** Processor time over all threads: other work on the machine lengthens the one, but hardly the other. */
  computed: number;
}

export interface CaseReport {
  name: string;
  engine: Reading;
  plain: Reading | null;
  filter: FilterCounts;
  /** The same with what was hidden brought back. */
  unfiltered: WordCounts;
  judged: Judged[];
}

export interface ReaderSummary {
  f1: number;
  /** Mean over the pictures. */
  cer: number;
  /** Mean over the pictures whose truth is in order. */
  orderLoss: number;
  p50: number;
  p95: number;
  total: number;
  computed: number;
}

export interface SetReport {
  name: string;
  pictures: number;
  engine: ReaderSummary;
  plain: ReaderSummary | null;
  /** Time of the engine over that of the plain program, same pictures, same run. */
  timeRatio: number | null;
  computedRatio: number | null;
  worst: { name: string; f1: number };
  calibration: { gap: number; bins: CalibrationBin[] };
  filter: ReturnType<typeof filterRates> & { unfilteredF1: number };
  cases: {
    name: string;
    counts: WordCounts;
    cer: number;
    orderLoss: number | undefined;
    milliseconds: number;
    plainF1: number | null;
  }[];
}

type OnCase = (report: CaseReport) => void;

export interface ReadOptions {
  plain: boolean;
  onCase?: OnCase;
}

/** Reads every case of the set; who goes first alternates, so that neither reader always finds the file cached. */
export async function readSet(engine: Subject, set: PictureSet, options: ReadOptions): Promise<SetReport> {
  const reports: CaseReport[] = [];
  for (const [i, one] of set.cases.entries()) {
    const bytes = await readFile(one.file);
    const before = options.plain && i % 2 === 1 ? await plainReading(one) : null;
    const read = await timed(engine, bytes, one.languages);
    const plain = options.plain ? (before ?? (await plainReading(one))) : null;
    const report = judge(one, read, plain);
    options.onCase?.(report);
    reports.push(report);
  }
  return summarise(set.name, reports);
}

/** Every case of the set in every turn of `TURNS`; the plain program is left out, it gives up on most of them. */
export function readTurned(engine: Subject, set: PictureSet, onCase?: OnCase): Promise<SetReport> {
  return readVariants(engine, set, { name: 'turned', of: TURNS, make: turned }, onCase);
}

/** Every case of the set from every one of `VIEWPOINTS`. */
export function readPhotographed(engine: Subject, set: PictureSet, onCase?: OnCase): Promise<SetReport> {
  const viewpoints = Object.keys(VIEWPOINTS) as Viewpoint[];
  return readVariants(engine, set, { name: 'photographed', of: viewpoints, make: photographed }, onCase);
}

async function readVariants<Variant extends string | number>(
  engine: Subject,
  set: PictureSet,
  variants: { name: string; of: readonly Variant[]; make(file: string, variant: Variant): Promise<Buffer> },
  onCase?: OnCase,
): Promise<SetReport> {
  const reports: CaseReport[] = [];
  for (const one of set.cases) {
    for (const variant of variants.of) {
      const read = await timed(engine, await variants.make(one.file, variant));
      const report = judge({ ...one, name: `${one.name}@${variant}` }, read, null);
      onCase?.(report);
      reports.push(report);
    }
  }
  return summarise(`${set.name}-${variants.name}`, reports);
}

/** The text as it would be with what was hidden brought back; only good for counting words. */
function everything(result: Recognition): string {
  return [result.text, ...result.hidden.map((hidden) => hidden.text)].join('\n');
}

async function timed(engine: Subject, bytes: Uint8Array, languages: readonly string[] = ['eng']) {
  // The engine takes the bytes over, and a Buffer may be a slice of memory shared with others.
  const own = Uint8Array.from(bytes);
  const { pid } = engine.status();
  const computedBefore = computedBy(pid);
  const start = performance.now();
  const result = await engine.recognise(own, { filter: true, languages });
  const milliseconds = performance.now() - start;
  return { result, milliseconds, computed: computedBy(pid) - computedBefore };
}

async function plainReading(one: Case): Promise<Reading> {
  const { text, ...times } = await readPlainly(one.file, one.languages);
  return { ...compare(text, one), ...times };
}

function compare(text: string, one: Case): Pick<Reading, 'counts' | 'cer' | 'orderLoss'> {
  const fold = (value: string) => (one.foldCase ? value.toUpperCase() : value);
  const [read, expected] = [tokensOf(text, one), tokensOf(one.truth, one)];
  return {
    counts: countWords(read, expected),
    cer: characterErrorRate(fold(text), fold(one.truth)),
    orderLoss: one.unordered ? undefined : orderLoss(read, expected),
  };
}

/** Words, or letters where nothing stands between words. */
function tokensOf(text: string, { byLetter }: Case): string[] {
  return byLetter ? tokens(text).flatMap((token) => [...token]) : tokens(text);
}

function judge(
  one: Case,
  { result, ...times }: { result: Recognition; milliseconds: number; computed: number },
  plain: Reading | null,
): CaseReport {
  const expected = tokensOf(one.truth, one);
  const hidden = tokensOf(result.hidden.map((piece) => piece.text).join('\n'), one);
  return {
    name: one.name,
    engine: { ...compare(result.text, one), ...times },
    plain,
    filter: countFiltered(tokensOf(result.text, one), hidden, expected),
    unfiltered: countWords(tokensOf(everything(result), one), expected),
    // Where letters are counted a word cannot be told right from wrong.
    judged: one.byLetter
      ? []
      : judgeWords(
          result.lines.flatMap((line) => line.words),
          expected,
        ),
  };
}

function summarise(name: string, reports: readonly CaseReport[]): SetReport {
  const engine = summariseReader(reports.map((report) => report.engine));
  const plainReadings = reports.flatMap((report) => report.plain ?? []);
  const plain = plainReadings.length > 0 ? summariseReader(plainReadings) : null;
  const bins = calibrationBins(reports.flatMap((report) => report.judged));
  const cases = reports.map((report) => ({
    name: report.name,
    counts: report.engine.counts,
    cer: report.engine.cer,
    orderLoss: report.engine.orderLoss,
    milliseconds: Math.round(report.engine.milliseconds),
    plainF1: report.plain && f1(report.plain.counts),
  }));
  const worst = cases
    .map((one) => ({ name: one.name, f1: f1(one.counts) }))
    .reduce((low, one) => (one.f1 < low.f1 ? one : low), { name: '', f1: Number.POSITIVE_INFINITY });
  return {
    name,
    pictures: reports.length,
    engine,
    plain,
    timeRatio: plain && engine.total / plain.total,
    computedRatio: plain && engine.computed / plain.computed,
    worst,
    calibration: { gap: calibrationGap(bins), bins },
    filter: {
      ...filterRates(reports.map((report) => report.filter)),
      unfilteredF1: f1(addCounts(reports.map((report) => report.unfiltered))),
    },
    cases,
  };
}

function summariseReader(readings: readonly Reading[]): ReaderSummary {
  const times = readings.map((reading) => reading.milliseconds);
  const losses = readings.flatMap((reading) => reading.orderLoss ?? []);
  return {
    f1: f1(addCounts(readings.map((reading) => reading.counts))),
    cer: readings.reduce((sum, reading) => sum + reading.cer, 0) / Math.max(1, readings.length),
    orderLoss: losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    total: times.reduce((sum, time) => sum + time, 0),
    computed: readings.reduce((sum, reading) => sum + reading.computed, 0),
  };
}
