/**
 * Trains the candidate ranking of two readings and the confidence calibration:
 * `npx tsx --conditions=source training/chooser.ts --corpus FOLDER`. Both are trained twice: for lines whose first recognizer
 * is tesseract's network, and for lines whose first recognizer is tesseract.
 *
 * The data are `receipts/training` of the corpus and rendered pages, read by both recognizers as the product reads them. The
 * ranking learns from words on which the two differ and one is right; the calibration learns from every word of the result.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { dataIn } from '../src/ocr/languages/language-data.ts';
import { Lexicons } from '../src/ocr/languages/lexicon.ts';
import { detectText } from '../src/ocr/page/detect.ts';
import { boundsOf, type Region } from '../src/ocr/page/geometry.ts';
import { LineImage } from '../src/ocr/page/line-image.ts';
import { decodePicture } from '../src/ocr/picture/decode.ts';
import {
  choiceFeatures,
  type Evidence,
  gatherEvidence,
  type Scrutiny,
  trustFeatures,
} from '../src/ocr/reading/evidence.ts';
import { choose, scrutinyOf, segmentsIn, spelled } from '../src/ocr/reading/fuse.ts';
import type { Lexicon } from '../src/ocr/reading/lexicon.ts';
import { chanceOf, logOdds, type StoredLogistic } from '../src/ocr/reading/logistic.ts';
import { readLines } from '../src/ocr/reading/recognize.ts';
import type { FirstReader, LineRecognizer } from '../src/ocr/reading/recognizer.ts';
import type { Segment } from '../src/ocr/reading/segments.ts';
import { nodeModels } from '../src/ocr/recognizers/node-models.ts';
import { RecognizerThreads } from '../src/ocr/threads/recognizer-pool.ts';
import { type LabeledPage, receipts, renderedPages } from './labeled-pages.ts';
import { type Example, fitLogistic } from './logistic-fit.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    pages: { type: 'string', default: '80' },
    out: { type: 'string', default: 'src/ocr/weights' },
  },
});
const SEED = 3;

/** A word with both readings, and the ground truth of its line. */
interface TrainingWord {
  segment: Segment;
  evidence: Evidence;
  scrutiny: Scrutiny;
  truth: ReadonlySet<string>;
  cased: boolean;
  weight: number;
}

/** Normalizes a word for comparison: its tokens as in the word metric, or the text if it has only punctuation. */
function keyOf(text: string, cased: boolean): string {
  if (cased) return text;
  const tokens = text.toLowerCase().match(/[\p{L}\p{N}]+(?:(?<=\d)[.,/-](?=\d)[\p{L}\p{N}]+)*/gu);
  return tokens ? tokens.join(' ') : text;
}

function isRight(text: string, seen: Pick<TrainingWord, 'truth' | 'cased'>, cased = seen.cased): boolean {
  const key = keyOf(text, cased);
  for (const word of seen.truth) if (keyOf(word, cased) === key) return true;
  return false;
}

const threads = new RecognizerThreads({ threads: 2, languageDirs: [] });
const models = nodeModels(2, (crop) => threads.featuresOf(crop));
const lexicon: Lexicon = new Lexicons(dataIn([])).of(['eng']);
const second = await englishRecognizer(lexicon);

async function englishRecognizer({ letters }: Lexicon): Promise<LineRecognizer> {
  const recognizer = await models.recognizerFor(letters);
  if (!recognizer) throw new Error('the second recognizer does not know English letters');
  return recognizer;
}

async function readPage(page: LabeledPage, weight: number, reader: FirstReader): Promise<TrainingWord[]> {
  const picture = await decodePicture(page.bytes, {
    maxPixels: 100_000_000,
    decodeRaw: () => Promise.reject(new Error('training pictures are JPEG or PNG')),
  });
  const regions = await detectText(picture, await models.detector());
  const images = regions.map((region) => new LineImage(picture, region));
  const lines = await readLines(images, {
    first: threads.readerOf(['eng'], { hasSecondary: reader === 'network' }),
    second,
    lexicon,
    threads: threads.size,
    signal: new AbortController().signal,
  });
  const seen: TrainingWord[] = [];
  for (const line of lines) {
    const truth = truthAt(page, line.image.region, picture.scale);
    if (truth.size === 0) continue;
    for (const segment of segmentsIn(line)) {
      const evidence = gatherEvidence(segment, lexicon);
      const scrutiny = scrutinyOf(segment, line);
      seen.push({ segment, evidence, scrutiny, truth, cased: page.cased, weight });
    }
  }
  return seen;
}

