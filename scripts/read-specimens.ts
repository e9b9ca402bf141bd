import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Extraction } from '#contract/extraction';
import { required } from '#formats/checked';
import { createEngine } from '#ocr';
import { toExtraction } from '../src/answer/answer.ts';
import { root } from './bootstrap.mjs';

/**
 * Reads the home page's pictures with the engine and writes what came out, so that the page shows the product's own
 * work and nothing better: `specimens.json` of the three examples, and for each sample of the tool the server's answer
 * and a thumbnail. Run it when the engine or a picture has changed:
 * `npx tsx --conditions=source scripts/read-specimens.ts`
 */

const HOME = join(root, 'src', 'web', 'pages', 'home');
const SPECIMENS = {
  receipt: 'figures/receipt-900.webp',
  screen: 'figures/screen-640.webp',
  page: 'figures/page-880.webp',
};
const SAMPLES = {
  receipt: 'samples/receipt.webp',
  table: 'samples/table.webp',
  code: 'samples/code.webp',
};

/** Pixels of a thumbnail's side: two for each that is shown. */
const THUMBNAIL = 56;
/** The square that a thumbnail shows, in pixels of the picture: all of it would be too small to be recognized. */
const DETAILS = {
  receipt: { left: 95, top: 90, width: 330, height: 330 },
  table: { left: 40, top: 130, width: 300, height: 300 },
  code: { left: 14, top: 56, width: 330, height: 330 },
};

/** By name, as the page keeps them. */
interface HomeReadings {
  specimens: Record<string, unknown>;
  samples: Record<string, Extraction>;
}

export async function readHomePictures(): Promise<HomeReadings> {
  const engine = createEngine({
    maxPixels: 10_000_000,
    queueLimit: 1,
    premiumReserve: 0,
    timeoutMs: 60_000,
    languageDirs: [],
  });
  try {
    const answers = new Map<string, Extraction>();
    for (const file of new Set([...Object.values(SPECIMENS), ...Object.values(SAMPLES)])) {
      const picture = await readFile(join(HOME, file));
      const answer = toExtraction(await engine.recognize(new Uint8Array(picture)));
      // The time it took is the machine's, and would change with every run.
      answers.set(file, withoutPolygons({ ...answer, durationMs: 500 }));
    }
    const ofEach = <T>(files: Record<string, string>, made: (answer: Extraction) => T) =>
      Object.fromEntries(
        Object.entries(files).map(([name, file]) => [name, made(required(answers.get(file)))]),
      );
    return { specimens: ofEach(SPECIMENS, specimenOf), samples: ofEach(SAMPLES, (answer) => answer) };
  } finally {
    await engine.close();
  }
}

/** The page shows boxes; corners would be a third of what it loads. */
const withoutPolygons = (answer: Extraction): Extraction => ({
  ...answer,
  lines: answer.lines.map((line) => ({
    ...line,
    words: line.words.map(({ polygon: _, ...word }) => word),
  })),
});

const specimenOf = ({ lines, hidden }: Extraction) => ({
  lines: lines.map((line) => line.words.map((word) => [word.text, word.confidence])),
  hidden: hidden.map((piece) => piece.text),
});

/** The samples as they are written now. */
export async function recordedSamples(): Promise<HomeReadings['samples']> {
  const samples: HomeReadings['samples'] = {};
  for (const name of Object.keys(SAMPLES))
    samples[name] = JSON.parse(await readFile(join(HOME, 'samples', `${name}.json`), 'utf8'));
  return samples;
}

async function writeHomeReadings(): Promise<void> {
  const { specimens, samples } = await readHomePictures();
  await writeFile(join(HOME, 'specimens.json'), `${JSON.stringify(specimens, null, 1)}\n`);
  for (const [name, answer] of Object.entries(samples))
    await writeFile(join(HOME, 'samples', `${name}.json`), `${JSON.stringify(answer)}\n`);
  for (const [name, file] of Object.entries(SAMPLES))
    await sharp(join(HOME, file))
      .extract(DETAILS[name as keyof typeof SAMPLES])
      .resize(THUMBNAIL)
      .webp({ quality: 70, effort: 6 })
      .toFile(join(HOME, 'samples', `${name}-small.webp`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeHomeReadings();
