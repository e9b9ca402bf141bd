import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from 'ioredis';
import { z } from 'zod';
import type { Keyring } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { clientLeft, fromEngine, idempotencyKeyReused } from '../recognition.errors.ts';
import { KEPT_MS, type Repeats } from '../repeats.ts';
import { unavailable } from './queue-protocol.ts';

/** How long a process that works is believed to live without a word of it. */
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
/** How often a waiting process renews its interest in another's work, and how long that process believes it. */
const ASK_EVERY_MS = 200;
const INTEREST_MS = 2_000;

/** The value of a key in Redis: the working process, or the result. */
const entrySchema = z.object({
  fingerprint: z.string(),
  by: z.string(),
  /** Encrypted with a key that only the web processes know: no text can be read in Redis. */
  sealed: z.string().optional(),
});
type SharedResult = z.infer<typeof entrySchema>;

const CLAIM = `
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
`;

/** Overwrites, keeps or deletes its own value; one that another process has claimed stays. */
const REPLACE = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    repeatClaim(key: string, entry: string, lease: number): Result<string | null, Context>;
    repeatReplace(key: string, own: string, by: string, kept: number): Result<number, Context>;
  }
}

interface SharedRepeatsOptions<T> {
  /** Of a result. Another build may keep results of another form for those who repeat a request. */
  form: z.ZodType<T>;
  link: RedisLink;
  keyring: Keyring;
  logger: Logger;
}

/**
 * As `own`, for all web processes together: a request that is repeated at another one gets what the first one gets, and
 * what has once been answered is not done again. Where the process that works dies, a repetition is a new attempt.
 */
export function createRedisRepeats<T>(
  own: Repeats<T>,
  { form, link, keyring, logger }: SharedRepeatsOptions<T>,
): Repeats<T> {
  const { commands, prefix } = link;
  commands.defineCommand('repeatClaim', { numberOfKeys: 1, lua: CLAIM });
  commands.defineCommand('repeatReplace', { numberOfKeys: 1, lua: REPLACE });
  const report = (error: unknown) => logger.debug({ err: error }, 'a repeated request could not be shared');

  const nameOf = (key: string) => `${prefix}:repeat:${createHash('sha256').update(key).digest('base64url')}`;

  async function acrossAll(
    key: string,
    fingerprint: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const name = nameOf(key);
    const claim = JSON.stringify({ fingerprint, by: randomUUID() } satisfies SharedResult);
    for (;;) {
      const held = await commands.repeatClaim(name, claim, LEASE_MS).catch((error) => {
        throw fromEngine(unavailable('Redis failed', error));
      });
      if (held === null) return workOn(name, claim, signal, work);
      const entry = known(() => entrySchema.parse(JSON.parse(held)));
      const { sealed } = entry;
      if (entry.fingerprint !== fingerprint) throw idempotencyKeyReused();
      if (sealed !== undefined) return known(() => form.parse(JSON.parse(keyring.unseal(sealed, name))));
      await commands.set(`${name}:asked`, '1', 'PX', INTEREST_MS).catch(report);
      await delay(ASK_EVERY_MS, undefined, { signal }).catch((error) => {
        throw clientLeft(error);
      });
    }
  }

  async function workOn(
    name: string,
    claim: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const given = new AbortController();
    const ended = new AbortController();
    const renewing = setInterval(() => {
      commands.repeatReplace(name, claim, claim, LEASE_MS).catch(report);
    }, RENEW_EVERY_MS);
    const whenLeft = () => void endWithoutInterest(name, given, ended.signal);
    if (signal.aborted) whenLeft();
    else signal.addEventListener('abort', whenLeft, { once: true });
    let kept = '';
    try {
      const result = await work(given.signal);
      const sealed = keyring.seal(JSON.stringify(result), name);
      kept = JSON.stringify({ ...entrySchema.parse(JSON.parse(claim)), sealed } satisfies SharedResult);
      return result;
    } finally {
      clearInterval(renewing);
      ended.abort();
      signal.removeEventListener('abort', whenLeft);
      // Before the answer goes out: a client that repeats the request because the answer is late must find it here.
      await commands.repeatReplace(name, claim, kept, KEPT_MS).catch(report);
    }
  }

  /** No request waits in this process any more; one may wait in another. */
  async function endWithoutInterest(name: string, given: AbortController, ended: AbortSignal): Promise<void> {
    try {
      while (!ended.aborted && (await commands.exists(`${name}:asked`)) === 1) {
        await delay(ASK_EVERY_MS, undefined, { signal: ended });
      }
    } catch (error) {
      report(error);
    }
    given.abort();
  }

  return {
    async has(key) {
      return (await own.has(key)) || (await commands.exists(nameOf(key)).catch(report)) === 1;
    },
    share: (key, fingerprint, signal, work) =>
      own.share(key, fingerprint, signal, (shared) => acrossAll(key, fingerprint, shared, work)),
  };
}

/** A value of another build, or sealed with other keys, may be unreadable here: the work is not repeated for that. */
function known<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw fromEngine(unavailable('what was kept for a repeated request is not known here', error));
  }
}
