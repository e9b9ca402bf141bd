import { createHash, randomUUID } from 'node:crypto';
import type { Result } from 'ioredis';
import type { Logger } from '../platform/logger.ts';
import type { RedisLink } from '../platform/redis.ts';
import { tooManyEvents } from './billing.errors.ts';
import { WEBHOOK_LIMITS, type WebhookLimiter } from './webhook-limiter.ts';

/**
 * Lease of an event in progress: longer than all calls to the provider, retries included.
 */
const LEASE_MS = 120_000;
/** How long an address counts as proven after its last genuine event. Addresses are hashed with a new key every day. */
const PROVEN_MS = 24 * 60 * 60 * 1000;

/* Three keys: the counts and name of the window; proven addresses; events in progress with their leases. */
const SHARED = `
local window, proven, work = KEYS[1], KEYS[2], KEYS[3]
local address, id = ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function count(field, by) return redis.call('HINCRBY', window, field, by) end
`;

const ADMIT = `${SHARED}
local windowMs, perAddress, unprovenTotal = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local concurrency, unprovenMax, lease = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local unproven = not redis.call('ZSCORE', proven, address)
local counted = tonumber(redis.call('HGET', window, 'of ' .. address) or '0')
local unprovenCount = tonumber(redis.call('HGET', window, 'unproven') or '0')
if counted >= perAddress or (unproven and unprovenCount >= unprovenTotal) then
  return { 'window', tostring(redis.call('PTTL', window)) }
end
redis.call('ZREMRANGEBYSCORE', work, '-inf', now)
if redis.call('ZCARD', work) >= (unproven and unprovenMax or concurrency) then return { 'busy', '' } end
if redis.call('EXISTS', window) == 0 then
  redis.call('HSET', window, 'name', id)
  redis.call('PEXPIRE', window, windowMs)
end
count('of ' .. address, 1)
if unproven then count('unproven', 1) end
redis.call('ZADD', work, now + lease, id)
redis.call('PEXPIRE', work, lease)
return { unproven and 'unproven' or 'proven', redis.call('HGET', window, 'name') }
`;

const GENUINE = `${SHARED}
local unproven, name, keep, most = ARGV[3] == 'unproven', ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
redis.call('ZREM', work, id)
if redis.call('HGET', window, 'name') == name then
  count('of ' .. address, -1)
  if unproven then count('unproven', -1) end
end
redis.call('ZADD', proven, now, address)
redis.call('ZREMRANGEBYSCORE', proven, '-inf', now - keep)
redis.call('ZREMRANGEBYRANK', proven, 0, -1 - most)
redis.call('PEXPIRE', proven, keep)
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    webhookAdmit(...keysAndArgs: (string | number)[]): Result<[verdict: string, detail: string], Context>;
    webhookGenuine(...keysAndArgs: (string | number)[]): Result<null, Context>;
  }
}

/**
 * Like `own`, but shared by all web processes. While Redis is unavailable, each process has its own limits, because payment
 * events must not depend on Redis.
 */
export function createRedisWebhookLimiter(
  own: WebhookLimiter,
  link: RedisLink,
  logger: Logger,
): WebhookLimiter {
  const { commands, prefix } = link;
  commands.defineCommand('webhookAdmit', { numberOfKeys: 3, lua: ADMIT });
  commands.defineCommand('webhookGenuine', { numberOfKeys: 3, lua: GENUINE });
  const keys = ['window', 'proven', 'work'].map((name) => `${prefix}:webhooks:${name}`);
  const [, , work = ''] = keys;
  const report = (error: unknown) =>
    logger.debug({ err: error }, 'webhooks could not be counted across processes');

  async function admit(address: string, id: string) {
    if (link.unavailableFor() > 0) return undefined;
    const { windowMs, perAddress, unprovenTotal, concurrency, unprovenConcurrency } = WEBHOOK_LIMITS;
    const limits = [windowMs, perAddress, unprovenTotal, concurrency, unprovenConcurrency, LEASE_MS];
    return commands.webhookAdmit(...keys, address, id, ...limits).catch(report);
  }

  return {
    async run(from, event) {
      const address = createHash('sha256').update(from).digest('base64url');
      const id = randomUUID();
      const verdict = await admit(address, id);
      if (!verdict) return own.run(from, event);
      const [period, detail] = verdict;
      if (period === 'window') throw tooManyEvents(429, Number(detail) / 1000);
      if (period === 'busy') throw tooManyEvents(503, WEBHOOK_LIMITS.retryAfterSeconds);
      let result: Awaited<ReturnType<typeof event>>;
      try {
        result = await event();
      } catch (error) {
        await commands.zrem(work, id).catch(report);
        throw error;
      }
      const { maxProven } = WEBHOOK_LIMITS;
      await commands.webhookGenuine(...keys, address, id, period, detail, PROVEN_MS, maxProven).catch(report);
      return result;
    },
  };
}
