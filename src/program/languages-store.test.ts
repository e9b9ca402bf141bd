import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { componentStart, languageData, languagePackage } from '../../tests/support/language-files.ts';
import { addLanguage, type LanguageStore, LanguageStoreError, removeLanguage } from './languages-store.ts';

let folder: string;
let fetched: string[];
let store: LanguageStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphlift-store-'));
  fetched = [];
  const own = join(folder, 'languages');
  store = {
    own,
    directories: [join(folder, 'system'), own],
    fetchPackage: async (code) => {
      fetched.push(code);
      return languagePackage('tha');
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store whose packages have the given files. */
function packageOf(files: Record<string, Uint8Array>): LanguageStore {
  return {
    ...store,
    fetchPackage: async (_, into) => {
      for (const [name, bytes] of Object.entries(files)) {
        mkdirSync(join(into, name, '..'), { recursive: true });
        writeFileSync(join(into, name), bytes);
      }
      return into;
    },
  };
}

it('language store: adds a language once, and removes it', async () => {
  const file = join(store.own, 'tha.traineddata');
  expect(await addLanguage('tha', store)).toEqual({ file, added: true });
  expect(readFileSync(file).equals(languageData('tha'))).toBe(true);
  expect(await addLanguage('tha', store)).toEqual({ file, added: false });
  expect(fetched).toEqual(['tha']);
  expect(await removeLanguage('tha', store)).toBe(file);
  expect(readdirSync(store.own)).toEqual([]);
});

it('language store: prefers the small variant of a package, and falls back to the large one', async () => {
  const [small, large] = [languageData('tha'), languageData('ara')];
  const both = packageOf({
    '4.0.0_best_int/abc.traineddata.gz': gzipSync(small),
    '4.0.0/abc.traineddata.gz': gzipSync(large),
  });
  const { file } = await addLanguage('abc', both);
  expect(readFileSync(file).equals(small)).toBe(true);
  await addLanguage('abd', packageOf({ '4.0.0/abd.traineddata.gz': gzipSync(large) }));
  expect(readFileSync(join(store.own, 'abd.traineddata')).equals(large)).toBe(true);
});

it('language store: replaces a damaged file in its own folder', async () => {
  mkdirSync(store.own);
  writeFileSync(join(store.own, 'tha.traineddata'), 'half a file');
  expect((await addLanguage('tha', store)).added).toBe(true);
});

it('language store: given a symlink at a predictable temporary name, does not follow it', async () => {
  const victim = join(folder, 'victim.txt');
  writeFileSync(victim, 'mine');
  mkdirSync(store.own);
  symlinkSync(victim, join(store.own, `tha.traineddata.${process.pid}.part`));
  await addLanguage('tha', store);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

it('language store: installs nothing if tesseract cannot load the data', async () => {
  const data = languageData('tha');
  const rotten = Buffer.from(data).fill(7, componentStart(data, 17), componentStart(data, 17) + 200_000);
  const packages: Record<string, Uint8Array>[] = [
    {},
    { '4.0.0/abc.traineddata.gz': Buffer.from('not gzip') },
    { '4.0.0/abc.traineddata.gz': gzipSync(Buffer.alloc(0)) },
    { '4.0.0/abc.traineddata.gz': gzipSync(data.subarray(0, 100_000)) },
    { '4.0.0/abc.traineddata.gz': gzipSync(rotten) },
  ];
  for (const files of packages) {
    await expect(addLanguage('abc', packageOf(files))).rejects.toThrow(LanguageStoreError);
  }
  expect(() => readdirSync(store.own)).toThrow('ENOENT');
});

it('language store: neither fetches nor removes a language of the system', async () => {
  mkdirSync(join(folder, 'system'));
  const file = join(folder, 'system', 'tha.traineddata');
  writeFileSync(file, languageData('tha'));
  expect(await addLanguage('tha', store)).toEqual({ file, added: false });
  expect(fetched).toEqual([]);
  await expect(removeLanguage('tha', store)).rejects.toThrow('was not added with this command');
  expect(readdirSync(join(folder, 'system'))).toEqual(['tha.traineddata']);
});

it('language store: reports a damaged system file that would take precedence over the new one', async () => {
  mkdirSync(join(folder, 'system'));
  writeFileSync(join(folder, 'system', 'tha.traineddata'), '');
  await expect(addLanguage('tha', store)).rejects.toThrow('is empty, and it comes before');
});

it('language store: rejects an invalid code before it is used for npm or in a path', async () => {
  for (const code of ['../evil', 'German', '', 'deu.js', '@scope/x', '--registry']) {
    await expect(addLanguage(code, store)).rejects.toThrow('is not a language code');
    await expect(removeLanguage(code, store)).rejects.toThrow('is not a language code');
  }
  expect(fetched).toEqual([]);
});

it('language store: does not remove English', async () => {
  expect((await addLanguage('eng', store)).added).toBe(false);
  await expect(removeLanguage('eng', store)).rejects.toThrow('is part of the product');
  await expect(removeLanguage('deu', store)).rejects.toThrow('is not installed');
});
