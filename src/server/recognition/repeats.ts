import type { Clock } from '../platform/clock.ts';
import { idempotencyKeyReused } from './recognition.errors.ts';

/** How long a repeated request gets the first one's result, counted from when that was ready. Milliseconds. */
export const KEPT_MS = 30_000;

interface CachedResult {
  fingerprint: string;
  result: Promise<unknown>;
  /** Requests that still wait; the work is aborted when the last of them has gone. */
  waiting: number;
  abort: AbortController;
  /** When the result was ready, in milliseconds; undefined while the work runs. */
  readyAt: number | undefined;
}

/**
 * Has one piece of work done for all requests that carry the same key, and keeps its result for a short while. Results
 * live in memory only, because they hold people's text. A failure is not kept: its repetition is a new attempt.
 */
export interface Repeats<T> {
  /** Whether there is work, or a result, that a request with this key may share. */
  has(key: string): Promise<boolean>;
  /**
   * `fingerprint` identifies the request: the same key with another one is refused. `signal` is this request's own;
   * `work` gets one that aborts when no request waits any more.
   */
  share(
    key: string,
    fingerprint: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

export function createRepeats<T>(clock: Clock): Repeats<T> {
  const entries = new Map<string, CachedResult>();

  function dropOld(): void {
    const limit = clock.now().getTime() - KEPT_MS;
    for (const [key, { readyAt }] of entries)
      if (readyAt !== undefined && readyAt <= limit) entries.delete(key);
  }

  function start(key: string, fingerprint: string, work: (signal: AbortSignal) => Promise<T>): CachedResult {
    const abort = new AbortController();
    const entry: CachedResult = {
      fingerprint,
      result: work(abort.signal),
      waiting: 0,
      abort,
      readyAt: undefined,
    };
    entries.set(key, entry);
    entry.result.then(
      () => {
        entry.readyAt = clock.now().getTime();
        // The rule is `dropOld`; this only frees memory when no request comes to run it.
        setTimeout(dropOld, KEPT_MS + 1000).unref();
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry;
  }

  return {
    async has(key) {
      dropOld();
      return entries.has(key);
    },
    async share(key, fingerprint, signal, work) {
      dropOld();
      let entry = entries.get(key);
      if (entry && entry.fingerprint !== fingerprint) throw idempotencyKeyReused();
      if (!entry || entry.abort.signal.aborted) entry = start(key, fingerprint, work);

      const joined = entry;
      joined.waiting++;
      const leave = () => {
        if (--joined.waiting === 0 && joined.readyAt === undefined) joined.abort.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      try {
        return (await joined.result) as T;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
