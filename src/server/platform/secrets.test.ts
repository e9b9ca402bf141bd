import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSecrets, retireKeys, rotateKeys } from './secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const load = (
  more: { cookieKeys?: string[]; cookieKey?: string; addressKey?: string; metricsToken?: string } = {},
) => loadSecrets({ cookieKeys: undefined, cookieKey: undefined, addressKey: undefined, ...more, dataDir });
const path = () => join(dataDir, 'secrets.json');
const leave = (file: object) => writeFile(path(), JSON.stringify(file));
const [cookieKey, addressKey] = ['c'.repeat(32), 'a'.repeat(32)] as const;

it('loadSecrets: creates the secrets once, in a file that only its owner can read', async () => {
  const made = await load();
  expect(made.cookieKeys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(made.cookieKey).toBeUndefined();
  expect(made.cookieKeys).not.toContain(made.addressKey);
  expect(await load()).toEqual(made);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

it('loadSecrets: gives servers that start in parallel the same secrets', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => load()));
  expect(new Set(all.map((secrets) => secrets.cookieKeys[0])).size).toBe(1);
});

it('loadSecrets: given secrets in the environment, uses them and writes no file', async () => {
  const metricsToken = 't'.repeat(32);
  expect(await load({ cookieKey, addressKey, metricsToken })).toEqual({
    cookieKeys: [],
    cookieKey,
    addressKey,
    metricsToken,
  });
  const cookieKeys = ['k'.repeat(32), cookieKey];
  expect(await load({ cookieKeys, addressKey })).toEqual({ cookieKeys, cookieKey: undefined, addressKey });
  await expect(stat(path())).rejects.toThrow('ENOENT');
});

it('loadSecrets: given keys in the environment and a file, uses the keys of the environment only', async () => {
  await leave({ cookieKeys: ['f'.repeat(32)], addressKey });
  const cookieKeys = ['k'.repeat(32)];
  expect(await load({ cookieKeys })).toMatchObject({ cookieKeys, cookieKey: undefined, addressKey });
});

it('loadSecrets: given a file of the older form with one key, reads it, and a rotation keeps that key', async () => {
  await leave({ cookieKey, addressKey });
  expect(await load()).toMatchObject({ cookieKeys: [], cookieKey, addressKey });
  expect(await retireKeys(dataDir)).toBe(0);
  const rotated = await rotateKeys(dataDir);
  expect(rotated).toMatchObject({ cookieKeys: [expect.any(String)], cookieKey, addressKey });
  expect(await load()).toEqual(rotated);
  expect(await retireKeys(dataDir)).toBe(1);
  expect(await load()).toEqual({ ...rotated, cookieKey: undefined });
});

it('loadSecrets: creates the metrics token once, keeps it over rotations, and prefers the environment’s', async () => {
  const { metricsToken } = await load();
  expect(metricsToken).toMatch(/^[\w-]{43}$/);
  expect((await rotateKeys(dataDir)).metricsToken).toBe(metricsToken);
  await retireKeys(dataDir);
  expect((await load()).metricsToken).toBe(metricsToken);
  expect((await load({ metricsToken: 't'.repeat(32) })).metricsToken).toBe('t'.repeat(32));
});

it('loadSecrets: given a file without a metrics token, several servers agree on one', async () => {
  await leave({ cookieKeys: ['k'.repeat(32)], addressKey });
  const all = await Promise.all(Array.from({ length: 8 }, () => load()));
  expect(new Set(all.map(({ metricsToken }) => metricsToken)).size).toBe(1);
  expect(JSON.parse(await readFile(path(), 'utf8')).metricsToken).toBe(all[0]?.metricsToken);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

it('rotateKeys: writes a file that only its owner can read, and leaves no temporary file', async () => {
  await load();
  await rotateKeys(dataDir);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
});

it.each([{ cookieKey: 'x' }, { cookieKey: 'x', addressKey }, { cookieKeys: [], addressKey }])(
  'loadSecrets: given a broken file such as %j, rejects and does not replace it',
  async (broken) => {
    await leave(broken);
    await expect(load()).rejects.toThrow('secrets.json is not a valid secrets file');
  },
);
