/**
 * Trains the script classifier: `npx tsx --conditions=source training/scripts.ts --corpus FOLDER`. It is one layer on the mean
 * and maximum of the recognizer's features over a line. It learns from lines rendered with Debian's Noto fonts (texts of
 * `bench/languages`) and from lines of every second English image of the corpus. Reports the results on the other half and on
 * images in other languages.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Sample } from '../bench/languages/draw.ts';
import { type Random, randomFrom } from '../scripts/random.ts';
import { describeLanguage } from '../src/ocr/languages/languages.ts';
import { nodeRuntime } from '../src/ocr/networks/onnxruntime.ts';
import { cleaned } from '../src/ocr/page/crop.ts';
import { detectText } from '../src/ocr/page/detect.ts';
import { LineImage } from '../src/ocr/page/line-image.ts';
import { decodePicture } from '../src/ocr/picture/decode.ts';
import { linesToClassify } from '../src/ocr/reading/other-script.ts';
import { SECOND_CONTRAST } from '../src/ocr/reading/recognize.ts';
import { nodeModels } from '../src/ocr/recognizers/node-models.ts';
import { featuresOf, HEIGHT } from '../src/ocr/recognizers/paddle-features.ts';
import { pooled } from '../src/ocr/recognizers/paddle-script.ts';

const { values: options } = parseArgs({
  options: { corpus: { type: 'string' }, out: { type: 'string', default: 'src/ocr/weights/scripts.json' } },
});
if (options.corpus === undefined) throw new Error('--corpus is missing');
const { corpus } = options;

/** Folders of English images, and the number of images used of each. */
const ENGLISH = {
  'real/business': 12,
  'real/receipts-photo': 10,
  'real/scene': 10,
  'real/screens': 10,
  'real/handwriting': 8,
  'real/old-books': 8,
  'real/columns-and-papers': 6,
  'real/tables': 6,
  'real/page-photos': 6,
  screens: 14,
  pages: 8,
  'receipts/validation': 12,
};
const RENDERED_LINES = 60;
const EPOCHS = 25;

/** Scripts that are classified as one: simplified and traditional Chinese. */
const SCRIPT_GROUPS: Readonly<Record<string, string>> = { Hans: 'Hani', Hant: 'Hani' };
const scriptOf = (code: string): string => {
  const { script } = describeLanguage(code);
  return SCRIPT_GROUPS[script] ?? script;
};

interface Example {
  pool: Float64Array;
  script: string;
}

const detection = nodeModels(1, () => Promise.reject(new Error('nothing is read here')));
const detector = await detection.detector();
const recognition = await nodeRuntime.openNetwork('features', 1);
const random = randomFrom(7);

/** Renders random excerpts of a text as lines, with random sizes, font styles and blur. */
async function renderLines({ language, serif, sans, paragraphs }: Sample): Promise<Example[]> {
  const text = paragraphs.join(' ').replace(/\s+/g, ' ');
  const examples: Example[] = [];
  while (examples.length < RENDERED_LINES) {
    const length = 8 + Math.floor(random.next() * 40);
    const from = Math.floor(random.next() * Math.max(1, text.length - length));
    const piece = text.slice(from, from + length).trim();
    if (piece.length < 4) continue;
    const font = `${random.next() < 0.5 ? serif : sans}${random.next() < 0.25 ? ' Bold' : ''} ${14 + Math.floor(random.next() * 26)}`;
    const ink = await sharp({ text: { text: piece.replace(/[&<>]/g, ' '), font, dpi: 72, wrap: 'none' } })
      .extractChannel(0)
      .negate()
      .png()
      .toBuffer({ resolveWithObject: true });
    const margin = Math.max(1, Math.round(ink.info.height * (0.08 + random.next() * 0.15)));
    const line = await sharp(ink.data)
      .extend({ top: margin, bottom: margin, left: 2 * margin, right: 2 * margin, background: '#fff' })
      .png()
      .toBuffer();
    const worn =
      random.next() < 0.5
        ? await sharp(line)
            .blur(0.4 + random.next())
            .png()
            .toBuffer()
        : line;
    const { data, info } = await sharp(worn)
      .resize({ height: HEIGHT })
      .toColourspace('b-w')
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const crop = { width: info.width, height: HEIGHT, gray: new Uint8Array(data) };
    examples.push({ pool: pooled(await featuresOf(recognition, crop)), script: scriptOf(language) });
  }
  return examples;
}

async function linesOf(file: string, script: string): Promise<Example[]> {
  const picture = await decodePicture(new Uint8Array(readFileSync(file)), {
    maxPixels: 100_000_000,
    decodeRaw: () => Promise.reject(new Error('pictures of the corpus are JPEG or PNG')),
  });
  const regions = await detectText(picture, detector);
  const examples: Example[] = [];
  const lines = regions.map((region) => ({ image: new LineImage(picture, region) }));
  for (const { image } of linesToClassify(lines)) {
    const crop = cleaned(image.pixels(HEIGHT), SECOND_CONTRAST);
    examples.push({ pool: pooled(await featuresOf(recognition, crop)), script });
  }
  return examples;
}

