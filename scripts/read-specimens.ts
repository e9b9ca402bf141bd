/**
 * Reads the home page's example pictures with the engine and writes what came out to `specimens.json`, so that the
 * page shows the product's own work and nothing better. Run it when the engine or a picture has changed:
 * `npx tsx --conditions=source scripts/read-specimens.ts`
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '#ocr';
import { root } from './bootstrap.mjs';

const HOME = join(root, 'src', 'web', 'pages', 'home');
const PICTURES = { receipt: 'receipt-900', screen: 'screen-640', page: 'page-880' };

const percent = (chance: number) => Math.round(chance * 100);

const engine = createEngine({
  maxPixels: 10_000_000,
  queueLimit: 1,
  premiumReserve: 0,
  timeoutMs: 60_000,
  languageDirs: [],
});
const specimens: Record<string, unknown> = {};
for (const [name, file] of Object.entries(PICTURES)) {
  const picture = await readFile(join(HOME, 'figures', `${file}.webp`));
  const { lines, hidden } = await engine.recognize(new Uint8Array(picture));
  specimens[name] = {
    lines: lines.map((line) => line.words.map((word) => [word.text, percent(word.confidence)])),
    hidden: hidden.map((piece) => piece.text),
  };
}
await engine.close();
await writeFile(join(HOME, 'specimens.json'), `${JSON.stringify(specimens, null, 1)}\n`);
