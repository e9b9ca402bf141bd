import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { REPEATED_ANSWER_HOURS } from '#contract/api-key-rules';
import { required } from '#formats/checked';
import type { Clock } from '../platform/clock.ts';
import { idempotencyKeyReused } from './recognition.errors.ts';

/**
 * Retention of results for repeated requests, in milliseconds. A browser retries within seconds; a restarted API client
 * may retry hours later.
 */
export const RETENTION_MS = { browser: 30_000, apiClient: REPEATED_ANSWER_HOURS * 60 * 60_000 } as const;

/** Memory for compressed results of API clients. The oldest are dropped. */
const API_CLIENT_BYTES = 32 * 1024 ** 2;

interface CachedResult {
  fingerprint: string;
  result: Promise<unknown>;
  /** Number of waiting requests. The work is aborted when it falls to 0. */
  waiting: number;
  abort: AbortController;
  /** Expiry of the result, in milliseconds; undefined while the work runs. */
  until: number | undefined;
  /** The compressed result for an API client. */
  compressed: Uint8Array | undefined;
}

/**
 * Shares one run of work between all requests with the same key, and keeps its result for `keptMs`. Results are in memory
 * only, because they contain users' texts. A failure is not kept: a repeat is a new attempt.
 */
export interface IdempotencyCache<T> {
  /** Whether there is running work or a result for this key. */
  has(key: string): Promise<boolean>;
  /**
   * `fingerprint` identifies the request: the same key with another fingerprint is rejected. `signal` is of this request;
   * `work` gets one that aborts when no request waits any more. The result must be JSON, and is kept for `keptMs`.
   */
  share(
    key: string,
    fingerprint: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    keptMs?: number,
  ): Promise<T>;
}

export function createIdempotencyCache<T>(
  clock: Clock,
  apiClientBytes = API_CLIENT_BYTES,
): IdempotencyCache<T> {
  const entries = new Map<string, CachedResult>();

  function dropOld(): void {
    const now = clock.now().getTime();
    for (const [key, { until }] of entries) if (until !== undefined && until <= now) entries.delete(key);
  }

  function dropOverflow(): void {
    let bytes = 0;
    const kept = [...entries]
      .filter(([, { compressed: packed }]) => packed)
      .sort(([, a], [, b]) => required(b.until) - required(a.until));
    for (const [key, { compressed: packed }] of kept) {
      bytes += required(packed).length;
      if (bytes > apiClientBytes) entries.delete(key);
    }
  }

  function store(key: string, entry: CachedResult, result: unknown, keptMs: number): void {
    entry.until = clock.now().getTime() + keptMs;
    // `dropOld` decides; the timer only frees memory when there are no requests.
    setTimeout(dropOld, keptMs + 1000).unref();
    if (keptMs <= RETENTION_MS.browser || entries.get(key) !== entry) return;
    entry.compressed = compress(result);
    entry.result = Promise.resolve();
    dropOverflow();
  }

  function start(
    key: string,
    fingerprint: string,
    work: (signal: AbortSignal) => Promise<T>,
    keptMs: number,
  ): CachedResult {
    const abort = new AbortController();
    const entry: CachedResult = {
      fingerprint,
      result: work(abort.signal),
      waiting: 0,
      abort,
      until: undefined,
      compressed: undefined,
    };
    entries.set(key, entry);
    entry.result.then(
      (result) => store(key, entry, result, keptMs),
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
    async share(key, fingerprint, signal, work, keptMs = RETENTION_MS.browser) {
      dropOld();
      let entry = entries.get(key);
      if (entry && entry.fingerprint !== fingerprint) throw idempotencyKeyReused();
      if (!entry || entry.abort.signal.aborted) entry = start(key, fingerprint, work, keptMs);

      if (entry.compressed) return decompress(entry.compressed) as T;

      const sharedEntry = entry;
      sharedEntry.waiting++;
      const leave = () => {
        if (--sharedEntry.waiting === 0 && sharedEntry.until === undefined) sharedEntry.abort.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      try {
        return (await sharedEntry.result) as T;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** A result as compressed JSON, an eighth of its original size. */
export const compress = (result: unknown): Uint8Array => deflateRawSync(JSON.stringify(result));

export const decompress = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());
