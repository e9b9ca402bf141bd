import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis, type RedisLink } from '../../src/server/platform/redis.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface RedisOfThisFile {
  server: RedisServer;
  /** Looks in from outside, and stays when the server is killed. */
  redis: Redis;
  /** As one web process has it; closed, and all that was kept forgotten, after each test. */
  link(): Promise<RedisLink>;
  /** Those that the test in hand has. */
  links: readonly RedisLink[];
}

/** A Redis that is there for every test of a file, or of a `describe`. */
export function redisOfThisFile(): RedisOfThisFile {
  const links: RedisLink[] = [];
  const logger = createLogger('silent');
  // Tests look into it when they run: by then it is whole.
  const own = { links } as unknown as RedisOfThisFile;
  own.link = async () => {
    const link = await openRedis(own.server.url, logger);
    links.push(link);
    return link;
  };
  beforeAll(async () => {
    own.server = await startRedis();
    own.redis = new Redis(own.server.url);
    // This one gets no signal when the server is killed.
    own.redis.on('error', () => {});
  });
  afterEach(async () => {
    await Promise.all(links.splice(0).map((link) => link.close()));
    await own.redis.flushall();
  });
  afterAll(async () => {
    own.redis.disconnect();
    await own.server.stop();
  });
  return own;
}
