import { recognition } from '../../../api/calls.ts';
import { ApiError } from '../../../api/client.ts';

/** Counts readings of this device, as readings by the server are counted. */

const KEY = 'uncounted-readings';
/** Readings without a network that may wait to be counted. */
export const MOST_UNCOUNTED = 3;

/** Their idempotency keys. */
export function uncounted(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function keep(keys: readonly string[]): void {
  if (keys.length > 0) localStorage.setItem(KEY, keys.join(' '));
  else localStorage.removeItem(KEY);
}

const send = (key: string, signal?: AbortSignal) =>
  recognition.ask('POST /api/extractions/on-device', {
    headers: { 'idempotency-key': key },
    ...(signal && { signal }),
  });

/**
 * Counts a reading, or notes it for later where there is no network.
 * @throws {ApiError} where nothing is left
 * @throws {Error} where there is no network and no more may wait
 */
export async function count(key: string, signal: AbortSignal): Promise<void> {
  try {
    await send(key, signal);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    const waiting = uncounted();
    if (waiting.length >= MOST_UNCOUNTED) throw error;
    keep([...waiting, key]);
  }
}

let counting: Promise<void> | undefined;

/** Counts the readings that waited for the network. A refused one is dropped. */
export function countWaiting(): Promise<void> {
  counting ??= (async () => {
    for (const key of uncounted()) {
      try {
        await send(key);
      } catch (error) {
        // Without a network, or with a server that is busy, it waits on.
        if (!(error instanceof ApiError) || error.status >= 500) return;
      }
      keep(uncounted().filter((other) => other !== key));
    }
  })().finally(() => {
    counting = undefined;
  });
  return counting;
}
