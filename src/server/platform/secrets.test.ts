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

it('secrets are made once and kept, for their owner only', async () => {
  const made = await load();
  expect(made.cookieKeys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(made.cookieKey).toBeUndefined();
  expect(made.cookieKeys).not.toContain(made.addressKey);
  expect(await load()).toEqual(made);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

it('servers that start at once agree on the same secrets', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => load()));
  expect(new Set(all.map((secrets) => secrets.cookieKeys[0])).size).toBe(1);
});

it('the environment comes first, and then nothing is written', async () => {
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

it('keys of the environment stand in for those of the file, and do not join them', async () => {
  await leave({ cookieKeys: ['f'.repeat(32)], addressKey });
  const cookieKeys = ['k'.repeat(32)];
  expect(await load({ cookieKeys })).toMatchObject({ cookieKeys, cookieKey: undefined, addressKey });
});

it('a file with a single key from before is read as it is, and that key outlives the first rotation', async () => {
  await leave({ cookieKey, addressKey });
  expect(await load()).toMatchObject({ cookieKeys: [], cookieKey, addressKey });
  expect(await retireKeys(dataDir)).toBe(0);
  const rotated = await rotateKeys(dataDir);
  expect(rotated).toMatchObject({ cookieKeys: [expect.any(String)], cookieKey, addressKey });
  expect(await load()).toEqual(rotated);
  expect(await retireKeys(dataDir)).toBe(1);
  expect(await load()).toEqual({ ...rotated, cookieKey: undefined });
});

it('the token for metrics is made once, is changed by no rotation, and gives way to the environment’s', async () => {
  const { metricsToken } = await load();
  expect(metricsToken).toMatch(/^[\w-]{43}$/);
  expect((await rotateKeys(dataDir)).metricsToken).toBe(metricsToken);
  await retireKeys(dataDir);
  expect((await load()).metricsToken).toBe(metricsToken);
  expect((await load({ metricsToken: 't'.repeat(32) })).metricsToken).toBe('t'.repeat(32));
});

it('a file without a token gets one, the same whichever of several servers is first', async () => {
  await leave({ cookieKeys: ['k'.repeat(32)], addressKey });
  const all = await Promise.all(Array.from({ length: 8 }, () => load()));
  expect(new Set(all.map(({ metricsToken }) => metricsToken)).size).toBe(1);
  expect(JSON.parse(await readFile(path(), 'utf8')).metricsToken).toBe(all[0]?.metricsToken);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

it('a rotated file still belongs to its owner only, and leaves no draft beside it', async () => {
  await load();
  await rotateKeys(dataDir);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
});

it.each([{ cookieKey: 'x' }, { cookieKey: 'x', addressKey }, { cookieKeys: [], addressKey }])(
  'a broken file such as %j stops the start instead of being replaced in silence',
  async (broken) => {
    await leave(broken);
    await expect(load()).rejects.toThrow('secrets.json is not a valid secrets file');
  },
);
