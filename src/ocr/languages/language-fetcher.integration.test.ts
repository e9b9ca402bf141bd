import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { languageData } from '../../../tests/support/language-files.ts';
import {
  FILE_OF,
  inTwoHalves,
  startPackageRegistry,
  type TestRegistry,
} from '../../../tests/support/package-registry.ts';
import { type Fetched, LanguageFetcher } from './language-fetcher.ts';
import { knownLanguageCodes } from './languages.ts';
import { NPM_PINS, npmPackages } from './npm-packages.ts';
import type { LanguagePin } from './package-source.ts';

const thai = languageData('tha');
let registry: TestRegistry;
let pin: LanguagePin;
let folder: string;
let fetchers: LanguageFetcher[];
let children: ChildProcessWithoutNullStreams[];

beforeAll(async () => {
  registry = await startPackageRegistry();
  // As a user configures npm.
  vi.stubEnv('npm_config_registry', registry.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await registry.close();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'glyphlift-fetched-'));
  pin = registry.publish('tha', thai);
  registry.send('whole');
  registry.rejectWith(undefined);
  registry.requestedPaths.length = 0;
  fetchers = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(fetchers.map((fetcher) => fetcher.close()));
  rmSync(folder, { recursive: true });
});

function fetcherOf(pins: Record<string, LanguagePin> = { tha: pin }, into = folder): LanguageFetcher {
  const fetcher = new LanguageFetcher({ folder: into, sources: [npmPackages(pins)] });
  fetchers.push(fetcher);
  return fetcher;
}

/** Another process on this machine that fetches the same language. */
function elsewhere(): ChildProcessWithoutNullStreams {
  const args = [compiledFileOf('tests/support/fetch-language.ts'), folder, 'tha', JSON.stringify(pin)];
  const child = spawn(process.execPath, args, { env: { ...process.env, npm_config_registry: registry.url } });
  children.push(child);
  return child;
}

const filesInFolder = () => readdirSync(folder).sort();
const read = () => readFileSync(path.join(folder, 'tha.traineddata'));

it('LanguageFetcher: a language is fetched from the configured npm registry, and no other file is left', async () => {
  const progress: Fetched[] = [];
  await fetcherOf().fetch('tha', { onProgress: (fetched) => progress.push(fetched) });
  expect(read().equals(thai)).toBe(true);
  expect(filesInFolder()).toEqual(['tha.traineddata']);
  expect(progress[0]).toEqual({ received: 0, of: pin.bytes });
  expect(progress.at(-1)).toEqual({ received: pin.bytes, of: pin.bytes });
  await fetcherOf().fetch('tha');
  expect(registry.requestedPaths).toHaveLength(1);
});

it('LanguageFetcher: the registry of a scope takes precedence, and is called with its npm token', async () => {
  const settings = path.join(folder, 'npmrc');
  const { host } = new URL(registry.url);
  writeFileSync(settings, `@tesseract.js-data:registry=${registry.url}\n//${host}/:_authToken=secret\n`);
  vi.stubEnv('npm_config_userconfig', settings);
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  const seen = vi.spyOn(globalThis, 'fetch');
  try {
    await fetcherOf({ tha: pin }, path.join(folder, 'own')).fetch('tha');
    const tokens = seen.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));
    expect(tokens).toEqual(['Bearer secret', 'Bearer secret']);
  } finally {
    seen.mockRestore();
    vi.stubEnv('npm_config_registry', registry.url);
    vi.stubEnv('npm_config_userconfig', undefined);
  }
});

describe('LanguageFetcher: no file is written', () => {
  const changed = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    copy[copy.length >> 1]! ^= 1;
    return copy;
  };
  it.each<[string, string, () => void]>([
    [
      'of a package with another hash',
      'is not the one that is pinned',
      () => registry.send((archive, answer) => void answer.end(changed(archive))),
    ],
    [
      'of a package that is cut off',
      'was cut off',
      () => registry.send((archive, answer) => void answer.end(archive.subarray(0, 90_000))),
    ],
    [
      'where the connection breaks',
      'terminated',
      () =>
        registry.send((archive, answer) =>
          answer.write(archive.subarray(0, 90_000), () => setImmediate(() => answer.destroy())),
        ),
    ],
    [
      'of a package that is larger than the pinned one',
      'is larger',
      () => registry.send((archive, answer) => void answer.end(Buffer.concat([archive, archive]))),
    ],
    ['where the registry does not have it', 'answered 404', () => registry.rejectWith(404)],
    ['where the registry is broken', 'answered 500', () => registry.rejectWith(500)],
    [
      'where the registry cannot be reached',
      'fetch failed',
      () => vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/'),
    ],
  ])('%s, and the next try finds nothing in its way', async (_, message, breaks) => {
    const fetcher = fetcherOf();
    breaks();
    await expect(fetcher.fetch('tha')).rejects.toThrow(message);
    expect(filesInFolder()).toEqual([]);
    registry.send('whole');
    registry.rejectWith(undefined);
    vi.stubEnv('npm_config_registry', registry.url);
    await fetcher.fetch('tha');
    expect(read().equals(thai)).toBe(true);
  });

  it('for a package without the file, with one of another size, or with invalid data', async () => {
    const fresh = registry.publish('abc', thai);
    const half = registry.publish('abd', thai.subarray(0, 100_000));
    const pins = {
      tha: { ...pin, file: 'package/4.0.0/tha.traineddata.gz' },
      abc: { ...fresh, unpacked: fresh.unpacked - 1 },
      abd: half,
    };
    const fetcher = fetcherOf(pins);
    await expect(fetcher.fetch('tha')).rejects.toThrow('holds no package/4.0.0');
    await expect(fetcher.fetch('abc')).rejects.toThrow('larger than was pinned');
    await expect(fetcher.fetch('abd')).rejects.toThrow('is cut short');
    expect(filesInFolder()).toEqual([]);
  });

  it('where the folder is not writable, and the failure is reported', async () => {
    const file = path.join(folder, 'taken');
    writeFileSync(file, '');
    await expect(fetcherOf({ tha: pin }, file).fetch('tha')).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(registry.requestedPaths).toEqual([]);
  });
});

