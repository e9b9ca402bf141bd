/**
 * Trains the second recogniser's last layer: `npx tsx --conditions=source scripts/train/head.ts --corpus FOLDER`.
 *
 * PP-OCRv4 tells 6,624 characters apart, most of them Chinese, and was hardly taught spaces. Its features know more than
 * that: a layer trained anew on them reads Latin letters with accents, marks and spaces. Trained on the corpus'
 * `receipts/training` and on rendered pages; what is reported are rendered pages held out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { align } from '../../src/ocr/reading/align.ts';
import { decodeGreedily } from '../../src/ocr/recognisers/ctc.ts';
import { PaddleHead, type StoredHead } from '../../src/ocr/recognisers/paddle-head.ts';
import { ctcGradient } from './ctc-gradient.ts';
import { type LabelledPage, receipts, rendered } from './labelled-pages.ts';
import { type LineSample, openNetworks, samplesOf } from './line-samples.ts';
import { readOriginalHead } from './original-head.ts';
import { randomFrom } from './random.ts';
import { CHARACTERS } from './text-source.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    pages: { type: 'string', default: '240' },
    epochs: { type: 'string', default: '4' },
    samples: { type: 'string' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string', default: 'src/ocr/weights/latin-head.json' },
  },
});
const TRAINING_SEED = 1;
const CHECK_SEED = 2;
const BATCH = 16;
/** Of rendered lines each round takes this share, anew: drawn print is easier than worn print and must not outweigh it. */
const RENDERED_SHARE = 0.35;
const RATE = 0.003;
/** How strongly the weights of letters that the original knows are held: it has seen far more print than is rendered here. */
const PULL = 0.3;
/** A receipt's truth that has little in common with what is read is taken for a slip of the labels. */
const PLAUSIBLE = 0.55;

interface Layer {
  characters: string[];
  features: number;
  /** A row of weights and a bias for each character. */
  weights: Float32Array;
  /** The weights at the start, and 1 for each row that keeps near them. */
  start: Float32Array;
  held: Uint8Array;
}

/** The rows of the original layer where it knows the character; small noise where it does not. */
async function startingLayer(): Promise<Layer> {
  const original = await readOriginalHead();
  const random = randomFrom(7);
  const characters = ['', ...CHARACTERS, ' '];
  const { features } = original;
  const weights = new Float32Array(characters.length * (features + 1));
  const held = new Uint8Array(characters.length);
  for (const [row, character] of characters.entries()) {
    const column = row === 0 ? 0 : original.characters.indexOf(character);
    // Spaces are what the original was hardly taught.
    if (column >= 0 && character !== ' ') held[row] = 1;
    for (let i = 0; i < features; i++) {
      const known =
        column >= 0 ? original.weights[i * original.characters.length + column]! : random.normal(0.02);
      weights[row * (features + 1) + i] = known;
    }
    weights[row * (features + 1) + features] = column >= 0 ? original.bias[column]! : -3;
  }
  return { characters, features, weights, start: weights.slice(), held };
}

function stored(layer: Layer, trainedOn: string): StoredHead {
  const scale = layer.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 32767;
  const numbers = Int16Array.from(layer.weights, (weight) => Math.round(weight / scale));
  return {
    trainedOn,
    characters: layer.characters,
    features: layer.features,
    scale,
    weights: Buffer.from(numbers.buffer).toString('base64'),
  };
}

async function read(head: PaddleHead, sample: LineSample): Promise<string> {
  const decoded = decodeGreedily(await head.posteriors(sample.features, sample.steps));
  return decoded
    .map(({ class: index }) => head.characters[index])
    .join('')
    .trim();
}

/** Characters wrong per character of truth; case does not count where the truth has none. */
async function errorRate(head: PaddleHead, samples: readonly LineSample[]): Promise<number> {
  let wrong = 0;
  let length = 0;
  for (const sample of samples) {
    const [truth, seen] = [sample.text, await read(head, sample)].map((text) =>
      sample.cased ? text : text.toLowerCase(),
    ) as [string, string];
    wrong += editDistance(truth, seen);
    length += truth.length;
  }
  return wrong / length;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1]));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The truth in the case of the print, as far as the starting layer saw it; undefined when the label cannot be right. */
function inPrintedCase(truth: string, seen: string): string | undefined {
  const place = (text: string) =>
    [...text].map((character, index) => ({ text: character, centre: index * 0.1 }));
  const { pairs, similarity } = align(place(truth.toUpperCase()), place(seen.toUpperCase()));
  if (similarity < PLAUSIBLE) return undefined;
  const [printed, read] = [[...truth], [...seen]];
  let small = false;
  for (const [i, j] of pairs) {
    if (i < 0) continue;
    const character = read[j];
    if (character && character.toLowerCase() === printed[i]!.toLowerCase() && /\p{L}/u.test(character)) {
      small = character !== character.toUpperCase();
    }
    if (small) printed[i] = printed[i]!.toLowerCase();
  }
  return printed.join('');
}

