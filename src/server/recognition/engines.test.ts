import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  OCR_ERRORS,
  OcrError,
  PRIORITY,
  type RecogniseOptions,
  type Stage,
} from '#ocr';
import { lockedPdf, pdfOf, scanPage } from '../../../tests/support/documents.ts';
import { FIXTURE_TEXT, fixture, sheet } from '../../../tests/support/pictures.ts';
import { startRedis } from '../../../tests/support/redis-server.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { startPictureWorker } from './redis/picture-worker.ts';
import { QueuedEngine } from './redis/queued-engine.ts';

/** What every engine keeps, wherever it reads: in a process of this one, or by a worker over Redis. */

interface OpenEngine {
  engine: Engine;
  /** Whatever it is made of; the engine itself may be closed already. */
  end(): Promise<void>;
}

const QUEUE_LIMIT = 3;
const PREMIUM_RESERVE = 1;

const REAL: EngineOptions = {
  maxPixels: 100_000_000,
  concurrency: 1,
  queueLimit: QUEUE_LIMIT,
  premiumReserve: PREMIUM_RESERVE,
  timeoutMs: 60_000,
  languageDirs: [],
};

async function inThisProcess(): Promise<OpenEngine> {
  const engine = createEngine(REAL);
  await engine.ready();
  return { engine, end: () => engine.close() };
}

async function overRedis(): Promise<OpenEngine> {
  const redis = await startRedis();
  const logger = createLogger('silent');
  const reading = createEngine(REAL);
  await reading.ready();
  const [here, there] = await Promise.all([openRedis(redis.url, logger), openRedis(redis.url, logger)]);
  const worker = startPictureWorker({ link: there, engine: reading, concurrency: 1, logger });
  const engine = new QueuedEngine({
    link: here,
    logger,
    queueLimit: QUEUE_LIMIT,
    premiumReserve: PREMIUM_RESERVE,
    memoryBytes: 64 * 2 ** 20,
    waitMs: 60_000,
  });
  await engine.ready();
  return {
    engine,
    async end() {
      await engine.close();
      await worker.close();
      await Promise.all([here.close(), there.close(), reading.close()]);
      await redis.stop();
    },
  };
}