/** At most `maxCount` images of a folder, evenly distributed over it. */
function picturesIn(folder: string, maxCount = Number.POSITIVE_INFINITY): string[] {
  const names = readdirSync(path.join(corpus, folder)).filter((name) => /\.(png|jpe?g)$/.test(name));
  const step = Math.max(1, Math.floor(names.length / maxCount));
  const selected = names.toSorted().filter((_, index) => index % step === 0);
  return selected.slice(0, maxCount).map((name) => path.join(corpus, folder, name));
}

/**
 * Softmax regression by stochastic gradient descent. Returns a row for each script: the weights of the features and a bias,
 * for features that are not normalized.
 */
function fit(examples: readonly Example[], scripts: readonly string[], shuffle: Random): number[][] {
  const size = examples[0]!.pool.length;
  const mean = new Float64Array(size);
  const variance = new Float64Array(size);
  for (const { pool } of examples) {
    for (const [at, value] of pool.entries()) mean[at]! += value / examples.length;
  }
  for (const { pool } of examples) {
    for (const [at, value] of pool.entries()) variance[at]! += (value - mean[at]!) ** 2 / examples.length;
  }
  const scale = variance.map((value) => Math.sqrt(value) + 1e-3);
  const normalized = examples.map(({ pool }) => pool.map((value, at) => (value - mean[at]!) / scale[at]!));
  const labels = examples.map(({ script }) => scripts.indexOf(script));
  const classWeights = labels.map((label) => 1 / Math.sqrt(labels.filter((other) => other === label).length));
  const meanWeight = classWeights.reduce((sum, weight) => sum + weight) / classWeights.length;
  const rows = scripts.map(() => new Float64Array(size + 1));
  let learningRate = 0.02;
  for (let epoch = 0; epoch < EPOCHS; epoch++, learningRate *= 0.88) {
    const order = [...normalized.keys()]
      .map((index) => [shuffle.next(), index] as const)
      .sort(([a], [b]) => a - b);
    for (const [, index] of order) {
      const values = normalized[index]!;
      const scores = rows.map((row) => values.reduce((sum, value, at) => sum + value * row[at]!, row[size]!));
      const highest = Math.max(...scores);
      const exponentials = scores.map((score) => Math.exp(score - highest));
      const total = exponentials.reduce((sum, chance) => sum + chance, 0);
      for (const [label, row] of rows.entries()) {
        const error = exponentials[label]! / total - (label === labels[index] ? 1 : 0);
        const step = (error * classWeights[index]! * learningRate) / meanWeight;
        for (const [at, value] of values.entries()) row[at]! -= step * value + 1e-4 * learningRate * row[at]!;
        row[size]! -= step;
      }
    }
  }
  return rows.map((row) => {
    const weights = [...mean.keys()].map((at) => row[at]! / scale[at]!);
    const bias = weights.reduce((sum, weight, at) => sum - weight * mean[at]!, row[size]!);
    return [...weights.map((weight) => Number(weight.toPrecision(4))), Number(bias.toPrecision(6))];
  });
}

const texts = JSON.parse(
  readFileSync(new URL('../bench/languages/texts.json', import.meta.url), 'utf8'),
) as Sample[];
const examples: Example[] = [];
for (const text of texts) examples.push(...(await renderLines(text)));
const english = Object.entries(ENGLISH).flatMap(([folder, maxCount]) => picturesIn(folder, maxCount));
for (const [index, file] of english.entries()) {
  if (index % 2 === 0) examples.push(...(await linesOf(file, 'Latn')));
}
const scripts = [...new Set(['Latn', ...examples.map(({ script }) => script)])];
const weights = fit(examples, scripts, random);
const trainedOn = `${examples.length} lines: ${texts.length} drawn texts, every second of ${english.length} English pictures`;
const stored = Buffer.from(Float32Array.from(weights.flat()).buffer).toString('base64');
writeFileSync(options.out, `${JSON.stringify({ trainedOn, scripts, weights: stored }, null, 2)}\n`);

/** Whether another script than Latin, which is the first class, is more likely. */
const isForeign = ({ pool }: Example): boolean => {
  const scores = weights.map((row) => pool.reduce((sum, value, at) => sum + value * row[at]!, row.at(-1)!));
  return scores.reduce((sum, score) => sum + Math.exp(score - scores[0]!), 0) > 2;
};
const testImages = english.filter((_, index) => index % 2 === 1);
for (const file of [...testImages, ...picturesIn('real/languages')]) {
  const lines = await linesOf(file, '');
  console.log(
    `${path.relative(corpus, file)}: ${lines.filter(isForeign).length} of ${lines.length} in other letters`,
  );
}
