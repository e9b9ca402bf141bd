/** Reads a set of labelled pictures with the engine, and beside it with the plain tesseract program and whoever else is there. */
import { readFile } from 'node:fs/promises';
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
import type { Answer, Reader } from './peers.ts';
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

/** What an engine of this project made of it, which says how sure it is and what it hid. */
interface OwnReading extends Reading {
  filter: FilterCounts;
  /** The words with what was hidden brought back. */
  unfiltered: WordCounts;
  judged: Judged[];
}

export interface CaseReport {
  name: string;
  engine: OwnReading;
  plain: Reading | null;
  /** An earlier version's. */
  before: OwnReading | null;
  /** By the reader's name. */
  peers: Record<string, Reading>;
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

/** What an engine of this project told of itself, against what came true. */
interface Trust {
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
  /** Time of the engine over that of the plain program, same pictures, same run. */
  timeRatio: number | null;
  computedRatio: number | null;
  worst: { name: string; f1: number };
  cases: {
    name: string;
    counts: WordCounts;
    cer: number;
    orderLoss: number | undefined;
    milliseconds: number;
    plainF1: number | null;
  }[];
}

/** What was read already, and where to keep what is read now. */
export interface Kept {
  find(set: string, name: string): CaseReport | undefined;
  add(set: string, report: CaseReport): void;
}

export interface ReadOptions {
  plain: boolean;
  before: Reader | null;
  peers: readonly Reader[];
}

/** Reads every case of the set; who goes first changes, so that no reader always finds the file cached. */
export async function readSet(
  engine: Subject,
  set: PictureSet,
  options: ReadOptions,
  kept: Kept,
): Promise<SetReport> {
  const reports: CaseReport[] = [];
  for (const [i, one] of set.cases.entries()) {
    const report = kept.find(set.name, one.name) ?? (await readBeside(engine, one, options, i));
    kept.add(set.name, report);
    reports.push(report);
  }
  return summarise(set.name, reports);
}

async function readBeside(
  engine: Subject,
  one: Case,
  options: ReadOptions,
  turn: number,
): Promise<CaseReport> {
  const bytes = await readFile(one.file);
  const reading: Omit<CaseReport, 'name' | 'engine'> = { plain: null, before: null, peers: {} };
  let own: OwnReading | undefined;
  const readers = [
    async () => {
      own = judge(one, await timed(engine, bytes, one.languages));
    },
    async () => {
      if (options.plain) reading.plain = compare(await readPlainly(one.file, one.languages), one);
    },
    async () => {
      if (options.before) reading.before = judge(one, await options.before.read(one));
    },
    ...options.peers.map((peer) => async () => {
      reading.peers[peer.name] = compare(await peer.read(one), one);
    }),
  ];
  for (const at of readers.keys()) await readers[(at + turn) % readers.length]!();
  return { name: one.name, engine: own!, ...reading };
}

/** Every case of the set in every turn of `TURNS`; the plain program is left out, it gives up on most of them. */
export function readTurned(engine: Subject, set: PictureSet, kept: Kept): Promise<SetReport> {
  return readVariants(engine, set, { name: 'turned', of: TURNS, make: turned }, kept);
}

/** Every case of the set from every one of `VIEWPOINTS`. */
export function readPhotographed(engine: Subject, set: PictureSet, kept: Kept): Promise<SetReport> {
  const viewpoints = Object.keys(VIEWPOINTS) as Viewpoint[];
  return readVariants(engine, set, { name: 'photographed', of: viewpoints, make: photographed }, kept);
}

async function readVariants<Variant extends string | number>(
  engine: Subject,
  set: PictureSet,
  variants: { name: string; of: readonly Variant[]; make(file: string, variant: Variant): Promise<Buffer> },
  kept: Kept,
): Promise<SetReport> {
  const reports: CaseReport[] = [];
  const setName = `${set.name}-${variants.name}`;
  for (const one of set.cases) {
    for (const variant of variants.of) {
      const name = `${one.name}@${variant}`;
      const read = async (): Promise<CaseReport> => ({
        name,
        engine: judge(one, await timed(engine, await variants.make(one.file, variant))),
        plain: null,
        before: null,
        peers: {},
      });
      const report = kept.find(setName, name) ?? (await read());
      kept.add(setName, report);
      reports.push(report);
    }
  }
  return summarise(setName, reports);
}

/** The text as it would be with what was hidden brought back; only good for counting words. */
function everything({ text, hidden }: Told): string {
  return [text, ...hidden.map((piece) => piece.text)].join('\n');
}

type Told = Pick<Answer, 'text' | 'lines' | 'hidden'>;

async function timed(
  engine: Subject,
  bytes: Uint8Array,
  languages: readonly string[] = ['eng'],
): Promise<Answer> {
  // The engine takes the bytes over, and a Buffer may be a slice of memory shared with others.
  const own = Uint8Array.from(bytes);
  const { pid } = engine.status();
  const computedBefore = computedBy(pid);
  const start = performance.now();
  const { text, lines, hidden } = await engine.recognise(own, { filter: true, languages });
  const milliseconds = performance.now() - start;
  return { text, lines, hidden, milliseconds, computed: computedBy(pid) - computedBefore };
}

function compare(
  { text, milliseconds, computed }: Pick<Answer, 'text' | 'milliseconds' | 'computed'>,
  one: Case,
): Reading {
  const fold = (value: string) => (one.foldCase ? value.toUpperCase() : value);
  const [read, expected] = [tokensOf(text, one), tokensOf(one.truth, one)];
  return {
    counts: countWords(read, expected),
    cer: characterErrorRate(fold(text), fold(one.truth)),
    orderLoss: one.unordered ? undefined : orderLoss(read, expected),
    milliseconds,
    computed,
  };
}

/** Words, or letters where nothing stands between words. */
function tokensOf(text: string, { byLetter }: Case): string[] {
  return byLetter ? tokens(text).flatMap((token) => [...token]) : tokens(text);
}

function judge(one: Case, answer: Answer): OwnReading {
  const expected = tokensOf(one.truth, one);
  const hidden = tokensOf(answer.hidden.map((piece) => piece.text).join('\n'), one);
  return {
    ...compare(answer, one),
    filter: countFiltered(tokensOf(answer.text, one), hidden, expected),
    unfiltered: countWords(tokensOf(everything(answer), one), expected),
    // Where letters are counted a word cannot be told right from wrong.
    judged: one.byLetter
      ? []
      : judgeWords(
          answer.lines.flatMap((line) => line.words),
          expected,
        ),
  };
}

function summarise(name: string, reports: readonly CaseReport[]): SetReport {
  const engine = summariseReader(reports.map((report) => report.engine));
  const plainReadings = reports.flatMap((report) => report.plain ?? []);
  const plain = plainReadings.length > 0 ? summariseReader(plainReadings) : null;
  const before = reports.flatMap((report) => report.before ?? []);
  const names = new Set(reports.flatMap((report) => Object.keys(report.peers)));
  const peers = [...names].map((peer): [string, ReaderSummary] => [
    peer,
    summariseReader(reports.flatMap((report) => report.peers[peer] ?? [])),
  ]);
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
    before: before.length > 0 ? { ...summariseReader(before), ...trustOf(before) } : null,
    peers: Object.fromEntries(peers),
    worst,
    ...trustOf(reports.map((report) => report.engine)),
    cases,
  };
}

function trustOf(readings: readonly OwnReading[]): Trust {
  const bins = calibrationBins(readings.flatMap((reading) => reading.judged));
  return {
    calibration: { gap: calibrationGap(bins), bins },
    filter: {
      ...filterRates(readings.map((reading) => reading.filter)),
      unfilteredF1: f1(addCounts(readings.map((reading) => reading.unfiltered))),
    },
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
