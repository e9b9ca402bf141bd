/** Adds and removes language data in the data folder of this program. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findLanguages, problemOf } from '../ocr/languages/language-data.ts';
import type { Fetched, LanguageFetcher } from '../ocr/languages/language-fetcher.ts';
import { Tesseract } from '../ocr/recognizers/tesseract.ts';
import { replaceFile } from './atomic-file.ts';

const CODE = /^[a-z]{3}(_[a-z]{3,5}){0,2}$/;
/** Folders of a package, the preferred one first: it is a fifth of the size, as accurate, and faster. */
const VARIANTS = ['4.0.0_best_int', '4.0.0'];

/** A failure that is printed without a stack trace. */
export class LanguageStoreError extends Error {
  override name = 'LanguageStoreError';
}

export interface LanguageStore {
  /** The folder for added languages. */
  own: string;
  /** All folders with languages, in order of precedence. */
  directories: readonly string[];
  /** Downloads languages with pinned hashes into `own`. */
  pinned?: Pick<LanguageFetcher, 'codes' | 'knows' | 'fetch'>;
  /** Downloads the npm package of another language into `into`, and returns the folder of the unpacked package. */
  fetchPackage(code: string, into: string): Promise<string>;
}

/**
 * Adds one language atomically, after tesseract has loaded it successfully.
 * @returns `file`: path of the data, or a description for built-in data; `added`: false if it was installed before
 * @throws {LanguageStoreError}
 */
export async function addLanguage(
  code: string,
  store: LanguageStore,
  onProgress?: (fetched: Fetched) => void,
): Promise<{ file: string; added: boolean }> {
  requireCode(code);
  const present = (await findLanguages(store.directories)).find((language) => language.code === code);
  if (present && present.problem === undefined) {
    return { file: present.file ?? 'the product itself', added: false };
  }
  if (present?.file !== undefined && present.file !== fileOf(code, store.own)) {
    throw new LanguageStoreError(
      `${present.file} ${present.problem}, and it comes before ${store.own}. Repair or remove it first.`,
    );
  }
  if (store.pinned && (await store.pinned.knows(code))) {
    try {
      await store.pinned.fetch(code, { onProgress });
    } catch (error) {
      throw new LanguageStoreError(`${code} could not be fetched: ${reasonOf(error)}.`);
    }
    return { file: fileOf(code, store.own), added: true };
  }
  const tempFolder = await mkdtemp(join(tmpdir(), 'glyphlift-language-'));
  try {
    const data = await unpack(code, await store.fetchPackage(code, tempFolder));
    await verify(code, data, tempFolder);
    await mkdir(store.own, { recursive: true });
    await writeData(fileOf(code, store.own), data);
    return { file: fileOf(code, store.own), added: true };
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

/**
 * Removes an added language. Languages of the system are not changed.
 * @returns the file that was removed
 * @throws {LanguageStoreError}
 */
export async function removeLanguage(code: string, store: LanguageStore): Promise<string> {
  requireCode(code);
  const file = fileOf(code, store.own);
  try {
    await unlink(file);
    return file;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new LanguageStoreError(`${file} cannot be removed: ${(cause as Error).message}`);
    }
  }
  const elsewhere = (await findLanguages(store.directories)).find((language) => language.code === code);
  if (elsewhere?.file !== undefined) {
    throw new LanguageStoreError(`${elsewhere.file} was not added with this command; remove it there.`);
  }
  throw new LanguageStoreError(
    elsewhere ? `${code} is part of the product and stays.` : `${code} is not installed.`,
  );
}

/** Downloads with npm, so that the user's npm settings apply. No code of the package is executed. */
export async function fetchWithNpm(code: string, into: string): Promise<string> {
  const name = `@tesseract.js-data/${code}`;
  await writeFile(join(into, 'package.json'), '{"private":true}\n');
  const { status, errors } = await npm(
    [
      'install',
      '--prefix',
      into,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--loglevel=error',
      name,
    ],
    into,
  );
  if (status !== 0) {
    if (errors.includes('E404')) throw new LanguageStoreError(`There is no npm package ${name}.`);
    throw new LanguageStoreError(`npm could not fetch ${name}:\n${errors.trim()}`);
  }
  return join(into, 'node_modules', ...name.split('/'));
}

function npm(args: readonly string[], cwd: string): Promise<{ status: number | null; errors: string }> {
  // Set under `npm run`: the path of the running npm.
  const running = process.env.npm_execpath;
  const [program, first] = running?.endsWith('.js') ? [process.execPath, [running]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('error', () => reject(new LanguageStoreError('npm was not found.')));
    child.once('close', (status) => resolve({ status, errors }));
  });
}

function requireCode(code: string): void {
  if (CODE.test(code)) return;
  throw new LanguageStoreError(`“${code}” is not a language code. Codes look like deu or chi_sim.`);
}

/** The error message with that of its cause, in which `fetch` reports the reason of a failure. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}, ${error.cause.message}` : error.message;
}

const fileOf = (code: string, folder: string): string => join(folder, `${code}.traineddata`);

async function unpack(code: string, folder: string): Promise<Buffer> {
  const packed = VARIANTS.map((variant) => join(folder, variant, `${code}.traineddata.gz`)).find(existsSync);
  if (!packed) throw new LanguageStoreError(`The package of ${code} has no data that this program can read.`);
  try {
    return await promisify(gunzip)(await readFile(packed));
  } catch {
    throw new LanguageStoreError(`The data in the package of ${code} is damaged.`);
  }
}

/** @throws {LanguageStoreError} if the recognizer cannot load the data */
async function verify(code: string, data: Uint8Array, tempFolder: string): Promise<void> {
  const problem = problemOf(data);
  if (problem !== undefined) throw new LanguageStoreError(`The data of ${code} ${problem}.`);
  await writeFile(fileOf(code, tempFolder), data);
  try {
    (await Tesseract.create([tempFolder])).prepare([code]);
  } catch {
    throw new LanguageStoreError(`Tesseract cannot load the data of ${code}.`);
  }
}

async function writeData(file: string, data: Uint8Array): Promise<void> {
  try {
    await replaceFile(file, data);
  } catch (cause) {
    throw new LanguageStoreError(`${file} cannot be written: ${(cause as Error).message}`);
  }
}
