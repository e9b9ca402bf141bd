import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftsLeft, writeWhole } from './outputs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphlift-outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('half a file is there from the moment at which it is told of, so that whoever must end can take it away', async () => {
  const file = join(folder, 'below', 'letter.txt');
  const written = writeWhole(file, 'text', { force: false });
  while (draftsLeft().length === 0) await turn();
  expect(draftsLeft().map((draft) => [draft.startsWith(join(folder, 'below')), existsSync(draft)])).toEqual([
    [true, true],
  ]);
  expect(existsSync(file)).toBe(false);
  await written;
  expect([draftsLeft(), readFileSync(file, 'utf8')]).toEqual([[], 'text']);
});

it('what is there already is written over only when that is wished', async () => {
  const file = join(folder, 'letter.txt');
  await writeWhole(file, 'first', { force: false });
  await expect(writeWhole(file, 'second', { force: false })).rejects.toMatchObject({ code: 'exists' });
  await writeWhole(file, 'third', { force: true });
  expect(readFileSync(file, 'utf8')).toBe('third');
});