describe.each([
  ['in a process of its own', inThisProcess],
  ['over Redis', overRedis],
])('an engine %s', (_where, open) => {
  let opened: OpenEngine;
  let engine: Engine;
  let endless: Buffer;
  beforeAll(async () => {
    [opened, endless] = await Promise.all([open(), sheet(240)]);
    engine = opened.engine;
  });
  afterAll(() => opened.end());

  const copy = (picture: Uint8Array) => new Uint8Array(picture);
  const quick = () => copy(fixture('harbour-lights.png'));
  const outcome = (reading: Promise<unknown>) =>
    reading.then(
      () => 'answered',
      (error) => (error instanceof OcrError ? error.code : error),
    );

  /** A picture that is in work when this resolves, and stays so until it is given up. */
  async function occupy(): Promise<{ free(): Promise<void> }> {
    const given = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      ended = outcome(
        engine.recognise(copy(endless), {
          signal: given.signal,
          onStage: ({ name }) => name === 'finding-lines' && resolve(),
        }),
      );
      void ended.then((code) => reject(new Error(`it was not in work at all: ${code}`)));
    });
    return {
      async free() {
        given.abort();
        expect(await ended).toBe(OCR_ERRORS.aborted);
      },
    };
  }

  /** Hands pictures in one after another, each when the one before stands in the queue. */
  async function line(
    ...options: RecogniseOptions[]
  ): Promise<{ begun: number[]; outcomes: Promise<unknown[]> }> {
    const begun: number[] = [];
    const outcomes: Promise<unknown>[] = [];
    for (const [at, each] of options.entries()) {
      await new Promise<void>((resolve) => {
        const reading = engine.recognise(quick(), {
          ...each,
          onStage({ name }) {
            if (name === 'queued') resolve();
            if (name === 'decoding') begun.push(at);
          },
        });
        outcomes.push(outcome(reading));
        // One that is refused does not stand in the queue.
        reading.catch(() => resolve());
      });
    }
    return { begun, outcomes: Promise.all(outcomes) };
  }

  it('reads a picture, and tells of its stages in the order of the work', async () => {
    const stages: Stage['name'][] = [];
    const { text, image } = await engine.recognise(quick(), { onStage: ({ name }) => stages.push(name) });
    expect(text).toBe(FIXTURE_TEXT);
    expect(image.width).toBeGreaterThan(0);
    expect([...new Set(stages)]).toEqual(['queued', 'decoding', 'finding-lines', 'reading', 'ordering']);
  });

  it('counts the pages of a document, reads and shows the one that is named, and none where none is', async () => {
    const written = { width: 612, height: 792, words: 'Signed in blue ink' };
    const pdf = await pdfOf([await scanPage(), written]);
    expect(await engine.pages(copy(pdf))).toEqual({
      unit: 'point',
      pages: [
        { width: 480, height: 160, hasText: false },
        { width: 612, height: 792, hasText: true },
      ],
    });
    const first = await engine.recognise(copy(pdf), { page: 1 });
    expect(first.text).toBe(FIXTURE_TEXT);
    expect(first.image).toEqual({ width: 2000, height: 666, rotation: 0 });
    expect((await engine.recognise(copy(pdf), { page: 2 })).text).toBe(written.words);
    const shown = await sharp(await engine.preview(copy(pdf), 100, { page: 2 })).metadata();
    expect([shown.format, shown.width, shown.height]).toEqual(['png', 77, 100]);
    expect(await outcome(engine.recognise(copy(pdf), { page: 3 }))).toBe(OCR_ERRORS.noSuchPage);
    expect(await outcome(engine.recognise(copy(pdf)))).toBe(OCR_ERRORS.unsupported);
    expect(await outcome(engine.pages(new Uint8Array(await lockedPdf())))).toBe(OCR_ERRORS.encrypted);
  });

  it('says by its own errors why a picture is not read', async () => {
    expect(await outcome(engine.recognise(copy(Buffer.from('not a picture at all'))))).toBe(
      OCR_ERRORS.unsupported,
    );
    expect(await outcome(engine.recognise(quick().subarray(0, 400)))).toBe(OCR_ERRORS.damaged);
    expect(await outcome(engine.recognise(quick(), { languages: ['xyz'] }))).toBe(
      OCR_ERRORS.languageUnavailable,
    );
    expect(await outcome(engine.recognise(quick(), { languages: [] }))).toBe(OCR_ERRORS.languageUnavailable);
  });

  it('shows a picture as a browser can draw it, and tells once what that cost', async () => {
    const worked: number[] = [];
    const drawn = await engine.preview(quick(), 100, { onWorked: (ms) => worked.push(ms) });
    expect(Buffer.from(drawn).subarray(1, 4).toString()).toBe('PNG');
    expect(worked).toHaveLength(1);
    expect(worked[0]).toBeGreaterThan(0);
  });

  it('reads premium pictures before those that wait already', async () => {
    const occupied = await occupy();
    const { begun, outcomes } = await line({}, {}, { priority: PRIORITY.premium });
    await occupied.free();
    expect(await outcomes).toEqual(['answered', 'answered', 'answered']);
    expect(begun).toEqual([2, 0, 1]);
  });

  it('reads pages of jobs after every picture that somebody waits for', async () => {
    const occupied = await occupy();
    const { begun, outcomes } = await line({ priority: PRIORITY.job }, {});
    await occupied.free();
    expect(await outcomes).toEqual(['answered', 'answered']);
    expect(begun).toEqual([1, 0]);
  });

  it('refuses as busy whom no place is left for, and keeps places for premium', async () => {
    const occupied = await occupy();
    const premium = { priority: PRIORITY.premium };
    const { outcomes } = await line({}, {}, {}, premium, premium);
    expect(await outcome(engine.preview(quick(), 100))).toBe(OCR_ERRORS.queueFull);
    await occupied.free();
    const { queueFull } = OCR_ERRORS;
    expect(await outcomes).toEqual(['answered', 'answered', queueFull, 'answered', queueFull]);
  });

  it('lets go of a picture that is given up, whether it waits or is in work, and reads the next', async () => {
    const occupied = await occupy();
    const waiting = new AbortController();
    const { begun, outcomes } = await line({ signal: waiting.signal }, {});
    waiting.abort();
    await occupied.free();
    expect(await outcomes).toEqual([OCR_ERRORS.aborted, 'answered']);
    expect(begun).toEqual([1]);
    expect(await outcome(engine.recognise(quick(), { signal: AbortSignal.abort() }))).toBe(
      OCR_ERRORS.aborted,
    );
  });

  it('knows what it reads in and that it is ready', async () => {
    expect((await engine.languages()).map(({ code }) => code)).toContain('eng');
    expect(engine.status().state).toBe('ready');
    // What is known of a queue elsewhere may be a moment old.
    await expect.poll(() => engine.status().waiting).toBe(0);
    await engine.ready();
  });

  it('answers what is in work when it is closed, and refuses what waits and what comes', async () => {
    // Long enough to be in work still when it is closed, on a busy machine too.
    const long = copy(await sheet(16));
    let inWork: Promise<{ text: string }> | undefined;
    await new Promise<void>((resolve) => {
      inWork = engine.recognise(long, { onStage: ({ name }) => name === 'finding-lines' && resolve() });
    });
    const { outcomes } = await line({});
    const closed = engine.close();
    expect(await outcome(engine.recognise(quick()))).toBe(OCR_ERRORS.stopping);
    expect(await outcomes).toEqual([OCR_ERRORS.stopping]);
    expect((await inWork)?.text).toContain('seven boats');
    await closed;
    expect(engine.status().state).toBe('closing');
  });
});