/** The words of the labeled lines that overlap with a region. */
function truthAt(page: LabeledPage, region: Region, scale: number): Set<string> {
  const { x, y, width, height } = boundsOf(region);
  const words = new Set<string>();
  for (const { text, box } of page.lines) {
    const overlapY = Math.min((y + height) / scale, box.y + box.height) - Math.max(y / scale, box.y);
    const overlapX = Math.min((x + width) / scale, box.x + box.width) - Math.max(x / scale, box.x);
    if (overlapY < 0.4 * Math.min(height / scale, box.height) || overlapX <= 0) continue;
    for (const word of text.split(' ')) words.add(word);
  }
  return words;
}

function choiceExamples(all: readonly TrainingWord[]): Example[] {
  return all.flatMap((seen) => {
    const { first, second: other } = seen.evidence;
    if (seen.scrutiny !== 'checked' || first === '' || other === '' || first === other) return [];
    const [firstRight, secondRight] = [isRight(first, seen), isRight(other, seen)];
    if (firstRight === secondRight) return [];
    return [{ features: choiceFeatures(seen.evidence), isCorrect: firstRight, weight: seen.weight }];
  });
}

function calibrationExamples(all: readonly TrainingWord[], chooser: StoredLogistic): Example[] {
  return all.flatMap((seen) => {
    const chosen = seen.scrutiny === 'checked' ? choose(seen.evidence, chooser) : seen.evidence.first;
    if (chosen === '') return [];
    const { text, judged } = spelled(chosen, seen.segment, lexicon);
    const features = trustFeatures(seen.evidence, judged, seen.scrutiny, lexicon);
    return [{ features, isCorrect: isRight(text, seen, false), weight: seen.weight }];
  });
}

/** Expected calibration error: mean difference between stated confidence and accuracy over ten bins, weighted by size. */
function calibrationGap(examples: readonly Example[], model: StoredLogistic): number {
  const bins = Array.from({ length: 10 }, () => ({ stated: 0, right: 0 }));
  for (const { features, isCorrect } of examples) {
    const chance = chanceOf(logOdds(model, features));
    const bin = bins[Math.min(9, Math.floor(chance * 10))]!;
    bin.stated += chance;
    bin.right += Number(isCorrect);
  }
  return bins.reduce((sum, { stated, right }) => sum + Math.abs(stated - right), 0) / examples.length;
}

/** Trains the ranking and the calibration for lines of one first recognizer. */
async function train(corpus: string, reader: FirstReader) {
  const all: TrainingWord[] = [];
  for (const page of receipts(path.join(corpus, 'receipts/training')))
    all.push(...(await readPage(page, 1, reader)));
  const fromReceipts = all.length;
  for await (const page of renderedPages(Number(options.pages), SEED))
    all.push(...(await readPage(page, 0.5, reader)));
  const choices = choiceExamples(all);
  const chooser = fitLogistic(
    choices,
    `${choices.length} words on which the recognizers differ, of receipts/training and ${options.pages} rendered pages`,
  );
  const wrong = choices.filter(
    ({ features, isCorrect }) => logOdds(chooser, features) > 0 !== isCorrect,
  ).length;
  console.log(
    `${reader}: chooser: ${chooser.trainedOn}; ${((100 * wrong) / choices.length).toFixed(1)} % wrong`,
  );
  const calibrationWords = calibrationExamples(all, chooser);
  const calibration = fitLogistic(
    calibrationWords,
    `${fromReceipts} words of receipts/training and ${all.length - fromReceipts} of ${options.pages} rendered pages`,
  );
  const gap = calibrationGap(calibrationWords, calibration).toFixed(3);
  console.log(`${reader}: calibration: ${calibration.trainedOn}; gap ${gap}`);
  return { chooser, calibration };
}

if (!options.corpus) throw new Error('--corpus FOLDER is missing');
const network = await train(options.corpus, 'network');
const tesseract = await train(options.corpus, 'tesseract');
await threads.close();
for (const name of ['chooser', 'calibration'] as const) {
  const models = { network: network[name], tesseract: tesseract[name] };
  writeFileSync(path.join(options.out, `${name}.json`), `${JSON.stringify(models, null, 2)}\n`);
}
