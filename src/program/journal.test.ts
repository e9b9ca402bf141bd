import {
  existsSync,
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
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileState, Journal, lockFolder } from './journal.ts';

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'glyphlift-journal-'));
});
afterEach(() => rmSync(out, { recursive: true }));

const seen = (name: string, size = 3): FileState => ({ name, size, mtimeMs: 1_000 + size });
const results = (text: string) =>
  new Map([
    ['.pdf', `pdf of ${text}`],
    ['.txt', text],
  ]);
const read = (name: string) => readFileSync(join(out, name), 'utf8');
const files = () =>
  readdirSync(out)
    .filter((name) => name !== '.glyphlift')
    .sort();

it('Journal: knows finished files after reopening, and their results are complete', async () => {
  const journal = await Journal.open(out);
  expect(journal.knows(seen('a.jpg'))).toBe(false);
  await journal.finish(seen('a.jpg'), 'd1', results('one'));
  const next = await Journal.open(out);
  expect(next.knows(seen('a.jpg'))).toBe(true);
  expect(next.knows(seen('a.jpg', 4))).toBe(false);
  expect(files()).toEqual(['a.pdf', 'a.txt']);
  expect([read('a.pdf'), read('a.txt')]).toEqual(['pdf of one', 'one']);
});

it('Journal: completes staged results at the next start, whatever step was interrupted', async () => {
  for (const [done, digest] of [
    [0, 'd1'],
    [1, 'd2'],
    [2, 'd3'],
  ] as const) {
    const ready = join(out, '.glyphlift', 'ready', digest);
    mkdirSync(ready, { recursive: true });
    const entry = { ...seen(`${digest}.jpg`), digest, outputs: [`${digest}.pdf`, `${digest}.txt`] };
    writeFileSync(join(ready, 'entry.json'), JSON.stringify(entry));
    for (const [at, output] of entry.outputs.entries()) {
      writeFileSync(at < done ? join(out, output) : join(ready, String(at)), output);
    }
  }
  const journal = await Journal.open(out);
  expect(files()).toEqual(['d1.pdf', 'd1.txt', 'd2.pdf', 'd2.txt', 'd3.pdf', 'd3.txt']);
  for (const digest of ['d1', 'd2', 'd3']) expect(journal.knows(seen(`${digest}.jpg`))).toBe(true);
  expect(readdirSync(join(out, '.glyphlift', 'ready'))).toEqual([]);
});

it('Journal: removes leftover staged files of finished results at the next start', async () => {
  await (await Journal.open(out)).finish(seen('a.jpg'), 'd1', results('one'));
  // Removing a folder takes several steps, and its entry may be removed first.
  const ready = join(out, '.glyphlift', 'ready', 'd1');
  mkdirSync(ready, { recursive: true });
  writeFileSync(join(ready, '1'), 'one');
  const journal = await Journal.open(out);
  expect(journal.knows(seen('a.jpg'))).toBe(true);
  expect([files(), existsSync(ready)]).toEqual([['a.pdf', 'a.txt'], false]);
});

it('Journal: discards incompletely staged results at the next start, and treats the file as new', async () => {
  const draft = join(out, '.glyphlift', 'drafts', 'd1');
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, '0'), 'half of a');
  const journal = await Journal.open(out);
  expect(existsSync(draft)).toBe(false);
  expect(journal.knows(seen('a.jpg'))).toBe(false);
  expect(await journal.reuseResult(seen('a.jpg'), 'd1')).toBe(false);
});

it('Journal: ignores a truncated line, and keeps the lines before and after it', async () => {
  await (await Journal.open(out)).finish(seen('a.jpg'), 'd1', results('one'));
  const list = join(out, '.glyphlift', 'journal.jsonl');
  writeFileSync(list, `${readFileSync(list, 'utf8')}\n{"name":"b.jpg","dig`);
  const journal = await Journal.open(out);
  await journal.finish(seen('c.jpg'), 'd3', results('three'));
  const next = await Journal.open(out);
  expect(['a.jpg', 'b.jpg', 'c.jpg'].map((name) => next.knows(seen(name)))).toEqual([true, false, true]);
});

it('Journal: given the same content under another name, copies the results and overwrites nothing', async () => {
  const journal = await Journal.open(out);
  await journal.finish(seen('below/a.jpg'), 'd1', results('one'));
  writeFileSync(join(out, 'b.txt'), 'mine');
  expect(await journal.reuseResult(seen('b.jpg'), 'd1')).toBe(true);
  expect([read('b.txt'), read('b-2.txt'), read('b-2.pdf')]).toEqual(['mine', 'one', 'pdf of one']);
  expect(journal.knows(seen('b.jpg'))).toBe(true);
});

it('Journal: does not restore results that the user deleted, under any name', async () => {
  const journal = await Journal.open(out);
  await journal.finish(seen('a.jpg'), 'd1', results('one'));
  for (const name of files()) rmSync(join(out, name));
  expect(await journal.reuseResult(seen('a.jpg', 9), 'd1')).toBe(true);
  expect(await journal.reuseResult(seen('b.jpg'), 'd1')).toBe(true);
  expect(files()).toEqual([]);
});

it('Journal: lists failures with their reasons until the file is read, changed or deleted', async () => {
  const journal = await Journal.open(out);
  await journal.fail(seen('a.jpg'), 'd1', 'damaged');
  await journal.fail(seen('b.jpg'), 'd2', 'page 3: damaged');
  expect(read('failed.txt')).toBe('a.jpg\tdamaged\nb.jpg\tpage 3: damaged\n');
  expect((await Journal.open(out)).knows(seen('a.jpg'))).toBe(true);
  await journal.finish(seen('a.jpg', 5), 'd3', results('mended'));
  expect(read('failed.txt')).toBe('b.jpg\tpage 3: damaged\n');
  await journal.forgetMissing(new Set(['a.jpg']));
  expect(files()).toEqual(['a.pdf', 'a.txt']);
});

it('Journal: escapes line breaks and control characters of a name in the list of failures', async () => {
  const journal = await Journal.open(out);
  await journal.fail(seen('a.jpg\nb.jpg\tall is well\u001b[2J'), 'd1', 'damaged');
  expect(read('failed.txt')).toBe('a.jpg\\u000ab.jpg\\u0009all is well\\u001b[2J\tdamaged\n');
});

it('lockFolder: rejects a state folder that is a link or belongs to another user', async () => {
  symlinkSync(tmpdir(), join(out, '.glyphlift'));
  await expect(lockFolder(out, 'here')).rejects.toThrow('was made by another user, or is a link');
  expect(existsSync(join(tmpdir(), 'holder.json'))).toBe(false);
});

it('lockFolder: rejects a folder locked by a live process, and takes over a stale lock', async () => {
  const release = await lockFolder(out, 'here');
  expect(release).toBeDefined();
  const holder = join(out, '.glyphlift', 'holder.json');
  const hold = (pid: number, machine: string, at: number) =>
    writeFileSync(holder, JSON.stringify({ pid, machine, at }));
  hold(process.ppid, 'here', Date.now());
  expect(await lockFolder(out, 'here')).toBeUndefined();
  hold(1, 'elsewhere', Date.now());
  expect(await lockFolder(out, 'here')).toBeUndefined();
  hold(1, 'elsewhere', Date.now() - 60_000);
  const taken = await lockFolder(out, 'here');
  expect(taken).toBeDefined();
  taken?.();
  expect(existsSync(holder)).toBe(false);
  release?.();
});
