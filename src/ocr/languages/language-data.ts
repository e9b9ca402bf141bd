/** Finds and verifies the data of languages: tesseract itself aborts on a truncated file. */

import { readFileSync, statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { lastOf } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { Language } from '../types.ts';
import { describeLanguage } from './languages.ts';
import { COMPONENTS, type LoadLanguage } from './traineddata.ts';

const BUILT_IN = 'eng';
const EXTENSION = '.traineddata';
const LANGUAGE_NAME = /^[A-Za-z][A-Za-z0-9_]{1,40}$/;
/** Not languages: `osd` is orientation and script detection, `equ` is equations. */
const NO_LANGUAGES = new Set(['osd', 'equ']);

/** Indices of word graphs in a `.traineddata` file: of punctuation, of words, of numbers. */
const WORD_GRAPHS = [18, 19, 20];
const MAX_COMPONENTS = 64;
const LARGEST_TABLE = 4 + MAX_COMPONENTS * 8;

const require = createRequire(import.meta.url);

/** A language's data, usable or not. */
export interface LanguageFile {
  code: string;
  /** Undefined for the built-in language. */
  file: string | undefined;
  /** Why it cannot be used, in one line; absent where no problem is known. */
  problem?: string;
}

/**
 * The whole bytes of a language's `.traineddata`: English from its npm package, others from the first folder with the
 * language.
 * @throws {OcrError} `language_unavailable`
 */
export function loadLanguage(language: string, directories: readonly string[]): Uint8Array {
  if (!LANGUAGE_NAME.test(language)) throw unavailable('the name of a language is invalid');
  if (NO_LANGUAGES.has(language)) throw unavailable(`${language} is not a language`);
  const data = language === BUILT_IN ? builtInEnglish() : firstIn(directories, `${language}${EXTENSION}`);
  if (data === undefined) throw unavailable(`no folder holds ${language}${EXTENSION}`);
  const problem = problemOf(data);
  if (problem !== undefined) throw unavailable(`${language}${EXTENSION} ${problem}`);
  return data;
}

/** Loads languages from some folders, as `loadLanguage` does. */
export const dataIn =
  (directories: readonly string[]): LoadLanguage =>
  (language) =>
    loadLanguage(language, directories);

/**
 * All languages of some folders and the built-in one; for each name, the file that would be used. Missing folders hold none.
 */
export async function findLanguages(directories: readonly string[]): Promise<LanguageFile[]> {
  const found = new Map<string, LanguageFile>([[BUILT_IN, { code: BUILT_IN, file: undefined }]]);
  for (const directory of directories) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names) {
      const code = name.slice(0, -EXTENSION.length);
      if (!name.endsWith(EXTENSION) || !LANGUAGE_NAME.test(code)) continue;
      if (NO_LANGUAGES.has(code) || found.has(code)) continue;
      const file = path.join(directory, name);
      const problem = await problemOfFile(file);
      found.set(code, { code, file, ...(problem !== undefined && { problem }) });
    }
  }
  return [...found.values()];
}

/**
 * The languages that pictures can be read in, by English name. Only headers are read, so this takes milliseconds and needs no
 * engine; damage beyond a header shows only on use.
 * @param directories as `EngineOptions.languageDirs`
 */
export async function listLanguages(directories: readonly string[]): Promise<Language[]> {
  const files = await findLanguages(directories);
  return files
    .filter((file) => file.problem === undefined)
    .map(({ code }) => describeLanguage(code))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Why bytes are unusable as language data, as the end of a sentence; undefined for intact data. */
export function problemOf(data: Uint8Array): string | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const components = componentsOf(view, data.byteLength);
  if (typeof components === 'string') return components;
  for (const place of WORD_GRAPHS) {
    const graph = components.get(place);
    // Tag, size of the alphabet and number of edges, then eight bytes for each edge.
    if (graph && (graph.size < 10 || graph.size !== 10 + view.getInt32(graph.start + 6, true) * 8)) {
      return 'is damaged';
    }
  }
  return undefined;
}

/** By its header alone. */
async function problemOfFile(file: string): Promise<string | undefined> {
  try {
    // Opening a pipe would wait for a writer.
    const { size } = await stat(file).then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) return 'is not a regular file';
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LARGEST_TABLE), 0, LARGEST_TABLE, 0);
      const components = componentsOf(new DataView(buffer.buffer, buffer.byteOffset, bytesRead), size);
      return typeof components === 'string' ? components : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return 'cannot be read';
  }
}

/**
 * A file starts with a count of components and one 64-bit offset for each, −1 for none; the first component follows at once.
 * Returns the components by index, or the problem.
 * @param view the file's first bytes
 * @param size of the whole file
 */
function componentsOf(view: DataView, size: number): Map<number, { start: number; size: number }> | string {
  if (size === 0) return 'is empty';
  const count = view.byteLength >= 4 ? view.getInt32(0, true) : 0;
  const tableSize = 4 + count * 8;
  if (count < 1 || count > MAX_COMPONENTS || view.byteLength < tableSize) return 'is damaged';
  const starts = Array.from({ length: count }, (_, place) => ({
    place,
    start: Number(view.getBigInt64(4 + place * 8, true)),
  }))
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  if (starts[0]?.start !== tableSize) return 'is damaged';
  if (lastOf(starts).start >= size) return 'is cut short';
  if (!starts.some(({ place }) => place === COMPONENTS.network)) return 'holds no LSTM model';
  return new Map(
    starts.map(({ place, start }, index) => [
      place,
      { start, size: (starts[index + 1]?.start ?? size) - start },
    ]),
  );
}

/** Kept while memory allows: network and lexicon are read from it one after the other. */
let english: WeakRef<Uint8Array> | undefined;

function builtInEnglish(): Uint8Array {
  const kept = english?.deref();
  if (kept) return kept;
  try {
    const folder = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
    const data = gunzipSync(readFileSync(path.join(folder, '4.0.0_best_int', `${BUILT_IN}${EXTENSION}.gz`)));
    english = new WeakRef(data);
    return data;
  } catch (cause) {
    throw unavailable('the built-in English data cannot be read', cause);
  }
}

function firstIn(directories: readonly string[], name: string): Uint8Array | undefined {
  for (const directory of directories) {
    const file = path.join(directory, name);
    try {
      if (!statSync(file).isFile()) throw unavailable(`${name} is not a regular file`);
      return readFileSync(file);
    } catch (cause) {
      if (cause instanceof OcrError) throw cause;
      const { code } = cause as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unavailable(`${name} cannot be read`, cause);
    }
  }
  return undefined;
}

function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.languageUnavailable, message, { cause });
}
