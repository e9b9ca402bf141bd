import { afterEach, expect, test } from 'vitest';
import { countOnDevice } from '#contract/calls/recognition';
import { answers, losesConnection, respondsWithError, worker } from '../../../tests/component/server.ts';
import { reportExtraction, sendPendingReports } from './on-device-usage.ts';
import { pendingReports } from './pending-reports.ts';

const USAGE = { imageCount: 1, dailyLimit: 3, period: 'day', resetsAt: '2026-05-05T00:00:00.000Z' } as const;
const { signal } = new AbortController();

afterEach(() => localStorage.clear());

test('on-device extractions: up to three offline extractions are stored and reported when online', async () => {
  worker.use(losesConnection(countOnDevice));
  for (const key of ['a', 'b', 'c']) await reportExtraction(key, signal);
  await expect(reportExtraction('d', signal)).rejects.toThrow();
  await sendPendingReports();
  expect(pendingReports()).toEqual(['a', 'b', 'c']);

  worker.use(answers(countOnDevice, () => USAGE));
  await sendPendingReports();
  expect(pendingReports()).toEqual([]);
});

test('on-device extractions: a refused report is not stored, and a refused stored report is deleted', async () => {
  worker.use(losesConnection(countOnDevice));
  await reportExtraction('a', signal);
  worker.use(
    respondsWithError(countOnDevice, 429, {
      error: 'Daily limit reached',
      code: 'recognition.quota_used_up',
      limitExceeded: true,
    }),
  );
  await expect(reportExtraction('b', signal)).rejects.toThrow('429');
  expect(pendingReports()).toEqual(['a']);
  await sendPendingReports();
  expect(pendingReports()).toEqual([]);
});

test.each([
  [401, 'accounts.sign_in_required'],
  [429, 'http.too_many_requests'],
  [429, 'recognition.failed_too_much'],
] as const)(
  'on-device extractions: a stored report is kept after a temporary refusal, %i %s',
  async (status, code) => {
    worker.use(losesConnection(countOnDevice));
    await reportExtraction('a', signal);
    worker.use(respondsWithError(countOnDevice, status, { error: 'Please wait.', code }));
    await sendPendingReports();
    expect(pendingReports()).toEqual(['a']);
  },
);
