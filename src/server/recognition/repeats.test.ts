import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { untilAborted } from '../../../tests/support/server-engine.ts';
import { createRepeats, KEPT_MS } from './repeats.ts';

const never = new AbortController().signal;

it('repeats: work continues while any request waits for it, and is aborted when the last one leaves', async () => {
  const repeats = createRepeats<string>(createTestClock());
  const [first, second] = [new AbortController(), new AbortController()];
  let given: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    given = signal;
    return untilAborted(signal, () => new Error('no request waits'));
  };
  const answers = Promise.allSettled([
    repeats.share('key', 'print', first.signal, work),
    repeats.share('key', 'print', second.signal, work),
  ]);
  first.abort();
  expect(given?.aborted).toBe(false);
  second.abort();
  expect(given?.aborted).toBe(true);
  expect((await answers).map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
});

it('repeats: a request during the abort of abandoned work starts new work', async () => {
  const repeats = createRepeats<string>(createTestClock());
  const gone = new AbortController();
  const abandoned = repeats.share('key', 'print', gone.signal, (signal) =>
    untilAborted(signal, () => new Error('abandoned')),
  );
  gone.abort();
  const fresh = repeats.share('key', 'print', never, async () => 'fresh');
  await expect(abandoned).rejects.toThrow('abandoned');
  expect(await fresh).toBe('fresh');
  expect(await repeats.share('key', 'print', never, async () => 'another')).toBe('fresh');
});

it('repeats: a result is kept for thirty seconds', async () => {
  const clock = createTestClock();
  const repeats = createRepeats<number>(clock);
  let runs = 0;
  const ask = () => repeats.share('key', 'print', never, async () => ++runs);
  expect(await ask()).toBe(1);
  clock.advance(29_999);
  expect(await ask()).toBe(1);
  clock.advance(1);
  expect(await ask()).toBe(2);
});

it('repeats: a result for an API client is kept for a day, and its key cannot be used for another request meanwhile', async () => {
  const clock = createTestClock();
  const repeats = createRepeats<{ text: string }>(clock);
  let runs = 0;
  const ask = (print = 'print') =>
    repeats.share('key', print, never, async () => ({ text: `run ${++runs}` }), KEPT_MS.program);
  expect(await ask()).toEqual({ text: 'run 1' });
  clock.advance(24 * 60 * 60_000 - 1);
  expect(await ask()).toEqual({ text: 'run 1' });
  await expect(ask('another print')).rejects.toMatchObject({ status: 422 });
  clock.advance(1);
  expect(await ask()).toEqual({ text: 'run 2' });
});

it('repeats: the oldest results for API clients are dropped when their memory is full', async () => {
  const clock = createTestClock();
  const repeats = createRepeats<string>(clock, 4_000);
  const long = async () => randomBytes(1_000).toString('hex');
  for (const key of ['first', 'second', 'third', 'fourth']) {
    clock.advance(1);
    await repeats.share(key, 'print', never, long, KEPT_MS.program);
  }
  await repeats.share('page', 'print', never, async () => 'short');
  const keys = ['first', 'second', 'third', 'fourth', 'page'];
  expect(await Promise.all(keys.map((key) => repeats.has(key)))).toEqual([false, true, true, true, true]);
});
