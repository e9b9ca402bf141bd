import { createHash, randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../../tests/support/eventually.ts';
import { type RedisServer, startRedis } from '../../../../tests/support/redis-server.ts';
import { untilAborted } from '../../../../tests/support/server-engine.ts';
import { systemClock } from '../../platform/clock.ts';
import { createKeyring } from '../../platform/keyring.ts';
import { createLogger } from '../../platform/logger.ts';
import { openRedis, type RedisLink } from '../../platform/redis.ts';
import {
  compress,
  createIdempotencyCache,
  type IdempotencyCache,
  RETENTION_MS,
} from '../idempotency-cache.ts';
import { createRedisIdempotencyCache } from './redis-idempotency-cache.ts';

let server: RedisServer;
let redis: Redis;
const links: RedisLink[] = [];
const keyring = createKeyring({ cookieKeys: ['k'.repeat(32)], cookieKey: undefined });
let here: IdempotencyCache<string>;
let there: IdempotencyCache<string>;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  const logger = createLogger('silent');
  const webProcess = async () => {
    const link = await openRedis(server.url, logger);
    links.push(link);
    return createRedisIdempotencyCache(createIdempotencyCache<string>(systemClock), {
      schema: z.string(),
      link,
      keyring,
      logger,
      apiClientBytes: 5_000,
    });
  };
  here = await webProcess();
  there = await webProcess();
});
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()));
  redis.disconnect();
  await server.stop();
});

const never = new AbortController().signal;

const isClaimed = async () => (await redis.keys('glyphlift:repeat:*')).length > 0;
const isRequested = async () => (await redis.keys('*:asked')).length > 0;

it('a repeated request waits for the work of another process, and reuses its result', async () => {
  let finish: (text: string) => void = () => {};
  const first = here.share(
    'a',
    'print',
    never,
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  await eventually(isClaimed);
  const second = there.share('a', 'print', never, async () => 'done twice');
  await eventually(isRequested);
  finish('a telling text');
  expect(await Promise.all([first, second])).toEqual(['a telling text', 'a telling text']);
  expect(await there.share('a', 'print', never, async () => 'done twice')).toBe('a telling text');
  expect((await server.contents()).includes('a telling text')).toBe(false);
  await expect(there.share('a', 'another print', never, async () => '')).rejects.toMatchObject({
    status: 422,
  });
  await redis.flushall();
});

it('a result for an API client is kept for a day, and the oldest are dropped when their memory is full', async () => {
  const texts = new Map<string, string>();
  const long = async () => randomBytes(1_000).toString('hex');
  for (const key of ['p', 'q', 'r']) {
    texts.set(key, await here.share(key, 'print', never, long, RETENTION_MS.apiClient));
    const [newest = ''] = await redis.zrevrange('glyphlift:repeats', 0, 0);
    expect(await redis.pttl(newest.split(' ')[1] ?? '')).toBeGreaterThan(RETENTION_MS.apiClient - 60_000);
  }
  expect(await redis.zcard('glyphlift:repeats')).toBe(2);
  expect(await Promise.all(['p', 'q', 'r'].map((key) => there.has(key)))).toEqual([false, true, true]);
  expect(await there.share('r', 'print', never, async () => 'done twice')).toBe(texts.get('r'));
  await redis.flushall();
});

it('work continues while any process waits for it, and is aborted when the last one leaves', async () => {
  const [local, distant] = [new AbortController(), new AbortController()];
  let given: AbortSignal | undefined;
  const first = here.share('b', 'print', local.signal, (signal) => {
    given = signal;
    return untilAborted(signal, () => new Error('no request waits'));
  });
  await eventually(isClaimed);
  const second = there.share('b', 'print', distant.signal, async () => 'not needed');
  await eventually(isRequested);
  local.abort();
  await redis.ping();
  await redis.ping();
  expect(given?.aborted).toBe(false);
  distant.abort();
  await expect(second).rejects.toMatchObject({ status: 499 });
  await expect(first).rejects.toThrow('no request waits');
  await redis.flushall();
});

it('a failure is not kept, and after the death of the working process a repeat is a new attempt', async () => {
  await expect(
    here.share('c', 'print', never, async () => {
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(await there.share('c', 'print', never, async () => 'again')).toBe('again');

  void here.share('d', 'print', never, () => new Promise(() => {})).catch(() => {});
  await eventually(async () => (await redis.keys('glyphlift:repeat:*')).length === 2);
  const repeated = there.share('d', 'print', never, async () => 'by another');
  await eventually(isRequested);
  await links[0]?.close();
  // The lease of the working process.
  for (const key of await redis.keys('glyphlift:repeat:*')) await redis.pexpire(key, 1);
  expect(await repeated).toBe('by another');
});

it.each([
  ['an entry of another form', () => '{"print":"print","by":"another build"}'],
  [
    'a result of another form',
    (name: string) =>
      entry(keyring.seal(Buffer.from(compress({ text: 'telling' })).toString('base64'), name)),
  ],
  ['one that was encrypted with another key', () => entry('not sealed here')],
])(
  '%s of another build is neither returned nor repeated: the request fails as unavailable',
  async (_what, kept) => {
    const name = `glyphlift:repeat:${createHash('sha256').update('e').digest('base64url')}`;
    await redis.set(name, kept(name), 'PX', 10_000);
    await expect(there.share('e', 'print', never, async () => 'done twice')).rejects.toMatchObject({
      status: 503,
      details: { retryAfter: 5 },
    });
    await redis.del(name);
  },
);

const entry = (sealed: string) => JSON.stringify({ fingerprint: 'print', by: 'another build', sealed });
