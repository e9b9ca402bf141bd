/**
 * Trains the confidence calibration by page: `npx tsx --conditions=source training/page-calibration.ts --corpus FOLDER`, after
 * `chooser.ts`. Fits on every second labeled image, and reports the calibration of the other half, before and after.
 *
 * All tuning receipts are in the first half, and all validation receipts in the second. Fraktur is left out, because it has
 * two parameters of its own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Case, half, loadSets, type PictureSet, REPORTS, separateScripts } from '../bench/corpus.ts';
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
if (!options.corpus) throw new Error('--corpus FOLDER is missing');

/** The words of one image that the product shows, each with its confidence. */
type JudgedPage = readonly Judged[];

const reader = await PictureReader.start({
  maxPixels: 100_000_000,
  threads: 2,
  languageDirs: options.data === undefined ? [] : [options.data],
});
// Images of reports are left out: their truth is exact words, and some of the files are damaged.
const sets = separateScripts(loadSets(options.corpus)).filter(
  ({ name }) => name !== 'real-fraktur' && name !== REPORTS,
);
const trainingPages = await readSets(sets.map((set) => halfOfSet(set, 0)));
const model = fitLogistic(
  trainingPages.flatMap(({ pages }) => examplesOf(pages)),
  `${wordsOf(trainingPages.flatMap(({ pages }) => pages)).length} words of every second labelled picture`,
  1e-6,
);
writeFileSync(options.out, `${JSON.stringify(model, null, 2)}\n`);
console.log(model.trainedOn, model.weights);
report(await readSets(sets.map((set) => halfOfSet(set, 1))), model);
await reader.close();

function halfOfSet(set: PictureSet, which: 0 | 1): PictureSet {
  const whole = { 'receipts-tuning': 0, 'receipts-validation': 1 }[set.name];
  if (whole === undefined) return half(set, which);
  return whole === which ? set : { ...set, cases: [] };
}

async function readSets(halves: readonly PictureSet[]): Promise<{ name: string; pages: JudgedPage[] }[]> {
  const results = [];
  for (const { name, cases } of halves) {
    const pages: JudgedPage[] = [];
    // Sets measured by characters have no ground truth for single words.
    for (const one of cases) if (!one.byLetter) pages.push(await judge(one));
    if (wordsOf(pages).length > 0) results.push({ name, pages });
  }
  return results;
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

/** Each set is weighted by the square root of its word count, so that pages of print, with most words, do not dominate. */
function examplesOf(pages: readonly JudgedPage[]): Example[] {
  const weight = 1 / Math.sqrt(wordsOf(pages).length);
  return pages.flatMap((page) => {
    const features = onPage(page);
    return page.map(({ confidence, right }) => ({
      features: features(confidence),
      isCorrect: right,
      weight,
    }));
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
