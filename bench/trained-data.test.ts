import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { missingLanguages, splitByData } from './trained-data.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trained-data-'));
  writeFileSync(join(folder, 'fra.traineddata'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

const of = (name: string, ...languages: string[]) => ({
  name,
  languages,
  file: '',
  truth: '',
  foldCase: false,
});
const SET = { name: 'real-languages', cases: [of('a', 'eng'), of('b', 'fra', 'eng'), of('c', 'fra', 'kor')] };

test('splitByData: leaves out pictures in languages without data; English is built in', () => {
  const { readable, leftOut } = splitByData([SET], folder);
  expect(readable.map(({ cases }) => cases.map(({ name }) => name))).toEqual([['a', 'b']]);
  expect(leftOut.map(({ cases }) => cases.map(({ name }) => name))).toEqual([['c']]);
  expect(missingLanguages(SET.cases[2]!, folder)).toEqual(['kor']);
  expect(splitByData([SET], null).readable[0]?.cases.map(({ name }) => name)).toEqual(['a']);
});

test('splitByData: adds the hash of the data to a picture, unless it needs only English', () => {
  const dataOf = () => splitByData([SET], folder).readable[0]!.cases.map(({ data }) => data);
  const [english, french] = dataOf();
  expect(english).toBeUndefined();
  expect(french).toMatch(/^fra:[0-9a-f]{12}$/);
  writeFileSync(join(folder, 'fra.traineddata'), 'another');
  expect(dataOf()[1]).not.toBe(french);
});
