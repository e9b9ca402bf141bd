import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { untilAborted } from '../../../tests/support/server-engine.ts';
import { createIdempotencyCache, RETENTION_MS } from './idempotency-cache.ts';

const never = new AbortController().signal;

it('idempotency cache: work continues while any request waits for it, and is aborted when the last one leaves', async () => {
  const cache = createIdempotencyCache<string>(createTestClock());
  const [first, second] = [new AbortController(), new AbortController()];
  let given: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    given = signal;
    return untilAborted(signal, () => new Error('no request waits'));
  };
  const answers = Promise.allSettled([
    cache.share('key', 'print', first.signal, work),
    cache.share('key', 'print', second.signal, work),
  ]);
  first.abort();
  expect(given?.aborted).toBe(false);
  second.abort();
  expect(given?.aborted).toBe(true);
  expect((await answers).map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
});

it('idempotency cache: a request during the abort of abandoned work starts new work', async () => {
  const cache = createIdempotencyCache<string>(createTestClock());
  const gone = new AbortController();
  const abandoned = cache.share('key', 'print', gone.signal, (signal) =>
    untilAborted(signal, () => new Error('abandoned')),
  );
  gone.abort();
  const fresh = cache.share('key', 'print', never, async () => 'fresh');
  await expect(abandoned).rejects.toThrow('abandoned');
  expect(await fresh).toBe('fresh');
  expect(await cache.share('key', 'print', never, async () => 'another')).toBe('fresh');
});

it('idempotency cache: a result is kept for thirty seconds', async () => {
  const clock = createTestClock();
  const cache = createIdempotencyCache<number>(clock);
  let runs = 0;
  const ask = () => cache.share('key', 'print', never, async () => ++runs);
  expect(await ask()).toBe(1);
  clock.advance(29_999);
  expect(await ask()).toBe(1);
  clock.advance(1);
  expect(await ask()).toBe(2);
});

it('idempotency cache: a result for an API client is kept for a day, and its key cannot be used for another request meanwhile', async () => {
  const clock = createTestClock();
  const cache = createIdempotencyCache<{ text: string }>(clock);
  let runs = 0;
  const ask = (print = 'print') =>
    cache.share('key', print, never, async () => ({ text: `run ${++runs}` }), RETENTION_MS.apiClient);
  expect(await ask()).toEqual({ text: 'run 1' });
  clock.advance(24 * 60 * 60_000 - 1);
  expect(await ask()).toEqual({ text: 'run 1' });
  await expect(ask('another print')).rejects.toMatchObject({ status: 422 });
  clock.advance(1);
  expect(await ask()).toEqual({ text: 'run 2' });
});

it('idempotency cache: the oldest results for API clients are dropped when their memory is full', async () => {
  const clock = createTestClock();
  const cache = createIdempotencyCache<string>(clock, 4_000);
  const long = async () => randomBytes(1_000).toString('hex');
  for (const key of ['first', 'second', 'third', 'fourth']) {
    clock.advance(1);
    await cache.share(key, 'print', never, long, RETENTION_MS.apiClient);
  }
  await cache.share('page', 'print', never, async () => 'short');
  const keys = ['first', 'second', 'third', 'fourth', 'page'];
  expect(await Promise.all(keys.map((key) => cache.has(key)))).toEqual([false, true, true, true, true]);
});
