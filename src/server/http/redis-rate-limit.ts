import { createHash } from 'node:crypto';
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Result } from 'ioredis';
import type { Logger } from '../platform/logger.ts';
import type { RedisLink } from '../platform/redis.ts';

const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    rateLimitCount(key: string, windowMs: number): Result<[count: number, leftMs: number], Context>;
  }
}

/** Maximum number of keys in memory; beyond that, all counts are dropped. */
const MAX_KEYS = 100_000;

/**
 * Counts calls over all web processes. While Redis is unavailable, each process counts its own calls, so that it stays protected.
 */
export function createRedisRateLimits(link: RedisLink, logger: Logger): FastifyRateLimitStoreCtor {
  link.commands.defineCommand('rateLimitCount', { numberOfKeys: 1, lua: COUNT });

  /** Hashed, because keys identify users and visitors. */
  const nameOf = (key: string) =>
    `${link.prefix}:limit:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;

  async function count(key: string, windowMs: number, local: Map<string, { count: number; ends: number }>) {
    try {
      if (link.unavailableFor() === 0) {
        const [current, ttl] = await link.commands.rateLimitCount(nameOf(key), windowMs);
        return { current, ttl };
      }
    } catch (error) {
      logger.debug({ err: error }, 'calls could not be counted across processes');
    }
    const now = performance.now();
    if (local.size >= MAX_KEYS) local.clear();
    const known = local.get(key);
    const counted = known && known.ends > now ? known : { count: 0, ends: now + windowMs };
    local.set(key, counted);
    counted.count++;
    return { current: counted.count, ttl: counted.ends - now };
  }

  return class Store implements FastifyRateLimitStore {
    readonly #local = new Map<string, { count: number; ends: number }>();

    incr(...[key, callback, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      count(key, windowMs, this.#local).then((counted) => callback(null, counted), callback);
    }

    child(): FastifyRateLimitStore {
      return new Store();
    }
  };
}
