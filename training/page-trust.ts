/**
 * Trains the confidence calibration by page: `npx tsx --conditions=source training/page-trust.ts --corpus FOLDER`, after
 * `chooser.ts`. Learns from every second labeled picture, and reports the calibration of the other half, before and after.
 *
 * All receipts for tuning are in the first half and those for validation in the other. Fraktur has its own two numbers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { apartByScript, type Case, half, loadSets, type PictureSet, REPORTS } from '../bench/corpus.ts';
import { calibrationBins, calibrationGap, type Judged, judgeWords, tokens } from '../bench/measure.ts';
import { PictureReader } from '../src/ocr/child/reader.ts';
import { chanceOf, logOdds, type StoredLogistic } from '../src/ocr/reading/logistic.ts';
import { onPage } from '../src/ocr/reading/page-trust.ts';
import type { Trace } from '../src/ocr/trace.ts';
import { type Example, fitLogistic } from './logistic-fit.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string', default: 'src/ocr/weights/page-trust.json' },
  },
});
if (!options.corpus) throw new Error('--corpus FOLDER names the labelled pictures');

/** The shown words of one picture, each with its own chance. */
type JudgedPage = readonly Judged[];

const reader = await PictureReader.start({
  maxPixels: 100_000_000,
  threads: 2,
  languageDirs: options.data === undefined ? [] : [options.data],
});
// The reports are judged by exact words, and some of their files are damaged.
const sets = apartByScript(loadSets(options.corpus)).filter(
  ({ name }) => name !== 'real-fraktur' && name !== REPORTS,
);
const learnt = await read(sets.map((set) => halfOf(set, 0)));
const model = fitLogistic(
  learnt.flatMap(({ pages }) => examplesOf(pages)),
  `${wordsOf(learnt.flatMap(({ pages }) => pages)).length} words of every second labelled picture`,
  1e-6,
);
writeFileSync(options.out, `${JSON.stringify(model, null, 2)}\n`);
console.log(model.trainedOn, model.weights);
report(await read(sets.map((set) => halfOf(set, 1))), model);
await reader.close();

function halfOf(set: PictureSet, which: 0 | 1): PictureSet {
  const whole = { 'receipts-tuning': 0, 'receipts-validation': 1 }[set.name];
  if (whole === undefined) return half(set, which);
  return whole === which ? set : { ...set, cases: [] };
}

async function read(halves: readonly PictureSet[]): Promise<{ name: string; pages: JudgedPage[] }[]> {
  const read = [];
  for (const { name, cases } of halves) {
    const pages: JudgedPage[] = [];
    // Where letters are counted, single words cannot be judged.
    for (const one of cases) if (!one.byLetter) pages.push(await judge(one));
    if (wordsOf(pages).length > 0) read.push({ name, pages });
  }
  return read;
}

async function judge({ file, languages = ['eng'], truth }: Case): Promise<JudgedPage> {
  let judged: Judged[] = [];
  const nothing = () => {};
  const trace: Trace = {
    decoded: nothing,
    found: nothing,
    oriented: nothing,
    read: nothing,
    chose: nothing,
    placed: nothing,
    ordered: nothing,
    filtered: ({ lines }) => {
      judged = judgeWords(
        lines.flatMap((line) => line.words),
        tokens(truth),
      );
    },
    laidOut: nothing,
  };
  const signal = new AbortController().signal;
  const bytes = Uint8Array.from(readFileSync(file));
  await reader.read(bytes, { languages, filter: true, signal, onStage: nothing, trace });
  return judged;
}

function wordsOf(pages: readonly JudgedPage[]): Judged[] {
  return pages.flat();
}

/** A kind counts by the square root of its words, so that pages of print, with most of the words, do not dominate. */
function examplesOf(pages: readonly JudgedPage[]): Example[] {
  const weight = 1 / Math.sqrt(wordsOf(pages).length);
  return pages.flatMap((page) => {
    const features = onPage(page);
    return page.map(({ confidence, right }) => ({ features: features(confidence), yes: right, weight }));
  });
}

function report(sets: readonly { name: string; pages: JudgedPage[] }[], model: StoredLogistic): void {
  const gap = (judged: readonly Judged[]) => Number(calibrationGap(calibrationBins(judged)).toFixed(3));
  const rows = sets.map(({ name, pages }): [string, object] => {
    const before = wordsOf(pages);
    const after = pages.flatMap((page) => {
      const features = onPage(page);
      return page.map((word) => ({
        ...word,
        confidence: chanceOf(logOdds(model, features(word.confidence))),
      }));
    });
    return [name, { words: before.length, before: gap(before), after: gap(after) }];
  });
  console.table(Object.fromEntries(rows));
}
