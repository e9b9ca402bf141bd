import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pendingTempFiles } from './atomic-file.ts';
import { ReadFailure } from './documents.ts';
import { jsonLine, writeFileAtomically, writingFailure } from './outputs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphlift-outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('pendingTempFiles: lists a temporary file while it exists, so that an exit handler can remove it', async () => {
  const file = join(folder, 'below', 'letter.txt');
  const written = writeFileAtomically(file, 'text', { force: false });
  while (pendingTempFiles().length === 0) await turn();
  expect(
    pendingTempFiles().map((draft) => [draft.startsWith(join(folder, 'below')), existsSync(draft)]),
  ).toEqual([[true, true]]);
  expect(existsSync(file)).toBe(false);
  await written;
  expect([pendingTempFiles(), readFileSync(file, 'utf8')]).toEqual([[], 'text']);
});

it('writeFileAtomically: given symlinks at every predictable temporary name, follows none of them', async () => {
  const victim = join(folder, 'victim.txt');
  writeFileSync(victim, 'mine');
  for (let number = 0; number < 10; number++)
    symlinkSync(victim, join(folder, `.letter.txt.${process.pid + number}.part`));
  symlinkSync(victim, join(folder, 'letter.txt'));
  await writeFileAtomically(join(folder, 'letter.txt'), 'text', { force: true });
  expect([readFileSync(victim, 'utf8'), readFileSync(join(folder, 'letter.txt'), 'utf8')]).toEqual([
    'mine',
    'text',
  ]);
  expect(lstatSync(join(folder, 'letter.txt')).isFile()).toBe(true);
});

it('writeFileAtomically: given an unwritable path, reports the path and the reason', async () => {
  writeFileSync(join(folder, 'file'), '');
  const file = join(folder, 'file', 'letter.txt');
  await expect(writeFileAtomically(file, 'text', { force: false })).rejects.toMatchObject({
    message: `${file} cannot be written: a file is in the way of a folder`,
  });
  expect(writingFailure('out/a.txt', Object.assign(new Error('ENOSPC: …'), { code: 'ENOSPC' })).message).toBe(
    'out/a.txt cannot be written: no space left on the disk',
  );
});

it('jsonLine: has the file, the page and the error of a failure', () => {
  const failure = { code: 'enoent', message: 'no such file' };
  expect(JSON.parse(jsonLine('a.png', new ReadFailure(failure.code, failure.message)))).toEqual({
    file: 'a.png',
    page: null,
    error: failure,
  });
});

it('writeFileAtomically: given an existing file, overwrites it only with force', async () => {
  const file = join(folder, 'letter.txt');
  await writeFileAtomically(file, 'first', { force: false });
  await expect(writeFileAtomically(file, 'second', { force: false })).rejects.toMatchObject({
    code: 'exists',
  });
  await writeFileAtomically(file, 'third', { force: true });
  expect(readFileSync(file, 'utf8')).toBe('third');
});
