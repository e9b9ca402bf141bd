/**
 * `npx tsx --conditions=source scripts/language-pins.ts CODE…`: pins the packages of languages by version, hash and path of
 * their data. `--npm` uses the configured npm registry and writes `src/ocr/languages/npm-pins.json`; `--debian` uses the
 * archive that apt is configured with and writes `debian-pins.json` beside it. Given codes are pinned again; `--missing`
 * selects every code that has a name in the product and no pin. Servers can download pinned languages; `npm run bench:languages
 * -- --pinned FOLDER` downloads each language as a server does and reads a text with it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { list } from 'tar';
import { DEBIAN_PINS, debianPackageOf, debianPackages } from '../src/ocr/languages/debian-packages.ts';
import { problemOf } from '../src/ocr/languages/language-data.ts';
import { LANGUAGES } from '../src/ocr/languages/language-table.ts';
import { NPM_PINS, npmPackages, packageOf } from '../src/ocr/languages/npm-packages.ts';
import type { LanguagePin, LanguagePins, PackageSource } from '../src/ocr/languages/package-source.ts';

/** The only published version of the integer models. */
const NPM_VERSION = '1.0.0';
/** The small variant is as accurate as the large one, a fifth of its size, and faster; few packages have only the large one. */
const VARIANTS = ['4.0.0_best_int', '4.0.0'];

interface Registry {
  table: URL;
  pins: LanguagePins;
  source: PackageSource;
  algorithm: 'sha512' | 'sha256';
  versionOf(code: string): Promise<string>;
  /** The path of the data among the files of a package. */
  dataOf(code: string, files: ReadonlyMap<string, Buffer>): string | undefined;
}

const tableNamed = (name: string) => new URL(`../src/ocr/languages/${name}`, import.meta.url);

const REGISTRIES: Record<'npm' | 'debian', Registry> = {
  npm: {
    table: tableNamed('npm-pins.json'),
    pins: NPM_PINS,
    source: npmPackages(),
    algorithm: 'sha512',
    async versionOf() {
      const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
      const english = dependencies[packageOf('eng')];
      if (english === `^${NPM_VERSION}`) return NPM_VERSION;
      throw new Error(`English has the version ${english}, and the others ${NPM_VERSION}.`);
    },
    dataOf: (code, files) =>
      VARIANTS.map((variant) => `package/${variant}/${code}.traineddata.gz`).find((name) => files.has(name)),
  },
  debian: {
    table: tableNamed('debian-pins.json'),
    pins: DEBIAN_PINS,
    source: debianPackages(),
    algorithm: 'sha256',
    async versionOf(code) {
      const asked = ['show', '--no-all-versions', debianPackageOf(code)];
      const { stdout } = await promisify(execFile)('apt-cache', asked);
      const version = /^Version: (\S+)$/m.exec(stdout)?.[1];
      if (version === undefined) throw new Error('apt knows no version of its package');
      return version;
    },
    dataOf: (code, files) => [...files.keys()].find((name) => name.endsWith(`/tessdata/${code}.traineddata`)),
  },
};

async function pin(code: string, { source, algorithm, versionOf, dataOf }: Registry): Promise<LanguagePin> {
  const version = await versionOf(code);
  const { signal } = new AbortController();
  const pieces: Uint8Array[] = [];
  for await (const piece of await source.open(code, version, signal)) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  const files = await filesIn(source, whole);
  const file = dataOf(code, files);
  const found = file === undefined ? undefined : files.get(file);
  if (file === undefined || found === undefined)
    throw new Error('the package holds no data that is read here');
  const data = file.endsWith('.gz') ? gunzipSync(found) : found;
  const problem = problemOf(data);
  if (problem !== undefined) throw new Error(`the data ${problem}`);
  const integrity = `${algorithm}-${createHash(algorithm).update(whole).digest('base64')}`;
  return { version, integrity, bytes: whole.length, file, unpacked: data.length };
}

async function filesIn(source: PackageSource, whole: Buffer): Promise<Map<string, Buffer>> {
  const tempFolder = mkdtempSync(join(tmpdir(), 'glyphlift-pins-'));
  try {
    const place = join(tempFolder, 'package');
    writeFileSync(place, whole);
    const files = new Map<string, Buffer>();
    const reader = list({
      onReadEntry(entry) {
        const held: Buffer[] = [];
        entry.on('data', (piece: Buffer) => held.push(piece));
        entry.on('end', () => files.set(entry.path, Buffer.concat(held)));
      },
    });
    const ended = new Promise<void>((resolve, reject) => {
      reader.on('end', resolve);
      reader.on('error', reject);
    });
    for await (const piece of source.archiveIn(place, new AbortController().signal)) {
      reader.write(piece);
    }
    reader.end();
    await ended;
    return files;
  } finally {
    rmSync(tempFolder, { recursive: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { npm: { type: 'boolean' }, debian: { type: 'boolean' }, missing: { type: 'boolean' } },
});
if (values.npm === values.debian) throw new Error('Say --npm or --debian.');
const place = REGISTRIES[values.npm ? 'npm' : 'debian'];
const missing = LANGUAGES.map(([code]) => code).filter(
  (code) => code !== 'eng' && !(code in NPM_PINS) && !(code in DEBIAN_PINS),
);
const pins: Record<string, LanguagePin> = { ...place.pins };
for (const code of values.missing ? missing : positionals) {
  try {
    pins[code] = await pin(code, place);
    console.log(`${code}: ${pins[code].bytes} bytes`);
  } catch (error) {
    console.error(`${code}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
const inOrder = Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(place.table, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
