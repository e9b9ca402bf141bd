/**
 * Writes lines for training: `npx tsx --conditions=source training/lines.ts --out FOLDER [--corpus FOLDER] [--pages COUNT]
 * [--rare COUNT]`. Lines are detected, cropped and passed through the network as in the product; the network's features and
 * the text of each line are stored. The pages are rendered (`render-page.ts`) or images of the corpus in Latin letters. Each
 * line records its half (tuning or reports).
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
import { handwritingFonts, type LabeledPage, renderedPages } from './labeled-pages.ts';
import { ADDED_CHARACTERS, rareLineSource } from './rare-text.ts';
import type { LabeledLine } from './render-page.ts';
import { CHARACTERS, lineSource } from './text-source.ts';

/** Folders of the corpus whose images have a text file; file names show which of them are not in Latin letters. */
const REAL_FOLDERS = [
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
const MAX_DISTANCE = 0.6;
/** Minimum difference between the distances of the best and the second-best match. */
const MIN_MARGIN = 0.25;
/** Minimum overlap of a rendered line and a detected region, as a fraction of either. */
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

/** The data stored with the features of a line. */
interface StoredLine {
  text: string;
  steps: number;
  /** Origin: a folder of the corpus, `drawn print`, `drawn pen` or `drawn rare`. */
  kind: string;
  picture: string;
  /** For lines of the corpus: 0 for tuning, 1 for reports. */
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

function storeLine({ data, steps }: LineFeatures, line: Omit<StoredLine, 'steps'>): void {
  // CTC cannot align a longer text with the line's steps.
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

/** The rare characters that the network reads in English text, and the added characters. */
async function rareCharacters(): Promise<string[]> {
  const layer = new LastLayer(JSON.parse(await nodeRuntime.readLastLayer()), nodeRuntime.openModel);
  const letters = new Lexicons(dataIn([])).of(['eng']).letters;
  const priorOf = priorsFor(letters);
  const known = layer.headFor(letters).characters.filter((character) => priorOf(character)! > 0);
  return [...new Set([...known, ...ADDED_CHARACTERS])];
}

/** The rendered line that a detected region matches, unless the region covers only a part of it or two lines. */
function renderedLineAt(region: TextRegion, lines: readonly LabeledLine[]): LabeledLine | undefined {
  const found = boundsOf(region);
  return lines.find(({ box }) => {
    const width = Math.min(found.x + found.width, box.x + box.width) - Math.max(found.x, box.x);
    const height = Math.min(found.y + found.height, box.y + box.height) - Math.max(found.y, box.y);
    const isWhole = width > MIN_OVERLAP * Math.max(box.width, found.width - 2 * found.height);
    return isWhole && box.width > 0.97 * (found.width - found.height) && height > MIN_OVERLAP * box.height;
  });
}

/** Curves a line slightly, and sometimes adds a ruled line. */
function addPaper({ gray, width, height }: GrayImage, chance: Random): GrayImage {
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

async function addRenderedPages(kind: string, pages: AsyncGenerator<LabeledPage>): Promise<void> {
  for await (const { name, bytes, lines } of pages) {
    for (const { region, crop } of await linesOn(bytes)) {
      const line = renderedLineAt(region, lines);
      if (!line) continue;
      const features = await featuresOf(recognition, addPaper(crop, random));
      storeLine(features, { text: line.text, kind, picture: name, half: 0 });
    }
  }
}

/** The ground-truth line nearest to a reading, unless another line is similarly near. */
function truthOf(reading: string, truth: readonly string[]): string | undefined {
  const distance = truth
    .map((line) => ({
      line,
      distance:
        editDistance(reading.toLowerCase(), line.toLowerCase()) / Math.max(reading.length, line.length),
    }))
    .sort((a, b) => a.distance - b.distance);
  const [best, next] = distance;
  if (!best || best.distance > MAX_DISTANCE) return undefined;
  const isClear = !next || next.line === best.line || next.distance - best.distance >= MIN_MARGIN;
  return isClear ? best.line : undefined;
}

async function addRealPages(folder: string, kind: string): Promise<void> {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  for (const [index, name] of pictures.toSorted().entries()) {
    const textFile = path.join(folder, name.replace(/\.jpg$/, '.txt'));
    if (OTHER_LETTERS.test(name) || !existsSync(textFile)) continue;
    const truth = readFileSync(textFile, 'utf8')
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
      storeLine(await featuresOf(recognition, crop), {
        text,
        kind,
        picture: name,
        half: index % 2 === 0 ? 0 : 1,
      });
    }
  }
}

if (corpus !== undefined)
  for (const kind of REAL_FOLDERS) await addRealPages(path.join(corpus, 'real', kind), kind);
const [pages, seed] = [Number(options.pages), Number(options.seed)];
await addRenderedPages('drawn print', renderedPages(Math.ceil(pages / 2), seed));
const handwriting = handwritingFonts();
if (handwriting.length > 0)
  await addRenderedPages('drawn pen', renderedPages(Math.floor(pages / 2), seed + 1, handwriting));
const rare = await rareCharacters();
await addRenderedPages(
  'drawn rare',
  renderedPages(Number(options.rare), seed + 2, undefined, (words, chance) =>
    rareLineSource(words, chance, rare, lineSource(words, chance)),
  ),
);
closeSync(file);
writeFileSync(path.join(out, 'rare.json'), JSON.stringify(rare));
writeFileSync(path.join(out, 'lines.json'), JSON.stringify(stored));
const real = stored.filter(({ kind }) => !kind.startsWith('drawn')).length;
console.log(`${stored.length} lines, ${real} of them real`);
