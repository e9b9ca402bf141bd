import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  OCR_ERRORS,
  OcrError,
  PRIORITY,
  type RecognizeOptions,
  type Stage,
} from '#ocr';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis } from '../../src/server/platform/redis.ts';
import { QueuedEngine } from '../../src/server/recognition/engine/queued-engine.ts';
import { startPictureWorker } from '../../src/server/recognition/redis/queue-worker.ts';
import { scanPage } from './documents.ts';
import { lockedPdf, pdfOf } from './pdf.ts';
import { FIXTURE_TEXT, fixture, longPage, sheet } from './pictures.ts';
import { startRedis } from './redis-server.ts';

/** The test suite of all engines: in a separate process, and over Redis with a worker. */

interface OpenEngine {
  engine: Engine;
  /** Ends all parts of the engine. The engine itself may be closed already. */
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

export async function inSeparateProcess(): Promise<OpenEngine> {
  const engine = createEngine(REAL);
  await engine.ready();
  return { engine, end: () => engine.close() };
}

export async function overRedis(): Promise<OpenEngine> {
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

/** An engine for the tests of one `describe`, with helpers. */
export function sharedEngine(open: () => Promise<OpenEngine>) {
  let opened: OpenEngine;
  let endless: Buffer;
  beforeAll(async () => {
    [opened, endless] = await Promise.all([open(), longPage()]);
  });
  afterAll(() => opened.end());
  const copy = (picture: Uint8Array) => new Uint8Array(picture);
  const quick = () => copy(fixture('harbour-lights.png'));
  const outcome = (reading: Promise<unknown>) =>
    reading.then(
      () => 'answered',
      (error) => (error instanceof OcrError ? error.code : error),
    );

  /** Resolves when a picture is being read, which continues until it is aborted. */
  async function occupy(): Promise<{ free(): Promise<void> }> {
    const abort = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      ended = outcome(
        opened.engine.recognize(copy(endless), {
          signal: abort.signal,
          onStage: ({ name }) => name === 'finding-lines' && resolve(),
        }),
      );
      void ended.then((code) => reject(new Error(`the picture never was in work: ${code}`)));
    });
    return {
      async free() {
        abort.abort();
        expect(await ended).toBe(OCR_ERRORS.aborted);
      },
    };
  }

  /** Sends pictures one after another, each when the previous one is queued. */
  async function enqueue(
    ...options: RecognizeOptions[]
  ): Promise<{ started: number[]; outcomes: Promise<unknown[]> }> {
    const started: number[] = [];
    const outcomes: Promise<unknown>[] = [];
    for (const [at, each] of options.entries()) {
      await new Promise<void>((resolve) => {
        const reading = opened.engine.recognize(quick(), {
          ...each,
          onStage({ name }) {
            if (name === 'queued') resolve();
            if (name === 'decoding') started.push(at);
          },
        });
        outcomes.push(outcome(reading));
        // A rejected picture is not queued.
        reading.catch(() => resolve());
      });
    }
    return { started, outcomes: Promise.all(outcomes) };
  }

  return {
    get engine() {
      return opened.engine;
    },
    copy,
    quick,
    outcome,
    occupy,
    enqueue,
  };
}
type SharedEngine = ReturnType<typeof sharedEngine>;

/** Tests of recognition, previews, rejections and aborts. */
export function testRecognition(shared: SharedEngine): void {
  const { copy, quick, outcome, occupy, enqueue } = shared;

  it('reads a picture and reports its stages in order', async () => {
    const stages: Stage['name'][] = [];
    const { text, image } = await shared.engine.recognize(quick(), {
      onStage: ({ name }) => stages.push(name),
    });
    expect(text).toBe(FIXTURE_TEXT);
    expect(image.width).toBeGreaterThan(0);
    expect([...new Set(stages)]).toEqual(['queued', 'decoding', 'finding-lines', 'reading', 'ordering']);
  });

  it('rejects unreadable pictures and unknown languages with its own error codes', async () => {
    expect(await outcome(shared.engine.recognize(copy(Buffer.from('not a picture at all'))))).toBe(
      OCR_ERRORS.unsupported,
    );
    expect(await outcome(shared.engine.recognize(quick().subarray(0, 400)))).toBe(OCR_ERRORS.damaged);
    expect(await outcome(shared.engine.recognize(quick(), { languages: ['xyz'] }))).toBe(
      OCR_ERRORS.languageUnavailable,
    );
    expect(await outcome(shared.engine.recognize(quick(), { languages: [] }))).toBe(
      OCR_ERRORS.languageUnavailable,
    );
  });

  it('renders a preview as PNG and reports its duration once', async () => {
    const worked: number[] = [];
    const drawn = await shared.engine.preview(quick(), 100, { onWorked: (ms) => worked.push(ms) });
    expect(Buffer.from(drawn).subarray(1, 4).toString()).toBe('PNG');
    expect(worked).toHaveLength(1);
    expect(worked[0]).toBeGreaterThan(0);
  });

  it('aborts a waiting or running picture, and reads the next one', async () => {
    const occupied = await occupy();
    const waiting = new AbortController();
    const { started, outcomes } = await enqueue({ signal: waiting.signal }, {});
    waiting.abort();
    await occupied.free();
    expect(await outcomes).toEqual([OCR_ERRORS.aborted, 'answered']);
    expect(started).toEqual([1]);
    expect(await outcome(shared.engine.recognize(quick(), { signal: AbortSignal.abort() }))).toBe(
      OCR_ERRORS.aborted,
    );
  });
}

