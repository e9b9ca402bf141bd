import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { LanguageFetcher, listLanguages, npmPackages, type Stage } from '#ocr';
import { languageData } from '../../../../tests/support/language-files.ts';
import {
  inTwoHalves,
  startPackageRegistry,
  type TestRegistry,
} from '../../../../tests/support/package-registry.ts';
import { createMember } from '../../../../tests/support/people.ts';
import { pictureForm, startTestServer, type TestServer } from '../../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../../tests/support/server-engine.ts';
import { loadConfig } from '../../config.ts';
import { createLogger } from '../../platform/logger.ts';
import { NO_METRICS } from '../../platform/metrics.ts';
import { createLocalEngine } from './local-engine.ts';
import { withLanguageDownload } from './with-language-download.ts';

let registry: TestRegistry;
let folder: string;
let server: TestServer;
let engine: MemoryEngine;
let stages: Stage[];
let clock: number;
let counted: unknown[];

beforeAll(async () => {
  registry = await startPackageRegistry();
  vi.stubEnv('npm_config_registry', registry.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await registry.close();
});

/** Fake engine that offers the languages in its folder, like the real one. */
class FolderEngine extends MemoryEngine {
  override languages() {
    return listLanguages([folder]);
  }
}

function onDemand({ waitMs = 20_000 } = {}) {
  const pins = { tha: registry.publish('tha', languageData('tha')) };
  return withLanguageDownload(engine, {
    fetcher: new LanguageFetcher({ folder, sources: [npmPackages(pins)] }),
    waitMs,
    logger: createLogger('silent'),
    metrics: { ...NO_METRICS, add: (name, labels) => counted.push([name, labels]) },
    now: () => clock,
  });
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'glyphlift-demand-'));
  registry.send('whole');
  registry.rejectWith(undefined);
  registry.requestedPaths.length = 0;
  stages = [];
  counted = [];
  clock = 0;
  engine = new FolderEngine(async (_picture, { languages }) =>
    recognitionOf('Hello', { language: (languages ?? ['eng']).join('+') }),
  );
  server = await startTestServer({ engine: onDemand() });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const picture = (languages: string) => pictureForm({ useFiltering: 'true', languages });
const onStage = (stage: Stage) => stages.push(stage);

it('a missing language is offered as downloadable, is downloaded for the first image, and is installed from then on', async () => {
  const nora = await createMember(server.app, 'nora');
  const listed = async () =>
    (await nora.get('/api/languages')).json<{ languages: { code: string; installed: boolean }[] }>()
      .languages;
  expect((await listed()).map(({ code, installed }) => [code, installed])).toEqual([
    ['eng', true],
    ['tha', false],
  ]);
  const answer = await nora.upload(picture('tha+eng'));
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ language: 'tha+eng' });
  expect((await listed()).map(({ installed }) => installed)).toEqual([true, true]);
  expect((await nora.upload(picture('tha'))).statusCode).toBe(200);
  expect(registry.requestedPaths).toHaveLength(1);
  expect(counted).toEqual([['glyphlift_languages_fetched_total', { outcome: 'fetched' }]]);
});

it('a waiting caller gets the progress of the download, before the image takes a place in the queue', async () => {
  const reads = onDemand();
  await reads.recognize(new Uint8Array(1), { languages: ['tha'], onStage });
  const downloads = stages.filter((stage) => stage.name === 'fetching-language');
  expect(downloads[0]).toMatchObject({ language: 'tha', received: 0 });
  expect(downloads.at(-1)!.received).toBe(downloads.at(-1)!.of);
  expect(stages.findIndex(({ name }) => name === 'queued')).toBe(downloads.length);
  await reads.close();
});

it('if the registry is unavailable: the image costs nothing, English still works, and the download is retried later', async () => {
  registry.rejectWith(503);
  const emil = await createMember(server.app, 'emil');
  const refused = await emil.upload(picture('tha'));
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toMatchObject({ code: 'recognition.language_not_fetched' });
  expect(refused.headers['retry-after']).toBe('60');
  expect(await emil.usage()).toMatchObject({ imageCount: 0 });
  expect((await emil.upload(picture('eng'))).statusCode).toBe(200);
  expect(await emil.usage()).toMatchObject({ imageCount: 1 });
  // Further requests in the next moments do not query the registry again.
  registry.rejectWith(undefined);
  expect((await emil.upload(picture('tha'))).statusCode).toBe(503);
  expect(registry.requestedPaths).toEqual([]);
  clock += 31_000;
  expect((await emil.upload(picture('tha'))).statusCode).toBe(200);
});

it('an image waits for a limited time; the download continues, and English is not blocked', async () => {
  const halves = inTwoHalves();
  registry.send(halves.how);
  const reads = onDemand({ waitMs: 200 });
  const waiting = reads.recognize(new Uint8Array(1), { languages: ['tha'] });
  waiting.catch(() => {});
  await halves.sent;
  expect((await reads.recognize(new Uint8Array(1), { languages: ['eng'] })).text).toBe('Hello');
  await expect(waiting).rejects.toMatchObject({
    code: 'language_not_fetched',
    message: expect.stringContaining('on its way'),
  });
  halves.goOn();
  await expect.poll(() => existsSync(path.join(folder, 'tha.traineddata'))).toBe(true);
  await reads.recognize(new Uint8Array(1), { languages: ['tha'] });
  expect(registry.requestedPaths).toHaveLength(1);
  await reads.close();
});

it('is offered only if the engine reads the download folder, and not with OCR_LANGUAGES_ON_DEMAND=off', async () => {
  const own = path.join(folder, 'languages');
  const offered = async (settings: Record<string, string>) => {
    const config = loadConfig({ DATA_DIR: folder, OCR_LANG_DIRS: own, ...settings });
    const reads = createLocalEngine(config, createLogger('silent'));
    const languages = await reads.languages();
    await reads.close();
    return languages.filter(({ onDemand }) => onDemand).map(({ code }) => code);
  };
  expect(await offered({})).toContain('deu');
  expect(await offered({ OCR_LANGUAGES_ON_DEMAND: 'off' })).toEqual([]);
  expect(await offered({ OCR_LANG_DIRS: path.join(folder, 'elsewhere') })).toEqual([]);
});

it('a caller who leaves ends the waiting, not the download', async () => {
  const halves = inTwoHalves();
  registry.send(halves.how);
  const reads = onDemand();
  const leaving = new AbortController();
  const waiting = reads.recognize(new Uint8Array(1), { languages: ['tha'], signal: leaving.signal });
  waiting.catch(() => {});
  await halves.sent;
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  halves.goOn();
  await expect.poll(() => existsSync(path.join(folder, 'tha.traineddata'))).toBe(true);
  await reads.close();
});
