/**
 * Writes lines for training: `npx tsx --conditions=source training/lines.ts --out FOLDER [--corpus FOLDER] [--pages COUNT]
 * [--rare COUNT]`. Every line passes through the product's own steps: the same detection, the same crop, the same network;
 * the network's features and the line's text are stored. Pages are drawn (`render-page.ts`), and those of the corpus in Latin
 * letters are used unchanged. Each line records its half (tuning or reports).
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { editDistance } from '../bench/measure.ts';
import { type Random, randomFrom } from '../scripts/random.ts';
import { dataIn } from '../src/ocr/languages/language-data.ts';
import { Lexicons } from '../src/ocr/languages/lexicon.ts';
import { nodeRuntime } from '../src/ocr/networks/onnxruntime.ts';
import { cleaned, cutLine } from '../src/ocr/page/crop.ts';
import { detectText, type TextRegion } from '../src/ocr/page/detect.ts';
import { boundsOf } from '../src/ocr/page/geometry.ts';
import { decodePicture } from '../src/ocr/picture/decode.ts';
import type { GrayImage } from '../src/ocr/picture/pixels.ts';
import { SECOND_CONTRAST } from '../src/ocr/reading/recognize.ts';
import { wordsOf } from '../src/ocr/reading/recognizer.ts';
import { nodeModels } from '../src/ocr/recognizers/node-models.ts';
import { featuresOf, HEIGHT, type LineFeatures } from '../src/ocr/recognizers/paddle-features.ts';
import { LastLayer, priorsFor } from '../src/ocr/recognizers/paddle-head.ts';
import { type LabelledPage, rendered, writtenFonts } from './labelled-pages.ts';
import { ADDED_CHARACTERS, rareLineSource } from './rare-text.ts';
import type { LabelledLine } from './render-page.ts';
import { CHARACTERS, lineSource } from './text-source.ts';

/** Folders of the corpus whose pictures have a text beside them; other scripts than Latin are recognized by their names. */
const REAL = [
  'business',
  'columns-and-papers',
  'handwriting',
  'old-books',
  'page-photos',
  'receipts-photo',
  'scene',
  'screens',
  'tables',
];
const OTHER_LETTERS = /^(zh|ja|th|ko|ru|el|ar|he|hi)-/;
/** Maximum normalized edit distance between a reading and its ground-truth line. */
const MAX_APART = 0.6;
/** Minimum margin to the second-best match. */
const MIN_LEAD = 0.25;
/** This share of a drawn line must lie within the detected region, and the reverse. */
const MIN_OVERLAP = 0.8;

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    out: { type: 'string' },
    pages: { type: 'string', default: '400' },
    rare: { type: 'string', default: '0' },
    seed: { type: 'string', default: '11' },
  },
});
if (options.out === undefined) throw new Error('--out is missing');
const { corpus, out } = options;

/** The data stored beside a line's features. */
interface StoredLine {
  text: string;
  steps: number;
  /** Its origin: a kind of the corpus, `drawn print` or `drawn pen`. */
  kind: string;
  picture: string;
  /** Of the real ones: 0 for tuning, 1 for reports. */
  half: 0 | 1;
}

const detection = nodeModels(1, async (crop) => featuresOf(recognition, crop));
const detector = await detection.detector();
const recognition = await nodeRuntime.openNetwork('features', 1);
const reader = (await detection.recognizerFor(new Set(CHARACTERS)))!;
const random = randomFrom(Number(options.seed));

mkdirSync(out, { recursive: true });
const stored: StoredLine[] = [];
const file = openSync(path.join(out, 'features.f32'), 'w');

function keep({ data, steps }: LineFeatures, line: Omit<StoredLine, 'steps'>): void {
  // CTC cannot fit a longer text into a line's steps.
  if (line.text.length === 0 || line.text.length * 1.2 > steps) return;
  writeSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  stored.push({ ...line, steps });
}

async function linesOn(bytes: Uint8Array): Promise<{ region: TextRegion; crop: GrayImage }[]> {
  const picture = await decodePicture(bytes, {
    maxPixels: 100_000_000,
    decodeRaw: () => Promise.reject(new Error('pictures of the corpus are JPEG or PNG')),
  });
  const regions = await detectText(picture, detector);
  return regions.map((region) => ({
    region,
    crop: cleaned(cutLine(picture, region, HEIGHT), SECOND_CONTRAST),
  }));
}

/** Rare characters of an English text, and the ones that are trained. */
async function rareCharacters(): Promise<string[]> {
  const layer = new LastLayer(JSON.parse(await nodeRuntime.readLastLayer()), nodeRuntime.openModel);
  const letters = new Lexicons(dataIn([])).of(['eng']).letters;
  const priorOf = priorsFor(letters);
  const known = layer.headFor(letters).characters.filter((character) => priorOf(character)! > 0);
  return [...new Set([...known, ...ADDED_CHARACTERS])];
}

