/** `glyphlift languages`: lists, adds and removes languages. */

import { resolve } from 'node:path';
import { itemAt } from '#formats/checked';
import { findLanguages } from '../ocr/languages/language-data.ts';
import { type Fetched, LanguageFetcher } from '../ocr/languages/language-fetcher.ts';
import { describeLanguage, knownLanguageCodes } from '../ocr/languages/languages.ts';
import type { Language } from '../ocr/types.ts';
import { languageFoldersOfEnvironment, ownLanguageFolder } from '../server/language-folders.ts';
import {
  addLanguage,
  fetchWithNpm,
  type LanguageStore,
  LanguageStoreError,
  removeLanguage,
} from './languages-store.ts';

/** @returns the exit status. */
export async function listLanguages({ known }: { known?: true }): Promise<number> {
  return known ? listKnown(openStore()) : list(openStore());
}

/** @returns the exit status. */
export async function addLanguages(codes: readonly string[]): Promise<number> {
  const store = openStore();
  return forEachCode(codes, (code) => add(code, store));
}

/** @returns the exit status. */
export async function removeLanguages(codes: readonly string[]): Promise<number> {
  const store = openStore();
  return forEachCode(codes, (code) => remove(code, store));
}

function openStore(): LanguageStore {
  const own = ownLanguageFolder();
  const pinned = new LanguageFetcher({ folder: own });
  return { own, directories: languageFoldersOfEnvironment(), pinned, fetchPackage: fetchWithNpm };
}

async function list({ directories }: LanguageStore): Promise<number> {
  const files = await findLanguages(directories);
  const usableFiles = files.filter((file) => file.problem === undefined);
  const rows = usableFiles
    .map(({ code, file }) => [...columnsOf(describeLanguage(code)), file ?? 'built in'])
    .sort((a, b) => itemAt(a, 1).localeCompare(itemAt(b, 1), 'en'));
  printTable(['Code', 'Name', 'Own name', 'Script', 'Where'], rows);
  print(`\n${usableFiles.length} installed`);
  const broken = files.filter((file) => file.problem !== undefined);
  for (const { file, problem } of broken) printError(`${file} ${problem} and is left out.`);
  return broken.length === 0 ? 0 : 1;
}

async function listKnown({ pinned }: LanguageStore): Promise<number> {
  const fetched = new Set(await pinned?.codes());
  const rows = knownLanguageCodes().map((code) => [
    ...columnsOf(describeLanguage(code)),
    fetched.has(code) ? 'pinned' : '',
  ]);
  printTable(['Code', 'Name', 'Own name', 'Script', ''], rows);
  return 0;
}

const scriptNames = new Intl.DisplayNames(['en'], { type: 'script' });

function columnsOf({ code, name, nativeName, script, direction }: Language): string[] {
  const scriptName = scriptNames.of(script) ?? script;
  return [code, name, nativeName, direction === 'rtl' ? `${scriptName}, right to left` : scriptName];
}

function printTable(head: readonly string[], rows: readonly string[][]): void {
  const widths = head.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => itemAt(row, i))].map((cell) => cell.length)),
  );
  for (const row of [head, ...rows]) {
    print(row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(itemAt(widths, i) + 2))).join(''));
  }
}

async function add(code: string, store: LanguageStore): Promise<void> {
  const { name } = describeLanguage(code);
  const { file, added } = await addLanguage(code, store, progressOn(name));
  print(added ? `${name} (${code}) was added: ${file}` : `${name} (${code}) is already installed: ${file}`);
  if (added && !store.directories.some((folder) => resolve(folder) === resolve(store.own))) {
    printError(`But OCR_LANG_DIRS does not name ${store.own}, so the server will not find it.`);
  }
}

/** Shows progress in one line of a terminal, which is overwritten. */
function progressOn(name: string): (fetched: Fetched) => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => {};
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return ({ received, of }) => {
    const end = received < of ? '' : '\n';
    stderr.write(`\r${name}: ${megabytes(received)} of ${megabytes(of)} MB${end}`);
  };
}

async function remove(code: string, store: LanguageStore): Promise<void> {
  print(`${await removeLanguage(code, store)} was removed.`);
}

/** Continues after a language that fails, so that a long list need not be repeated. */
async function forEachCode(codes: readonly string[], work: (code: string) => Promise<void>): Promise<number> {
  let failed = 0;
  for (const code of codes) {
    try {
      await work(code);
    } catch (error) {
      if (!(error instanceof LanguageStoreError)) throw error;
      printError(error.message);
      failed++;
    }
  }
  return failed === 0 ? 0 : 1;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const printError = (line: string) => process.stderr.write(`${line}\n`);
