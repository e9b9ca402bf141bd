import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { OcrError, type RecognizeOptions } from '#ocr';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis, type RedisLink } from '../../src/server/platform/redis.ts';
import { QueuedEngine } from '../../src/server/recognition/engine/queued-engine.ts';
import { eventually } from './eventually.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { startWorker, type TestWorker } from './workers.ts';

const LIMITS = { queueLimit: 100, premiumReserve: 0, memoryBytes: 2 ** 20, waitMs: 30_000, aloneMs: 60_000 };

/** Text of some pictures, which tests search for in Redis. */
export const SECRET = 'Zebra quartz 8413';

export const codeOf = (failing: Promise<unknown>) =>
  failing.then(
    () => 'no failure',
    (error) => (error instanceof OcrError ? error.code : error),
  );

interface WebProcess {
  engine: QueuedEngine;
  link: RedisLink;
  read(picture: string, options?: RecognizeOptions): Promise<string>;
}

/** A Redis for the tests of one file. Web processes and workers of a test are closed after the test. */
export function pictureQueue() {
  let server: RedisServer;
  let redis: Redis;
  const webProcesses: WebProcess[] = [];
  const workers: TestWorker[] = [];

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    // Without a listener, a killed server would be an uncaught error here.
    redis.on('error', () => {});
  });
  afterEach(async () => {
    for (const { engine, link } of webProcesses.splice(0)) {
      await engine.close();
      await link.close();
    }
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
    await redis.flushall();
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  return {
    get server() {
      return server;
    },
    get redis() {
      return redis;
    },
    webProcesses,
    async webProcess(options: Partial<typeof LIMITS & { protocol: number }> = {}): Promise<WebProcess> {
      const logger = createLogger('silent');
      const link = await openRedis(server.url, logger);
      const engine = new QueuedEngine({ link, logger, ...LIMITS, ...options });
      const started: WebProcess = {
        engine,
        link,
        read: (picture, more = {}) =>
          engine.recognize(new Uint8Array(Buffer.from(picture)), more).then(({ text }) => text),
      };
      webProcesses.push(started);
      return started;
    },
    async worker(settings?: { protocol: number }): Promise<TestWorker> {
      const started = await startWorker(server.url, settings);
      workers.push(started);
      return started;
    },
    /** Resolves when this number of pictures waits in the task store and in BullMQ. */
    waitingPictures: (count: number) =>
      eventually(async () => {
        const waiting = Object.values(await redis.hgetall('glyphlift:5:room:waiting'));
        const places = waiting.reduce((sum, some) => sum + Number(some), 0);
        return places === count && (await redis.zcard('glyphlift:5:pictures:prioritized')) === count;
      }),
  };
}