/** The drawn line of a detected region: neither a part of it nor two. */
function drawnAt(region: TextRegion, lines: readonly LabelledLine[]): LabelledLine | undefined {
  const found = boundsOf(region);
  return lines.find(({ box }) => {
    const width = Math.min(found.x + found.width, box.x + box.width) - Math.max(found.x, box.x);
    const height = Math.min(found.y + found.height, box.y + box.height) - Math.max(found.y, box.y);
    const isWhole = width > MIN_OVERLAP * Math.max(box.width, found.width - 2 * found.height);
    return isWhole && box.width > 0.97 * (found.width - found.height) && height > MIN_OVERLAP * box.height;
  });
}

/** Uneven, sometimes ruled background. */
function onPaper({ gray, width, height }: GrayImage, chance: Random): GrayImage {
  const bent = new Uint8Array(gray.length);
  const [rise, phase] = [chance.chance(0.4) ? chance.between(0, 3) : 0, chance.between(0, 6.28)];
  const length = chance.between(4, 20) * height;
  const rule = chance.chance(0.1) ? chance.whole(34, 46) : -1;
  for (let x = 0; x < width; x++) {
    const shift = Math.round(rise * Math.sin(phase + (6.28 * x) / length));
    for (let y = 0; y < height; y++) {
      const from = Math.max(0, Math.min(height - 1, y + shift));
      const value = gray[from * width + x]!;
      bent[y * width + x] = y === rule ? Math.min(value, 120) : value;
    }
  }
  return { gray: bent, width, height };
}

async function takeDrawn(kind: string, pages: AsyncGenerator<LabelledPage>): Promise<void> {
  for await (const { name, bytes, lines } of pages) {
    for (const { region, crop } of await linesOn(bytes)) {
      const line = drawnAt(region, lines);
      if (!line) continue;
      const features = await featuresOf(recognition, onPaper(crop, random));
      keep(features, { text: line.text, kind, picture: name, half: 0 });
    }
  }
}

/** The nearest line of the truth to a reading, unless another one is similarly near. */
function truthOf(reading: string, truth: readonly string[]): string | undefined {
  const apart = truth
    .map((line) => ({
      line,
      apart: editDistance(reading.toLowerCase(), line.toLowerCase()) / Math.max(reading.length, line.length),
    }))
    .sort((a, b) => a.apart - b.apart);
  const [best, next] = apart;
  if (!best || best.apart > MAX_APART) return undefined;
  const isClear = !next || next.line === best.line || next.apart - best.apart >= MIN_LEAD;
  return isClear ? best.line : undefined;
}

async function takeReal(folder: string, kind: string): Promise<void> {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  for (const [index, name] of pictures.toSorted().entries()) {
    const beside = path.join(folder, name.replace(/\.jpg$/, '.txt'));
    if (OTHER_LETTERS.test(name) || !existsSync(beside)) continue;
    const truth = readFileSync(beside, 'utf8')
      .normalize('NFC')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim());
    for (const { crop } of await linesOn(new Uint8Array(readFileSync(path.join(folder, name))))) {
      const { glyphs } = (await reader.read(crop))!;
      const reading = wordsOf(glyphs)
        .map((word) => word.map(({ text }) => text).join(''))
        .join(' ');
      const text = truthOf(reading, truth.filter(Boolean));
      if (text === undefined) continue;
      keep(await featuresOf(recognition, crop), { text, kind, picture: name, half: index % 2 === 0 ? 0 : 1 });
    }
  }
}

if (corpus !== undefined) for (const kind of REAL) await takeReal(path.join(corpus, 'real', kind), kind);
const [pages, seed] = [Number(options.pages), Number(options.seed)];
await takeDrawn('drawn print', rendered(Math.ceil(pages / 2), seed));
const pens = writtenFonts();
if (pens.length > 0) await takeDrawn('drawn pen', rendered(Math.floor(pages / 2), seed + 1, pens));
const rare = await rareCharacters();
await takeDrawn(
  'drawn rare',
  rendered(Number(options.rare), seed + 2, undefined, (words, chance) =>
    rareLineSource(words, chance, rare, lineSource(words, chance)),
  ),
);
closeSync(file);
writeFileSync(path.join(out, 'rare.json'), JSON.stringify(rare));
writeFileSync(path.join(out, 'lines.json'), JSON.stringify(stored));
const real = stored.filter(({ kind }) => !kind.startsWith('drawn')).length;
console.log(`${stored.length} lines, ${real} of them real`);
