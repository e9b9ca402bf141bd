/** `npm run languages`: which languages pictures can be read in, and how to have more. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findLanguages } from '../src/ocr/languages/language-data.ts';
import { describeLanguage, knownLanguageCodes } from '../src/ocr/languages/languages.ts';
import type { Language } from '../src/ocr/types.ts';
import { loadConfig } from '../src/server/config.ts';
import { root } from './bootstrap.mjs';
import {
  addLanguage,
  fetchWithNpm,
  type LanguageStore,
  LanguageStoreError,
  removeLanguage,
} from './languages-store.ts';

const HELP = `Manages the languages that pictures can be read in.

  npm run languages -- list               what is installed
  npm run languages -- list --known       every code that has a name here
  npm run languages -- add CODE...        fetch, check and install, such as: add deu fra chi_sim
  npm run languages -- remove CODE...     remove what was added

Languages are added to DATA_DIR/languages; with OCR_LANG_DIRS other folders can be read as well. They come from the
npm packages @tesseract.js-data/CODE, fetched with your own npm settings. A running server offers what was added at
once, and may go on reading what was removed until it is restarted. English is built in.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, known: { type: 'boolean' } },
  });
  const [command, ...codes] = positionals;
  if (values.help || command === undefined) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  const store = openStore();
  if (command === 'list' && codes.length === 0) return values.known ? listKnown() : list(store);
  if (command === 'add' && codes.length > 0) return each(codes, (code) => add(code, store));
  if (command === 'remove' && codes.length > 0) return each(codes, (code) => remove(code, store));
  console.error(`This does not say what to do: ${positionals.join(' ')}\n\n${HELP}`);
  return 2;
}

function openStore(): LanguageStore {
  const envFile = join(root, '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const { dataDir, ocrLanguageDirs } = loadConfig(process.env);
  return { own: join(dataDir, 'languages'), directories: ocrLanguageDirs, fetchPackage: fetchWithNpm };
}

async function list({ directories }: LanguageStore): Promise<number> {
  const files = await findLanguages(directories);
  const usable = files.filter((file) => file.problem === undefined);
  const rows = usable
    .map(({ code, file }) => [...columnsOf(describeLanguage(code)), file ?? 'built in'])
    .sort((a, b) => a[1]!.localeCompare(b[1]!, 'en'));
  printTable(['Code', 'Name', 'Own name', 'Script', 'Where'], rows);
  console.log(`\n${usable.length} installed`);
  const broken = files.filter((file) => file.problem !== undefined);
  for (const { file, problem } of broken) console.error(`${file} ${problem} and is left out.`);
  return broken.length === 0 ? 0 : 1;
}

function listKnown(): number {
  const rows = knownLanguageCodes().map((code) => columnsOf(describeLanguage(code)));
  printTable(['Code', 'Name', 'Own name', 'Script'], rows);
  return 0;
}

const scriptNames = new Intl.DisplayNames(['en'], { type: 'script' });

function columnsOf({ code, name, nativeName, script, direction }: Language): string[] {
  const scriptName = scriptNames.of(script) ?? script;
  return [code, name, nativeName, direction === 'rtl' ? `${scriptName}, right to left` : scriptName];
}

function printTable(head: readonly string[], rows: readonly string[][]): void {
  const widths = head.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => row[i]!)].map((cell) => cell.length)),
  );
  for (const row of [head, ...rows]) {
    console.log(row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]! + 2))).join(''));
  }
}

async function add(code: string, store: LanguageStore): Promise<void> {
  const { name } = describeLanguage(code);
  const { file, added } = await addLanguage(code, store);
  console.log(added ? `${name} (${code}) was added: ${file}` : `${name} (${code}) is there already: ${file}`);
  if (added && !store.directories.some((folder) => resolve(folder) === resolve(store.own))) {
    console.error(`But OCR_LANG_DIRS does not name ${store.own}, so the server will not find it.`);
  }
}

async function remove(code: string, store: LanguageStore): Promise<void> {
  console.log(`${await removeLanguage(code, store)} was removed.`);
}

/** Goes on after one that fails, so that a long list need not be begun again. */
async function each(codes: readonly string[], work: (code: string) => Promise<void>): Promise<number> {
  let failed = 0;
  for (const code of codes) {
    try {
      await work(code);
    } catch (error) {
      if (!(error instanceof LanguageStoreError)) throw error;
      console.error(error.message);
      failed++;
    }
  }
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
