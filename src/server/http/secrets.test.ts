import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSecrets } from './secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const load = (more: { cookieKey?: string; addressKey?: string } = {}) =>
  loadSecrets({ cookieKey: undefined, addressKey: undefined, ...more, dataDir });

it('secrets are made once and kept, for their owner only', async () => {
  const made = await load();
  expect(made.cookieKey).toMatch(/^[\w-]{43}$/);
  expect(made.addressKey).not.toBe(made.cookieKey);
  expect(await load()).toEqual(made);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

it('servers that start at once agree on the same secrets', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => load()));
  expect(new Set(all.map((secrets) => secrets.cookieKey)).size).toBe(1);
});

it('the environment comes first, and then nothing is written', async () => {
  const given = { cookieKey: 'c'.repeat(32), addressKey: 'a'.repeat(32) };
  expect(await load(given)).toEqual(given);
  await expect(stat(join(dataDir, 'secrets.json'))).rejects.toThrow('ENOENT');
});

it('a broken file stops the start instead of being replaced in silence', async () => {
  await writeFile(join(dataDir, 'secrets.json'), '{"cookieKey":"x"}');
  await expect(load()).rejects.toThrow('secrets.json is not a valid secrets file');
});
