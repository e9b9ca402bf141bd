import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CaseReport } from './accuracy.ts';
import { BenchSetupError } from './corpus.ts';
import { Journal } from './journal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const reading = (hits: number) => ({
  counts: { hits, read: 10, expected: 10 },
  cer: 0,
  orderLoss: undefined,
  milliseconds: 1,
  computed: 1,
  refused: false,
  losses: { expected: 10, wrong: 0, missing: 0, unmarked: 0 },
  filter: { hiddenFalse: 0, hiddenTrue: 0, visibleFalse: 0, expected: 10 },
  unfiltered: { hits, read: 10, expected: 10 },
  judged: [{ confidence: 0.5, right: true }],
  stages: { reading: 1 },
});
const report = (name: string, hits = 10): CaseReport => ({
  name,
  data: null,
  engine: reading(hits),
  plain: null,
  before: reading(hits - 1),
  peers: { other: reading(hits - 2) },
});
const open = (resume: boolean, peak: number | null = null, run = { engine: 'a' }) =>
  new Journal(join(folder, 'deep/run.jsonl'), run, { resume, onRead: () => peak });

test('Journal: a resumed run finds earlier results and does not write them again', () => {
  const first = open(false, 700);
  first.add('pages', report('one'));
  first.add('screens', report('one', 5));
  const resumed = open(true, 300);
  expect(resumed.size).toBe(2);
  expect(resumed.find('pages', 'one')).toEqual(report('one'));
  expect(resumed.find('screens', 'one')).toEqual(report('one', 5));
  expect(resumed.find('screens', 'two')).toBeUndefined();
  expect(resumed.highest(300)).toBe(700);
  resumed.add('pages', report('one'));
  resumed.add('pages', report('two'));
  expect(open(true).size).toBe(3);
});

test('Journal: a picture with a truncated line is read again', () => {
  open(false).add('pages', report('one'));
  const file = join(folder, 'deep/run.jsonl');
  appendFileSync(file, readFileSync(file, 'utf8').split('\n')[1]!.slice(0, 40));
  const resumed = open(true);
  expect(resumed.size).toBe(1);
  resumed.add('pages', report('two'));
  expect(open(true).size).toBe(2);
});

test('Journal: a missing run, or a run of another engine, cannot be resumed', () => {
  expect(() => open(true)).toThrow(BenchSetupError);
  open(false).add('pages', report('one'));
  expect(() => open(true, null, { engine: 'b' })).toThrow(/--resume/);
  expect(open(false).size).toBe(0);
});
