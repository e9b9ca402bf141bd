import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BenchSetupError, half, loadSets, sample, separateScripts } from './corpus.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corpus-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('loadSets: without a corpus, reads the repository’s own cases, each with a picture and a text', () => {
  const [set, ...rest] = loadSets(undefined);
  expect(rest).toEqual([]);
  expect(set?.cases.length).toBeGreaterThanOrEqual(10);
  for (const one of set?.cases ?? []) expect(one.truth.trim()).not.toBe('');
});

test('loadSets: the lines of a receipt are its ground truth, and a picture without a label is skipped', () => {
  mkdirSync(join(folder, 'receipts/validation'), { recursive: true });
  writeFileSync(join(folder, 'receipts/validation/001.jpg'), '');
  writeFileSync(join(folder, 'receipts/validation/001.json'), '{"lines":[{"text":"A B"},{"text":"C"}]}');
  writeFileSync(join(folder, 'receipts/validation/002.jpg'), '');
  const sets = loadSets(folder);
  expect(sets.map((set) => [set.name, set.cases.map((one) => one.truth)])).toEqual([
    ['receipts-validation', ['A B\nC']],
  ]);
});

test('loadSets: reports include documents, are measured by exact tokens, and have notes removed from the ground truth', () => {
  mkdirSync(join(folder, 'reports'));
  const files = { 'plan.pdf': 'PLAN\n\n(or at least the notice scaled_down)\n', 'quotes.png': '‘so’\n' };
  for (const [name, truth] of Object.entries(files)) {
    writeFileSync(join(folder, 'reports', name), '');
    writeFileSync(join(folder, 'reports', name.replace(/\.\w+$/, '.txt')), truth);
  }
  writeFileSync(join(folder, 'reports/without-text.png'), '');
  const [reports, ...others] = loadSets(folder);
  expect(others).toEqual([]);
  expect(reports).toMatchObject({
    name: 'reports',
    cases: [
      { name: 'plan', truth: 'PLAN\n', exact: true, page: 1, accepted: { notices: ['scaled_down'] } },
      { name: 'quotes', truth: '‘so’\n', exact: true },
    ],
  });
  expect(reports?.cases[1]).not.toHaveProperty('page');
});

test('loadSets: real pictures form one set per kind, with the languages of the README’s table', () => {
  const kinds = { languages: ['el', 'ja-vertical'], 'old-books': ['mimil', 'plain'] };
  for (const [kind, names] of Object.entries(kinds)) {
    mkdirSync(join(folder, 'real', kind), { recursive: true });
    for (const name of names) {
      writeFileSync(join(folder, 'real', kind, `${name}.jpg`), '');
      writeFileSync(join(folder, 'real', kind, `${name}.txt`), name);
    }
  }
  const rows = [
    '| languages | el | ell+eng | yes | 3 |',
    '| languages | ja-vertical | jpn (vertical) | no | 5 |',
    '| old-books | mimil | deu (Fraktur) | yes | 9 |',
  ];
  writeFileSync(join(folder, 'real/README.md'), rows.join('\n'));
  const [languages, books, ...others] = loadSets(folder);
  expect(others).toEqual([]);
  expect(languages?.cases).toMatchObject([
    { name: 'el', languages: ['ell', 'eng'], byLetter: false, unordered: false },
    { name: 'ja-vertical', languages: ['jpn_vert'], byLetter: true, unordered: true },
  ]);
  expect(books?.cases.map((one) => one.languages)).toEqual([['frk'], ['eng']]);
});

test('separateScripts: real pictures in Fraktur and in other scripts form separate sets, and none is lost', () => {
  const of = (name: string, ...languages: string[]) => ({
    name,
    languages,
    file: '',
    truth: '',
    foldCase: false,
  });
  const sets = separateScripts([
    { name: 'pages', cases: [of('a', 'jpn')] },
    { name: 'real-old-books', cases: [of('b', 'frk'), of('c', 'deu')] },
    { name: 'real-scene', cases: [of('d', 'chi_sim'), of('e', 'eng'), of('f', 'kor', 'eng')] },
  ]);
  expect(sets.map((set) => [set.name, set.cases.map((one) => one.name)])).toEqual([
    ['pages', ['a']],
    ['real-old-books', ['c']],
    ['real-scene', ['e']],
    ['real-fraktur', ['b']],
    ['real-other-scripts', ['d', 'f']],
  ]);
});

test('loadSets: knows the script of every language code', () => {
  const places = (code: string) =>
    separateScripts([
      { name: 'real-x', cases: [{ name: '', file: '', truth: '', foldCase: false, languages: [code] }] },
    ])
      .filter((set) => set.cases.length > 0)
      .map((set) => set.name);
  for (const code of ['ara', 'chi_tra', 'ell', 'hin', 'jpn_vert', 'kor', 'rus', 'tha'])
    expect(places(code), code).toEqual(['real-other-scripts']);
  for (const code of ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'pol', 'nld', 'hrv'])
    expect(places(code), code).toEqual(['real-x']);
});

test('half: the two halves of a set are alternate pictures without overlap', () => {
  const cases = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, file: '', truth: '', foldCase: false }));
  const names = (which: number | undefined) => half({ name: 's', cases }, which).cases.map((one) => one.name);
  expect([names(0), names(1), names(undefined)]).toEqual([
    ['a', 'c', 'e'],
    ['b', 'd'],
    ['a', 'b', 'c', 'd', 'e'],
  ]);
});

test('loadSets: rejects a missing or empty folder with a remedy', () => {
  expect(() => loadSets(join(folder, 'nowhere'))).toThrow(BenchSetupError);
  expect(() => loadSets(join(folder, 'nowhere'))).toThrow(/CORPUS_DIR/);
  expect(() => loadSets(folder)).toThrow(/holds no labelled pictures/);
});

test('sample: is evenly distributed over the set and always the same', () => {
  const cases = Array.from({ length: 10 }, (_, i) => ({
    name: `${i}`,
    file: '',
    truth: '',
    foldCase: false,
  }));
  const names = () => sample({ name: 's', cases }, 4).cases.map((one) => one.name);
  expect(names()).toEqual(['0', '2', '5', '7']);
  expect(names()).toEqual(names());
});