/** Tests of documents, the queue and closing. The last test closes the engine. */
export function testQueue(shared: SharedEngine): void {
  const { copy, quick, outcome, occupy, enqueue } = shared;

  it('counts the pages of a document, reads and renders the requested page, and rejects a request without a page', async () => {
    const written = { width: 612, height: 792, words: 'Signed in blue ink' };
    const pdf = await pdfOf([await scanPage(), written]);
    expect(await shared.engine.pages(copy(pdf))).toEqual({
      unit: 'point',
      pages: [
        { width: 480, height: 160, hasText: false },
        { width: 612, height: 792, hasText: true },
      ],
    });
    const first = await shared.engine.recognize(copy(pdf), { page: 1 });
    expect(first.text).toBe(FIXTURE_TEXT);
    expect(first.image).toEqual({ width: 2000, height: 666, rotation: 0 });
    expect((await shared.engine.recognize(copy(pdf), { page: 2 })).text).toBe(written.words);
    const shown = await sharp(await shared.engine.preview(copy(pdf), 100, { page: 2 })).metadata();
    expect([shown.format, shown.width, shown.height]).toEqual(['png', 77, 100]);
    expect(await outcome(shared.engine.recognize(copy(pdf), { page: 3 }))).toBe(OCR_ERRORS.noSuchPage);
    expect(await outcome(shared.engine.recognize(copy(pdf)))).toBe(OCR_ERRORS.unsupported);
    expect(await outcome(shared.engine.pages(new Uint8Array(await lockedPdf())))).toBe(OCR_ERRORS.encrypted);
  });

  it('reads premium pictures before free ones that already wait', async () => {
    const occupied = await occupy();
    const { started, outcomes } = await enqueue({}, {}, { priority: PRIORITY.premium });
    await occupied.free();
    expect(await outcomes).toEqual(['answered', 'answered', 'answered']);
    expect(started).toEqual([2, 0, 1]);
  });

  it('reads pages of jobs after pictures of requests', async () => {
    const occupied = await occupy();
    const { started, outcomes } = await enqueue({ priority: PRIORITY.job }, {});
    await occupied.free();
    expect(await outcomes).toEqual(['answered', 'answered']);
    expect(started).toEqual([1, 0]);
  });

  it('rejects pictures when the queue is full, and reserves its last places for premium', async () => {
    const occupied = await occupy();
    const premium = { priority: PRIORITY.premium };
    const { outcomes } = await enqueue({}, {}, {}, premium, premium);
    expect(await outcome(shared.engine.preview(quick(), 100))).toBe(OCR_ERRORS.queueFull);
    await occupied.free();
    const { queueFull } = OCR_ERRORS;
    expect(await outcomes).toEqual(['answered', 'answered', queueFull, 'answered', queueFull]);
  });

  it('lists its languages and is ready', async () => {
    expect((await shared.engine.languages()).map(({ code }) => code)).toContain('eng');
    expect(shared.engine.status().state).toBe('ready');
    // The status of a queue in another process may be outdated for a moment.
    await expect.poll(() => shared.engine.status().waiting).toBe(0);
    await shared.engine.ready();
  });

  it('when closed, finishes running pictures and rejects waiting and new ones', async () => {
    // Takes long enough to be still running when the engine is closed, on a busy machine too.
    const long = copy(await sheet(16));
    let inWork: Promise<{ text: string }> | undefined;
    await new Promise<void>((resolve) => {
      inWork = shared.engine.recognize(long, {
        onStage: ({ name }) => name === 'finding-lines' && resolve(),
      });
    });
    const { outcomes } = await enqueue({});
    const closed = shared.engine.close();
    expect(await outcome(shared.engine.recognize(quick()))).toBe(OCR_ERRORS.stopping);
    expect(await outcomes).toEqual([OCR_ERRORS.stopping]);
    expect((await inWork)?.text).toContain('seven boats');
    await closed;
    expect(shared.engine.status().state).toBe('closing');
  });
}
