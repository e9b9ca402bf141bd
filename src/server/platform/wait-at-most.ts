import { setTimeout } from 'node:timers/promises';

/** Resolves when `work` has ended, well or not, and at the latest after so many milliseconds. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const ended = work.then(
    () => {},
    () => {},
  );
  await Promise.race([ended, setTimeout(milliseconds, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
