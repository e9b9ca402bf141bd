import { afterEach, expect, test } from 'vitest';
import { countOnDevice } from '#contract/calls/recognition';
import { answers, losesConnection, refuses, worker } from '../../../tests/component/server.ts';
import { count, countWaiting } from './device-count.ts';
import { uncounted } from './uncounted.ts';

const USAGE = { imageCount: 1, dailyLimit: 3, period: 'day', resetsAt: '2026-05-05T00:00:00.000Z' } as const;
const { signal } = new AbortController();

afterEach(() => localStorage.clear());

test('device count: readings without a network wait, at most three, and are counted once there is one', async () => {
  worker.use(losesConnection(countOnDevice));
  for (const key of ['a', 'b', 'c']) await count(key, signal);
  await expect(count('d', signal)).rejects.toThrow();
  await countWaiting();
  expect(uncounted()).toEqual(['a', 'b', 'c']);

  worker.use(answers(countOnDevice, () => USAGE));
  await countWaiting();
  expect(uncounted()).toEqual([]);
});

test('device count: a reading that is refused does not wait, and one that waited is not asked for again', async () => {
  worker.use(losesConnection(countOnDevice));
  await count('a', signal);
  worker.use(
    refuses(countOnDevice, 429, {
      error: 'Daily limit reached',
      code: 'recognition.quota_used_up',
      limitExceeded: true,
    }),
  );
  await expect(count('b', signal)).rejects.toThrow('429');
  expect(uncounted()).toEqual(['a']);
  await countWaiting();
  expect(uncounted()).toEqual([]);
});