async function collect(
  pages: AsyncIterable<LabelledPage> | Iterable<LabelledPage>,
  networks: Awaited<ReturnType<typeof openNetworks>>,
): Promise<LineSample[]> {
  const samples: LineSample[] = [];
  let count = 0;
  for await (const page of pages) {
    samples.push(...(await samplesOf(page, networks)));
    if (++count % 20 === 0) console.log(`${count} pages, ${samples.length} lines`);
  }
  return samples;
}

/** Adam over mini-batches; the step shrinks to nothing over the run. */
async function train(
  layer: Layer,
  receiptLines: readonly LineSample[],
  renderedLines: readonly LineSample[],
  epochs: number,
  report: () => Promise<void>,
): Promise<void> {
  const random = randomFrom(11);
  const size = layer.weights.length;
  const gradient = new Float32Array(size);
  const mean = new Float32Array(size);
  const square = new Float32Array(size);
  const drawn = Math.round(renderedLines.length * RENDERED_SHARE);
  const total = epochs * Math.ceil((receiptLines.length + drawn) / BATCH);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const round = shuffled([...receiptLines, ...shuffled(renderedLines, random).slice(0, drawn)], random);
    let loss = 0;
    for (let start = 0; start < round.length; start += BATCH) {
      gradient.fill(0);
      const batch = round.slice(start, start + BATCH);
      for (const sample of batch) loss += ctcGradient(layer, sample, gradient);
      step++;
      const rate = RATE * (1 - step / total) * Math.min(1, step / 50);
      for (let i = 0; i < size; i++) {
        const row = Math.floor(i / (layer.features + 1));
        const pull = layer.held[row] ? PULL * (layer.weights[i]! - layer.start[i]!) : 0;
        const g = gradient[i]! / batch.length + pull;
        mean[i] = 0.9 * mean[i]! + 0.1 * g;
        square[i] = 0.999 * square[i]! + 0.001 * g * g;
        const m = mean[i]! / (1 - 0.9 ** step);
        const v = square[i]! / (1 - 0.999 ** step);
        layer.weights[i]! -= (rate * m) / (Math.sqrt(v) + 1e-8);
      }
    }
    console.log(`epoch ${epoch + 1}: loss ${(loss / round.length).toFixed(3)} a line`);
    await report();
  }
}

function shuffled<T>(items: readonly T[], random: ReturnType<typeof randomFrom>): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = random.whole(0, i);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

if (!options.corpus) throw new Error('--corpus FOLDER names the labelled pictures');
const layer = await startingLayer();
const start = PaddleHead.from(stored(layer, ''));
const knowsAll = new Set(layer.characters);
async function labelled(samples: readonly LineSample[]): Promise<LineSample[]> {
  const all: LineSample[] = [];
  for (const sample of samples) {
    const text = sample.cased ? sample.text : inPrintedCase(sample.text, await read(start, sample));
    if (text && [...text].every((character) => knowsAll.has(character))) all.push({ ...sample, text });
  }
  return all;
}
/** The slow part: reading pages into samples. `--samples FILE` keeps them for the next run. */
async function samplesOfAll(
  corpus: string,
): Promise<Record<'receipts' | 'rendered' | 'heldOut', LineSample[]>> {
  if (options.samples && existsSync(options.samples)) return deserialize(readFileSync(options.samples));
  const networks = await openNetworks(Number(options.threads));
  const all = {
    receipts: await collect(receipts(path.join(corpus, 'receipts/training')), networks),
    rendered: await collect(rendered(Number(options.pages), TRAINING_SEED), networks),
    heldOut: await collect(rendered(20, CHECK_SEED), networks),
  };
  if (options.samples) writeFileSync(options.samples, serialize(all));
  return all;
}

const all = await samplesOfAll(options.corpus);
const fromReceipts = await labelled(all.receipts);
const fromRendering = await labelled(all.rendered);
const trainedOn = `${fromReceipts.length} lines of receipts/training, ${fromRendering.length} lines of ${options.pages} rendered pages`;
console.log(trainedOn);
const report = async () => {
  const head = PaddleHead.from(stored(layer, trainedOn));
  console.log(
    `characters wrong on rendered pages held out: ${(await errorRate(head, all.heldOut)).toFixed(4)}`,
  );
};
await report();
await train(layer, fromReceipts, fromRendering, Number(options.epochs), report);
writeFileSync(options.out, `${JSON.stringify(stored(layer, trainedOn), null, 1)}\n`);