it('LanguageFetcher: only the pinned file of a package is unpacked: no link, no path outside the folder', async () => {
  const outside = path.join(folder, '..', `${path.basename(folder)}-outside`);
  const hostile = registry.publish('tha', thai, {
    extra: [
      [FILE_OF('tha'), 'SymbolicLink', outside],
      [`package/../../${path.basename(outside)}`, 'File', 'x'],
      ['/etc/glyphlift-test', 'File', 'x'],
    ],
  });
  await fetcherOf({ tha: hostile }).fetch('tha');
  expect(filesInFolder()).toEqual(['tha.traineddata']);
  expect(read().equals(thai)).toBe(true);
  expect([existsSync(outside), existsSync('/etc/glyphlift-test')]).toEqual([false, false]);
});

it('LanguageFetcher: unpacking stops when the data exceeds its pinned size', async () => {
  const bomb = registry.publish('abc', Buffer.alloc(64 * 2 ** 20));
  expect(bomb.bytes).toBeLessThan(200_000);
  await expect(fetcherOf({ abc: { ...bomb, unpacked: 1000 } }).fetch('abc')).rejects.toThrow(
    'larger than was pinned',
  );
  expect(filesInFolder()).toEqual([]);
});

describe('LanguageFetcher: several callers for one language', () => {
  it('in one process share the download, and an abort does not affect the others', async () => {
    const halves = inTwoHalves();
    registry.send(halves.how);
    const fetcher = fetcherOf();
    const leaving = new AbortController();
    const first = fetcher.fetch('tha', { signal: leaving.signal });
    const progress: number[] = [];
    const second = fetcher.fetch('tha', { onProgress: ({ received }) => progress.push(received) });
    await halves.sent;
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    halves.goOn();
    await second;
    expect(progress.at(-1)).toBe(pin.bytes);
    expect(registry.requestedPaths).toHaveLength(1);
  });

  it('in two processes download it once, and both report its progress', async () => {
    const halves = inTwoHalves();
    registry.send(halves.how);
    const here = fetcherOf().fetch('tha');
    await halves.sent;
    const other = elsewhere();
    const [output] = await once(other.stdout, 'data');
    expect(String(output)).toMatch(/^\d+\n/);
    halves.goOn();
    await here;
    const [status] = await once(other, 'exit');
    expect(status).toBe(0);
    expect(registry.requestedPaths).toHaveLength(1);
    expect(filesInFolder()).toEqual(['tha.traineddata']);
  });
});

it('LanguageFetcher: after a process was killed, its partial language is not offered and is fetched again', async () => {
  const halves = inTwoHalves();
  registry.send(halves.how);
  const child = elsewhere();
  await halves.sent;
  await expect.poll(filesInFolder).toEqual(['tha.traineddata.fetching']);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(filesInFolder()).toEqual(['tha.traineddata.fetching']);
  // As if it had been killed a while ago, during unpacking.
  const long = new Date(Date.now() - 60_000);
  utimesSync(path.join(folder, 'tha.traineddata.fetching'), long, long);
  writeFileSync(path.join(folder, 'tha.traineddata.0.unpacking'), thai.subarray(0, 1000));
  registry.send('whole');
  await fetcherOf().fetch('tha');
  expect(filesInFolder()).toEqual(['tha.traineddata']);
  expect(read().equals(thai)).toBe(true);
  expect(registry.requestedPaths).toHaveLength(2);
});

it('LanguageFetcher: a damaged file is replaced', async () => {
  writeFileSync(path.join(folder, 'tha.traineddata'), 'half a file');
  await fetcherOf().fetch('tha');
  expect(read().equals(thai)).toBe(true);
});

it('language pins: every pin has a known language and a full hash, and English needs none', () => {
  const names = new Set(knownLanguageCodes());
  expect(Object.keys(NPM_PINS).filter((code) => !names.has(code) || code === 'eng')).toEqual([]);
  for (const [code, { integrity, bytes, file, unpacked }] of Object.entries(NPM_PINS)) {
    expect(Buffer.from(integrity.replace(/^sha512-/, ''), 'base64'), code).toHaveLength(64);
    expect(file).toMatch(/^package\/4\.0\.0(_best_int)?\/[a-z_]+\.traineddata\.gz$/);
    expect(Math.min(bytes, unpacked), code).toBeGreaterThan(100_000);
  }
});
