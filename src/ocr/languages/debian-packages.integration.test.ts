import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { languageData } from '../../../tests/support/language-files.ts';
import { DEBIAN_PINS, debianPackageOf, debianPackages } from './debian-packages.ts';
import { type Fetched, LanguageFetcher } from './language-fetcher.ts';
import { knownLanguageCodes } from './languages.ts';
import { NPM_PINS } from './npm-packages.ts';
import type { LanguagePin } from './package-source.ts';

/** A real apt configured for a local archive, and real packages. */

const VERSION = '1:4.1.0-2';
const FILE = './usr/share/tesseract-ocr/5/tessdata/chi_tra.traineddata';
const data = languageData('tha');
let folder: string;
let server: Server;
let origin: string;
/** Packages by URL. */
let archive: Map<string, Buffer>;
let requests: string[];

beforeAll(async () => {
  server = createServer((request, answer) => {
    requests.push(request.url ?? '');
    const found = archive.get(request.url ?? '');
    answer.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'glyphlift-debian-'));
  archive = new Map();
  requests = [];
  setAptTo(`deb ${origin}/debian bookworm main contrib`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function setAptTo(...sources: string[]): void {
  const list = path.join(folder, 'sources.list');
  const settings = path.join(folder, 'apt.conf');
  writeFileSync(list, `${sources.join('\n')}\n`);
  writeFileSync(settings, `Dir::Etc::sourcelist "${list}";\nDir::Etc::sourceparts "-";\n`);
  vi.stubEnv('APT_CONFIG', settings);
}

function packageWith(content: Buffer): Buffer {
  const tree = mkdtempSync(path.join(folder, 'tree-'));
  const place = path.join(tree, FILE);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, content);
  mkdirSync(path.join(tree, 'DEBIAN'));
  const control = [
    `Package: ${debianPackageOf('chi_tra')}`,
    `Version: ${VERSION}`,
    'Architecture: all',
    'Maintainer: Nobody <nobody@example.com>',
    'Description: data',
  ];
  writeFileSync(path.join(tree, 'DEBIAN', 'control'), `${control.join('\n')}\n`);
  const file = path.join(folder, 'package.deb');
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, file], { stdio: 'ignore' });
  return readFileSync(file);
}

/** Publishes it in an archive; returns its pin. */
function publish(whole: Buffer, { under = '/debian', unpacked = data.length } = {}): LanguagePin {
  archive.set(`${under}/pool/main/t/tesseract-lang/tesseract-ocr-chi-tra_4.1.0-2_all.deb`, whole);
  const integrity = `sha256-${createHash('sha256').update(whole).digest('base64')}`;
  return { version: VERSION, integrity, bytes: whole.length, file: FILE, unpacked };
}

const own = () => path.join(folder, 'languages');
const filesInFolder = () => readdirSync(own());

async function fetchLanguage(pin: LanguagePin, progress: Fetched[] = []): Promise<void> {
  const fetcher = new LanguageFetcher({ folder: own(), sources: [debianPackages({ chi_tra: pin })] });
  await fetcher.fetch('chi_tra', { onProgress: (one) => progress.push(one) });
}

it('debianPackages: a language is fetched from the archive that apt is configured for, and no other file is left', async () => {
  const pin = publish(packageWith(data));
  const progress: Fetched[] = [];
  await fetchLanguage(pin, progress);
  expect(readFileSync(path.join(own(), 'chi_tra.traineddata')).equals(data)).toBe(true);
  expect(filesInFolder()).toEqual(['chi_tra.traineddata']);
  expect(progress.at(-1)).toEqual({ received: pin.bytes, of: pin.bytes });
  expect(requests).toHaveLength(1);
});

it('debianPackages: an archive without the package is skipped', async () => {
  setAptTo(`deb ${origin}/security bookworm-security main`, `deb ${origin}/debian/ bookworm main`);
  await fetchLanguage(publish(packageWith(data)));
  expect(filesInFolder()).toEqual(['chi_tra.traineddata']);
  expect(requests.map((address) => address.split('/')[1])).toEqual(['security', 'debian']);
});

describe('debianPackages: no file is written', () => {
  it.each<[string, string, () => LanguagePin]>([
    [
      'from a package with another hash',
      'is not the one that is pinned',
      () => ({ ...publish(packageWith(data)), integrity: `sha256-${'A'.repeat(43)}=` }),
    ],
    [
      'from a file that is no package',
      'could not unpack the package',
      () => publish(Buffer.from('!<arch>\nnothing that was ever built')),
    ],
    [
      'from a package without the data',
      'holds no ./usr/share/else',
      () => ({ ...publish(packageWith(data)), file: './usr/share/else' }),
    ],
    [
      'of data that is larger than was pinned',
      'larger than was pinned',
      () => publish(packageWith(data), { unpacked: 1000 }),
    ],
    ['of invalid data', 'holds data that', () => publish(packageWith(Buffer.from('x')), { unpacked: 1 })],
    [
      'for a package that no archive has',
      'answered 404',
      () => publish(packageWith(data), { under: '/elsewhere' }),
    ],
  ])('%s', async (_, message, offered) => {
    await expect(fetchLanguage(offered())).rejects.toThrow(message);
    expect(filesInFolder()).toEqual([]);
  });
});

it('debianPackages: without a configured archive no language is offered', async () => {
  setAptTo('');
  const fetcher = new LanguageFetcher({ folder: own(), sources: [debianPackages()] });
  expect(await fetcher.codes()).toEqual([]);
});

it('language pins: npm’s and Debian’s packages offer more than a hundred languages, each pinned by hash', () => {
  const names = new Set(knownLanguageCodes());
  const codes = Object.keys(DEBIAN_PINS);
  expect(codes.filter((code) => !names.has(code) || code === 'eng' || code in NPM_PINS)).toEqual([]);
  expect(codes.length + Object.keys(NPM_PINS).length).toBeGreaterThan(100);
  for (const [code, { integrity, bytes, file, unpacked }] of Object.entries(DEBIAN_PINS)) {
    expect(Buffer.from(integrity.replace(/^sha256-/, ''), 'base64'), code).toHaveLength(32);
    expect(file).toMatch(new RegExp(`^\\./usr/share/tesseract-ocr/\\d+/tessdata/${code}\\.traineddata$`));
    expect(Math.min(bytes, unpacked), code).toBeGreaterThan(100_000);
  }
});
