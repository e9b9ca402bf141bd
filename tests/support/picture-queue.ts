import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { OcrError, type RecognizeOptions } from '#ocr';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis, type RedisLink } from '../../src/server/platform/redis.ts';
import { QueuedEngine } from '../../src/server/recognition/engine/queued-engine.ts';
import { eventually } from './eventually.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { startWorker, type TestWorker } from './workers.ts';

const ROOM = { queueLimit: 100, premiumReserve: 0, memoryBytes: 2 ** 20, waitMs: 30_000, aloneMs: 60_000 };

/** Stands in some pictures, to be looked for in Redis. */
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

/** A Redis for the tests of one file, with the web processes and workers that a test starts; each test ends them. */
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
    async webProcess(options: Partial<typeof ROOM & { protocol: number }> = {}): Promise<WebProcess> {
      const logger = createLogger('silent');
      const link = await openRedis(server.url, logger);
      const engine = new QueuedEngine({ link, logger, ...ROOM, ...options });
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
    /** Resolves when so many pictures have a place and BullMQ knows of each. */
    waitingPictures: (count: number) =>
      eventually(async () => {
        const waiting = Object.values(await redis.hgetall('glyphlift:5:room:waiting'));
        const places = waiting.reduce((sum, some) => sum + Number(some), 0);
        return places === count && (await redis.zcard('glyphlift:5:pictures:prioritized')) === count;
      }),
  };
}
