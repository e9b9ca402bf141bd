import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from 'ioredis';
import { z } from 'zod';
import type { Keyring } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { compress, decompress, type IdempotencyCache, RETENTION_MS } from '../idempotency-cache.ts';
import { clientLeft, fromEngine, idempotencyKeyReused } from '../recognition.errors.ts';
import { unavailable } from './queue-protocol.ts';

/** Lease of the working process. */
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
/** A waiting process renews its interest in the work of another process at this interval; each renewal counts this long. */
const POLL_EVERY_MS = 200;
const INTEREST_MS = 2_000;

/** The value of a key in Redis: the working process, or the result. */
const entrySchema = z.object({
  fingerprint: z.string(),
  by: z.string(),
  /** The result, encrypted with a key that only web processes have. */
  sealed: z.string().optional(),
});
type SharedResult = z.infer<typeof entrySchema>;

const CLAIM = `
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
`;

/** Replaces, renews or deletes the value of this process. Does not change the value of another process. */
const REPLACE = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
`;

/** Adds a long-lived result. Removes and returns the oldest ones that exceed the memory. */
const ADD_RESULT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local bytes = 0
local dropped = {}
for _, member in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  local size, name = string.match(member, '^(%d+) (.+)$')
  bytes = bytes + size
  if bytes > tonumber(ARGV[3]) then
    redis.call('ZREM', KEYS[1], member)
    table.insert(dropped, name)
  end
end
return dropped
`;

/** Memory for results of API clients, compressed and encrypted. */
const API_CLIENT_BYTES = 32 * 1024 ** 2;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    repeatClaim(key: string, entry: string, lease: number): Result<string | null, Context>;
    repeatEnter(list: string, entry: string, kept: number, bytes: number): Result<string[], Context>;
    repeatReplace(key: string, local: string, by: string, kept: number): Result<number, Context>;
  }
}

interface RedisIdempotencyCacheOptions<T> {
  /** Validates stored results, because another version of the product may have stored another format. */
  schema: z.ZodType<T>;
  link: RedisLink;
  keyring: Keyring;
  logger: Logger;
  /** The index of results of API clients. */
  apiClientBytes?: number;
}

/**
 * Like `local`, but shared by all web processes: a request that is repeated at another process gets the first result. If the
 * working process dies, a repeat is a new attempt.
 */
export function createRedisIdempotencyCache<T>(
  local: IdempotencyCache<T>,
  { schema, link, keyring, logger, apiClientBytes = API_CLIENT_BYTES }: RedisIdempotencyCacheOptions<T>,
): IdempotencyCache<T> {
  const { commands, prefix } = link;
  commands.defineCommand('repeatClaim', { numberOfKeys: 1, lua: CLAIM });
  commands.defineCommand('repeatEnter', { numberOfKeys: 1, lua: ADD_RESULT });
  commands.defineCommand('repeatReplace', { numberOfKeys: 1, lua: REPLACE });
  const report = (error: unknown) => logger.debug({ err: error }, 'a repeated request could not be shared');

  const nameOf = (key: string) => `${prefix}:repeat:${createHash('sha256').update(key).digest('base64url')}`;

  async function shareAcrossProcesses(
    key: string,
    fingerprint: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    keptMs: number,
  ): Promise<T> {
    const name = nameOf(key);
    const claim = JSON.stringify({ fingerprint, by: randomUUID() } satisfies SharedResult);
    for (;;) {
      const held = await commands.repeatClaim(name, claim, LEASE_MS).catch((error) => {
        throw fromEngine(unavailable('Redis failed', error));
      });
      if (held === null) return runWork(name, claim, signal, work, keptMs);
      const entry = readStored(() => entrySchema.parse(JSON.parse(held)));
      const { sealed } = entry;
      if (entry.fingerprint !== fingerprint) throw idempotencyKeyReused();
      if (sealed !== undefined)
        return readStored(() =>
          schema.parse(decompress(Buffer.from(keyring.unseal(sealed, name), 'base64'))),
        );
      await commands.set(`${name}:asked`, '1', 'PX', INTEREST_MS).catch(report);
      await delay(POLL_EVERY_MS, undefined, { signal }).catch((error) => {
        throw clientLeft(error);
      });
    }
  }

  async function runWork(
    name: string,
    claim: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    keptMs: number,
  ): Promise<T> {
    const workAbort = new AbortController();
    const ended = new AbortController();
    const renewing = setInterval(() => {
      commands.repeatReplace(name, claim, claim, LEASE_MS).catch(report);
    }, RENEW_EVERY_MS);
    const whenLeft = () => void abortWithoutInterest(name, workAbort, ended.signal);
    if (signal.aborted) whenLeft();
    else signal.addEventListener('abort', whenLeft, { once: true });
    let kept = '';
    try {
      const result = await work(workAbort.signal);
      const sealed = keyring.seal(Buffer.from(compress(result)).toString('base64'), name);
      kept = JSON.stringify({ ...entrySchema.parse(JSON.parse(claim)), sealed } satisfies SharedResult);
      return result;
    } finally {
      clearInterval(renewing);
      ended.abort();
      signal.removeEventListener('abort', whenLeft);
      // Stored before the response is sent, so that a client that retries meanwhile finds the result.
      await commands.repeatReplace(name, claim, kept, keptMs).catch(report);
      if (kept !== '' && keptMs > RETENTION_MS.browser)
        await evictOldest(name, kept.length, keptMs).catch(report);
    }
  }

  async function evictOldest(name: string, bytes: number, keptMs: number): Promise<void> {
    const entry = `${bytes} ${name}`;
    const dropped = await commands.repeatEnter(`${prefix}:repeats`, entry, keptMs, apiClientBytes);
    if (dropped.length > 0) await commands.del(dropped);
  }

  /** Runs when no request waits in this process any more: aborts the work once no other process waits either. */
  async function abortWithoutInterest(
    name: string,
    workAbort: AbortController,
    ended: AbortSignal,
  ): Promise<void> {
    try {
      while (!ended.aborted && (await commands.exists(`${name}:asked`)) === 1) {
        await delay(POLL_EVERY_MS, undefined, { signal: ended });
      }
    } catch (error) {
      report(error);
    }
    workAbort.abort();
  }

  return {
    async has(key) {
      return (await local.has(key)) || (await commands.exists(nameOf(key)).catch(report)) === 1;
    },
    // Redis keeps the result for `keptMs`, each process for `RETENTION_MS.browser`.
    share: (key, fingerprint, signal, work, keptMs = RETENTION_MS.browser) =>
      local.share(key, fingerprint, signal, (shared) =>
        shareAcrossProcesses(key, fingerprint, shared, work, keptMs),
      ),
  };
}

/** Reads a stored value. A value of another version or with other keys may be unreadable; the work is not repeated then. */
function readStored<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw fromEngine(unavailable('the stored result of a repeated request cannot be read', error));
  }
}
