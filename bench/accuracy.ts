/** Measures the engine, the plain tesseract program and other readers on a set of labeled pictures. */
import { readFile } from 'node:fs/promises';
import { OCR_ERRORS, type OcrErrorCode, type PictureReport, type Recognition, type StageTimes } from '#ocr';
import type { Case, PictureSet } from './corpus.ts';
import {
  addCounts,
  type CalibrationBin,
  calibrationBins,
  calibrationGap,
  characterErrorRate,
  countFiltered,
  countWords,
  exactTokens,
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
import { type Answer, NO_ANSWER, type Reader } from './peers.ts';
import { cpuTimeOf } from './process-use.ts';
import { addLosses, countLosses, type LossCounts, type LossReport, reportLosses } from './silent-loss.ts';
import type { Subject } from './subject.ts';
import { readWithTesseract } from './tesseract.ts';
import { photographed, TURNS, turned, VIEWPOINTS, type Viewpoint } from './variants.ts';

/** One reader's result for one picture. Times are milliseconds. */
export interface Reading {
  counts: WordCounts;
  cer: number;
  /** 0 to 1; undefined if the ground truth has no order. */
  orderLoss: number | undefined;
  /** From bytes to result. */
  milliseconds: number;
  /** CPU time of all threads, on which other load of the machine has little effect. */
  computed: number;
  /** Whether the file could not be read; its time does not count then. */
  refused: boolean;
}

/** The result of an engine of this project, with confidences and hidden words. */
interface OwnReading extends Reading {
  losses: LossCounts;
  filter: FilterCounts;
  /** Word counts with the hidden words restored. */
  unfiltered: WordCounts;
  judged: Judged[];
  /** Milliseconds in each stage; empty if the engine does not report them. */
  stages: StageTimes;
}

export interface CaseReport {
  name: string;
  /** `Case.data`; null if absent. */
  data: string | null;
  engine: OwnReading;
  plain: Reading | null;
  /** Result of an earlier version. */
  before: OwnReading | null;
  /** By the reader's name. */
  peers: Record<string, Reading>;
}

export interface ReaderSummary {
  f1: number;
  /** Mean over the pictures. */
  cer: number;
  /** Mean over the pictures whose ground truth has an order. */
  orderLoss: number;
  p50: number;
  p95: number;
  total: number;
  computed: number;
}

/** How well the confidences, marks and filtering of the engine match the ground truth. */
interface Trust {
  losses: LossReport;
  calibration: { gap: number; bins: CalibrationBin[] };
  filter: ReturnType<typeof filterRates> & { unfilteredF1: number };
}

export interface SetReport extends Trust {
  name: string;
  pictures: number;
  engine: ReaderSummary;
  plain: ReaderSummary | null;
  before: (ReaderSummary & Trust) | null;
  peers: Record<string, ReaderSummary>;
  /** Mean milliseconds of a picture in each stage, and outside all stages (waiting, data transfer). */
  stages: { name: string; milliseconds: number }[];
  /** Whether words are compared exactly, with case and punctuation. */
  exact: boolean;
  /** Times over the pictures that both the engine and the plain program could read. */
  beside: Record<'engine' | 'plain', Pick<ReaderSummary, 'total' | 'computed'>> | null;
  /** Time of the engine divided by that of the plain program, from `beside`. */
  timeRatio: number | null;
  computedRatio: number | null;
  worst: { name: string; f1: number };
  cases: {
    name: string;
    data: string | null;
    counts: WordCounts;
    losses: LossCounts;
    cer: number;
    orderLoss: number | undefined;
    milliseconds: number;
    plainF1: number | null;
  }[];
}

/** Stores results, so that an interrupted run can be resumed. */
export interface ResultStore {
  find(set: string, name: string): CaseReport | undefined;
  add(set: string, report: CaseReport): void;
}

export interface ReadOptions {
  plain: boolean;
  before: Reader | null;
  peers: readonly Reader[];
}

/** Reads every case of the set. The order of the readers rotates, so that no reader always finds the file in the cache. */
export async function readSet(
  engine: Subject,
  set: PictureSet,
  options: ReadOptions,
  store: ResultStore,
): Promise<SetReport> {
  const reports: CaseReport[] = [];
  for (const [i, one] of set.cases.entries()) {
    const report = store.find(set.name, one.name) ?? (await readWithAllReaders(engine, one, options, i));
    store.add(set.name, report);
    reports.push(report);
  }
  return summarize(
    set.name,
    reports,
    set.cases.some(({ exact }) => exact),
  );
}

async function readWithAllReaders(
  engine: Subject,
  one: Case,
  options: ReadOptions,
  turn: number,
): Promise<CaseReport> {
  const bytes = await readFile(one.file);
  const { name, data = null } = one;
  const reading: Omit<CaseReport, 'engine'> = { name, data, plain: null, before: null, peers: {} };
  let own: OwnReading | undefined;
  const readers = [
    async () => {
      own = judge(one, await timed(engine, bytes, one));
    },
    async () => {
      if (options.plain) reading.plain = compare(await readWithTesseract(one.file, one.languages), one);
    },
    async () => {
      if (options.before) reading.before = judge(one, await options.before.read(one));
    },
    ...options.peers.map((peer) => async () => {
      reading.peers[peer.name] = compare(await peer.read(one), one);
    }),
  ];
  for (const at of readers.keys()) await readers[(at + turn) % readers.length]!();
  return { ...reading, engine: own! };
}

/** Reads every case in every rotation of `TURNS`, without the plain program, which fails on most of them. */
export function readTurned(engine: Subject, set: PictureSet, store: ResultStore): Promise<SetReport> {
  return readVariants(engine, set, { name: 'turned', of: TURNS, make: turned }, store);
}

/** Reads every case from each of `VIEWPOINTS`. */
export function readPhotographed(engine: Subject, set: PictureSet, store: ResultStore): Promise<SetReport> {
  const viewpoints = Object.keys(VIEWPOINTS) as Viewpoint[];
  return readVariants(engine, set, { name: 'photographed', of: viewpoints, make: photographed }, store);
}

async function readVariants<Variant extends string | number>(
  engine: Subject,
  set: PictureSet,
  variants: { name: string; of: readonly Variant[]; make(file: string, variant: Variant): Promise<Buffer> },
  store: ResultStore,
): Promise<SetReport> {
  const reports: CaseReport[] = [];
  const setName = `${set.name}-${variants.name}`;
  for (const one of set.cases) {
    for (const variant of variants.of) {
      const name = `${one.name}@${variant}`;
      const read = async (): Promise<CaseReport> => ({
        name,
        data: one.data ?? null,
        engine: judge(one, await timed(engine, await variants.make(one.file, variant), one)),
        plain: null,
        before: null,
        peers: {},
      });
      const report = store.find(setName, name) ?? (await read());
      store.add(setName, report);
      reports.push(report);
    }
  }
  return summarize(setName, reports);
}

/** The result of any reader; only engines of this project have notices. */
type ReaderAnswer = Pick<Answer, 'text' | 'milliseconds' | 'computed' | 'refused'> &
  Partial<Pick<Answer, 'notices'>>;

/** Errors that are a result for the file. Any other error ends the run. */
const FILE_ERRORS = new Set<OcrErrorCode>([
  OCR_ERRORS.unsupported,
  OCR_ERRORS.vector,
  OCR_ERRORS.damaged,
  OCR_ERRORS.tooManyPixels,
  OCR_ERRORS.tooCostly,
  OCR_ERRORS.encrypted,
  OCR_ERRORS.tooManyPages,
  OCR_ERRORS.noSuchPage,
]);

/** Checks the code, because an engine that was compiled for the run has its own error class. */
const isFileError = (error: unknown) =>
  error instanceof Error && 'code' in error && FILE_ERRORS.has(error.code as OcrErrorCode);

/** The result of an engine that may report unread text. */
type WithUnread = Pick<Recognition, 'text' | 'lines' | 'hidden' | 'notices'> & {
  unread?: Answer['unread'];
};

async function timed(
  engine: Subject,
  bytes: Uint8Array,
  { languages = ['eng'], page }: Pick<Case, 'languages' | 'page'>,
): Promise<Answer> {
  // The engine transfers the bytes, and a Buffer may be a slice of shared memory.
  const own = Uint8Array.from(bytes);
  const { pid } = engine.status();
  const computedBefore = cpuTimeOf(pid);
  const start = performance.now();
  let stages: StageTimes = {};
  const asked = {
    filter: true,
    languages,
    ...(page !== undefined && { page }),
    onReport: (report: PictureReport) => {
      stages = report.stages;
    },
  };
  const answer = await engine.recognize(own, asked).then(
    ({ text, lines, hidden, notices, unread = [] }: WithUnread) => ({
      text,
      lines,
      hidden,
      notices,
      unread,
      refused: false,
    }),
    (error: unknown) => {
      if (isFileError(error)) return { ...NO_ANSWER, refused: true };
      throw error;
    },
  );
  const milliseconds = performance.now() - start;
  return { ...answer, stages, milliseconds, computed: cpuTimeOf(pid) - computedBefore };
}

function compare(answer: ReaderAnswer, written: Case): Reading {
  const { one, text } = bestAccepted(written, answer);
  const fold = (value: string) => (one.foldCase ? value.toUpperCase() : value);
  const [read, expected] = [tokensOf(text, one), tokensOf(one.truth, one)];
  return {
    counts: countWords(read, expected),
    cer: characterErrorRate(fold(text), fold(one.truth)),
    orderLoss: one.unordered ? undefined : orderLoss(read, expected),
    milliseconds: answer.milliseconds,
    computed: answer.computed,
    refused: answer.refused,
  };
}

/** Words; single characters in scripts without spaces; tokens between white space in exact sets. */
function tokensOf(text: string, { byLetter, exact }: Case): string[] {
  if (exact) return exactTokens(text);
  return byLetter ? tokens(text).flatMap((token) => [...token]) : tokens(text);
}

function judge(written: Case, answer: Answer): OwnReading {
  const { one, text, isOtherAnswer } = bestAccepted(written, answer);
  const split = (value: string) => tokensOf(value, one);
  const expected = split(one.truth);
  const { lines, hidden } = isOtherAnswer ? NO_ANSWER : answer;
  const hiddenText = hidden.map((piece) => piece.text).join('\n');
  const losses = () => (answer.refused ? lostWithError(expected) : countLosses(answer, expected, split));
  return {
    ...compare(answer, written),
    stages: answer.stages ?? {},
    losses: isOtherAnswer ? lossless(expected) : losses(),
    filter: countFiltered(split(text), split(hiddenText), expected),
    unfiltered: countWords(split(`${text}\n${hiddenText}`), expected),
    // Sets measured by characters have no ground truth for single words.
    judged: one.byLetter
      ? []
      : judgeWords(
          lines.flatMap((line) => line.words),
          expected,
          split,
        ),
  };
}

/** The case with the accepted text that matches best. An accepted error or notice counts as the whole text. */
function bestAccepted(one: Case, answer: ReaderAnswer): { one: Case; text: string; isOtherAnswer: boolean } {
  const { text, refused, notices = [] } = answer;
  if (!one.accepted) return { one, text, isOtherAnswer: false };
  const { accepted } = one;
  if ((refused && accepted.failure) || notices.some(({ code }) => accepted.notices.includes(code))) {
    return { one, text: one.truth, isOtherAnswer: true };
  }
  const scored = [one.truth, ...accepted.texts].map((truth) => ({
    truth,
    score: f1(countWords(tokensOf(text, one), tokensOf(truth, one))),
  }));
  const best = scored.reduce((top, each) => (each.score > top.score ? each : top));
  return { one: { ...one, truth: best.truth }, text, isOtherAnswer: false };
}

const lossless = ({ length }: readonly string[]): LossCounts => ({
  expected: length,
  wrong: 0,
  missing: 0,
  unmarked: 0,
});

/** An error makes all words missing, but not silently. */
const lostWithError = (expected: readonly string[]): LossCounts => ({
  ...lossless(expected),
  missing: expected.length,
});

function summarize(name: string, reports: readonly CaseReport[], exact = false): SetReport {
  const engine = summarizeReader(reports.map((report) => report.engine));
  const plainReadings = reports.flatMap((report) => report.plain ?? []);
  const plain = plainReadings.length > 0 ? summarizeReader(plainReadings) : null;
  const beside = pairedTimes(reports);
  const before = reports.flatMap((report) => report.before ?? []);
  const names = new Set(reports.flatMap((report) => Object.keys(report.peers)));
  const peers = [...names].map((peer): [string, ReaderSummary] => [
    peer,
    summarizeReader(reports.flatMap((report) => report.peers[peer] ?? [])),
  ]);
  const cases = reports.map((report) => ({
    name: report.name,
    data: report.data,
    counts: report.engine.counts,
    losses: report.engine.losses,
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
    stages: stagesOf(reports.map((report) => report.engine)),
    plain,
    exact,
    beside,
    timeRatio: beside && beside.engine.total / beside.plain.total,
    computedRatio: beside && beside.engine.computed / beside.plain.computed,
    before: before.length > 0 ? { ...summarizeReader(before), ...trustOf(before) } : null,
    peers: Object.fromEntries(peers),
    worst,
    ...trustOf(reports.map((report) => report.engine)),
    cases,
  };
}

const STAGES = ['decoding', 'finding-lines', 'reading', 'ordering'] as const;

function stagesOf(readings: readonly OwnReading[]): SetReport['stages'] {
  const mean = (of: (reading: OwnReading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / Math.max(1, readings.length);
  const inStages = ({ stages }: OwnReading) => STAGES.reduce((sum, name) => sum + (stages[name] ?? 0), 0);
  return [
    ...STAGES.map((name) => ({ name, milliseconds: mean(({ stages }) => stages[name] ?? 0) })),
    { name: 'rest', milliseconds: mean((reading) => reading.milliseconds - inStages(reading)) },
  ];
}

function pairedTimes(reports: readonly CaseReport[]): SetReport['beside'] {
  const both = reports.flatMap(({ engine, plain }) =>
    plain && !plain.refused && !engine.refused ? [{ engine, plain }] : [],
  );
  if (both.length === 0) return null;
  const timesOf = (reader: 'engine' | 'plain') => ({
    total: both.reduce((sum, each) => sum + each[reader].milliseconds, 0),
    computed: both.reduce((sum, each) => sum + each[reader].computed, 0),
  });
  return { engine: timesOf('engine'), plain: timesOf('plain') };
}

function trustOf(readings: readonly OwnReading[]): Trust {
  const bins = calibrationBins(readings.flatMap((reading) => reading.judged));
  return {
    losses: reportLosses(addLosses(readings.map((reading) => reading.losses))),
    calibration: { gap: calibrationGap(bins), bins },
    filter: {
      ...filterRates(readings.map((reading) => reading.filter)),
      unfilteredF1: f1(addCounts(readings.map((reading) => reading.unfiltered))),
    },
  };
}

function summarizeReader(readings: readonly Reading[]): ReaderSummary {
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
