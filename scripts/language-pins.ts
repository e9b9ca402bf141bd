/**
 * `npx tsx --conditions=source scripts/language-pins.ts CODE…`: pins languages' packages as the registry that npm is set to
 * has them now, each by version, hash and place of its data, in `src/ocr/languages/language-pins.json`. Codes that are named
 * are pinned anew; `--missing` are all that the product has a name for and no pin. What is pinned can be fetched by a server;
 * `npm run bench:languages -- --pinned FOLDER` tries it: fetches each as a server does, and reads a text with it.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { list } from 'tar';
import { problemOf } from '../src/ocr/languages/language-data.ts';
import { LANGUAGE_PINS, type LanguagePin, packageOf } from '../src/ocr/languages/language-fetcher.ts';
import { LANGUAGES } from '../src/ocr/languages/language-table.ts';
import { npmRegistry } from '../src/ocr/languages/package-registry.ts';

/** The only version that there is of the data that is read here, with its whole numbers. */
const VERSION = '1.0.0';
/** The small variant is as good as the large one, a fifth of its size, and faster; few packages hold the large one alone. */
const VARIANTS = ['4.0.0_best_int', '4.0.0'];

const TABLE = new URL('../src/ocr/languages/language-pins.json', import.meta.url);
const english = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).dependencies[
  packageOf('eng')
];
if (english !== `^${VERSION}`)
  throw new Error(`English has the version ${english}, and the others ${VERSION}.`);

async function pin(code: string): Promise<LanguagePin> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await npmRegistry.open(packageOf(code), VERSION, new AbortController().signal)) {
    pieces.push(piece);
  }
  const archive = Buffer.concat(pieces);
  const files = new Map<string, Buffer>();
  const reader = list({
    onReadEntry(entry) {
      const held: Buffer[] = [];
      entry.on('data', (piece: Buffer) => held.push(piece));
      entry.on('end', () => files.set(entry.path, Buffer.concat(held)));
    },
  });
  await new Promise<void>((resolve, reject) => {
    reader.on('end', resolve);
    reader.on('error', reject);
    reader.end(archive);
  });
  const file = VARIANTS.map((variant) => `package/${variant}/${code}.traineddata.gz`).find((name) =>
    files.has(name),
  );
  const packed = file === undefined ? undefined : files.get(file);
  if (file === undefined || packed === undefined)
    throw new Error('the package holds no data that is read here');
  const data = gunzipSync(packed);
  const problem = problemOf(data);
  if (problem !== undefined) throw new Error(`the data ${problem}`);
  return {
    version: VERSION,
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    bytes: archive.length,
    file,
    unpacked: data.length,
  };
}

const asked = process.argv.slice(2);
const missing = LANGUAGES.map(([code]) => code).filter((code) => code !== 'eng' && !(code in LANGUAGE_PINS));
const pins: Record<string, LanguagePin> = { ...LANGUAGE_PINS };
for (const code of asked.includes('--missing') ? missing : asked) {
  try {
    pins[code] = await pin(code);
    console.log(`${code}: ${pins[code].bytes} bytes`);
  } catch (error) {
    console.error(`${code}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
const inOrder = Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(TABLE, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
