import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis, type RedisLink } from '../../src/server/platform/redis.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface SharedRedis {
  server: RedisServer;
  /** A separate connection for checks, which survives a kill of the server. */
  redis: Redis;
  /** Opens the connections of one web process. After each test they are closed and all data is deleted. */
  link(): Promise<RedisLink>;
  /** Connections of the running test. */
  links: readonly RedisLink[];
}

/** Starts a Redis for all tests of a file or a `describe`. */
export function sharedRedis(): SharedRedis {
  const links: RedisLink[] = [];
  const logger = createLogger('silent');
  // `beforeAll` sets the other fields before any test runs.
  const shared = { links } as unknown as SharedRedis;
  shared.link = async () => {
    const link = await openRedis(shared.server.url, logger);
    links.push(link);
    return link;
  };
  beforeAll(async () => {
    shared.server = await startRedis();
    shared.redis = new Redis(shared.server.url);
    // Without a listener, a killed server would be an uncaught error.
    shared.redis.on('error', () => {});
  });
  afterEach(async () => {
    await Promise.all(links.splice(0).map((link) => link.close()));
    await shared.redis.flushall();
  });
  afterAll(async () => {
    shared.redis.disconnect();
    await shared.server.stop();
  });
  return shared;
}
