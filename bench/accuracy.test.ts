import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OcrError, type Recognition } from '#ocr';
import { readSet } from './accuracy.ts';
import type { Case } from './corpus.ts';
import type { Subject } from './subject.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accuracy-'));
  file = join(folder, 'one.png');
  writeFileSync(file, 'a picture');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An engine that gives the same result for every picture. */
const engineWith = (answer: Partial<Recognition> | OcrError) => {
  const asked: unknown[] = [];
  const engine = {
    status: () => ({ pid: undefined }),
    recognize: async (_: Uint8Array, options: unknown) => {
      asked.push(options);
      if (answer instanceof OcrError) throw answer;
      return { text: '', lines: [], hidden: [], notices: [], ...answer };
    },
  } as unknown as Subject;
  return { engine, asked };
};

const readOf = (text: string): Partial<Recognition> => ({
  text,
  lines: text.split('\n').map((line, i) => ({
    text: line,
    confidence: 0.9,
    box: { x: 0, y: i * 40, width: 100, height: 20 },
    paragraph: 0,
    words: [{ text: line, confidence: 0.9, box: { x: 0, y: i * 40, width: 100, height: 20 } }],
  })),
});

const UNREADABLE = new OcrError('damaged', 'the content cannot be decoded');
const NOTHING_ELSE = { texts: [], failure: false, notices: [] };

async function read(answer: Partial<Recognition> | OcrError, one: Partial<Case>) {
  const { engine, asked } = engineWith(answer);
  const written = { name: 'one', file, truth: 'Pier 4', foldCase: false, exact: true, ...one };
  const kept = { find: () => undefined, add: () => {} };
  const options = { plain: false, before: null, peers: [] };
  const report = await readSet(engine, { name: 'reports', cases: [written] }, options, kept);
  return { report, counts: report.cases[0]!.counts, asked };
}

test('readSet: a file that the engine rejects loses every word, but not silently', async () => {
  const { report, counts } = await read(UNREADABLE, { accepted: NOTHING_ELSE });
  expect(counts).toEqual({ hits: 0, read: 0, expected: 2 });
  expect(report.losses).toMatchObject({ expected: 2, wrong: 0, missing: 2, unmarked: 0 });
});

test('readSet: a rejected file is right if its ground truth accepts an error', async () => {
  const { report, counts } = await read(UNREADABLE, { accepted: { ...NOTHING_ELSE, failure: true } });
  expect(counts).toEqual({ hits: 2, read: 2, expected: 2 });
  expect(report.losses).toMatchObject({ expected: 2, wrong: 0, missing: 0, unmarked: 0 });
});

test('readSet: only the notice that the ground truth accepts is right', async () => {
  const accepted = { ...NOTHING_ELSE, notices: ['scaled_down'] };
  const noticed = (code: 'scaled_down' | 'blurred') =>
    read({ notices: [{ code, message: '' }] }, { accepted });
  expect((await noticed('scaled_down')).report.engine.f1).toBe(1);
  expect((await noticed('blurred')).report.engine.f1).toBe(0);
});

test('readSet: of several accepted texts, the best match is the ground truth', async () => {
  const accepted = { ...NOTHING_ELSE, texts: ['Pier IV'] };
  expect((await read(readOf('Pier\nIV'), { accepted })).counts).toEqual({ hits: 2, read: 2, expected: 2 });
  expect((await read(readOf('Pier\n4'), { accepted })).counts).toEqual({ hits: 2, read: 2, expected: 2 });
});

test('readSet: only sets of exact words are compared with case', async () => {
  expect((await read(readOf('pier\n4'), {})).counts.hits).toBe(1);
  expect((await read(readOf('pier\n4'), { exact: false })).counts.hits).toBe(2);
});

test('readSet: an unread region of the engine marks the missing words beside it', async () => {
  const unread = [{ box: { x: 0, y: 25, width: 100, height: 20 } }];
  const unmarkedWith = async (more: object) => (await read({ ...readOf('Pier'), ...more }, {})).report.losses;
  expect((await unmarkedWith({})).unmarked).toBe(1);
  expect((await unmarkedWith({ unread })).unmarked).toBe(0);
});

test('readSet: a document is read with its page number, a picture without one', async () => {
  expect((await read(readOf('Pier'), { page: 1 })).asked).toEqual([expect.objectContaining({ page: 1 })]);
  expect((await read(readOf('Pier'), {})).asked[0]).not.toHaveProperty('page');
});

test('readSet: an error unrelated to the file ends the run', async () => {
  await expect(
    read(new OcrError('crashed', 'the process ended'), { accepted: NOTHING_ELSE }),
  ).rejects.toThrow('the process ended');
});
