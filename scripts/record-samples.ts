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
 * Recognizes the home page's pictures with the engine and writes the results, so that the page shows real results:
 * `specimens.json` for the three examples, and for each sample of the tool the server's response and a thumbnail. Run
 * it when the engine or a picture has changed:
 * `npx tsx --conditions=source scripts/record-samples.ts`
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

/** Side of a thumbnail in pixels: twice the displayed size. */
const THUMBNAIL = 56;
/** The crop of each thumbnail, in pixels of the picture. The whole picture would be too small to recognize. */
const DETAILS = {
  receipt: { left: 95, top: 90, width: 330, height: 330 },
  table: { left: 40, top: 130, width: 300, height: 300 },
  code: { left: 14, top: 56, width: 330, height: 330 },
};

/** Results by name, as the page stores them. */
interface HomeReadings {
  specimens: Record<string, unknown>;
  samples: Record<string, Extraction>;
}

export async function recordHomePictures(): Promise<HomeReadings> {
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
      // A fixed duration: the real one changes with every run.
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
  const { specimens, samples } = await recordHomePictures();
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
