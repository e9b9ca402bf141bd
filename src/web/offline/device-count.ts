import { ApiError, recognition } from '../api/client.ts';
import { keepUncounted, uncounted } from './uncounted.ts';

/** Counts readings of this device, as readings by the server are counted. */

/** Readings without a network that may wait to be counted. */
export const MAX_UNCOUNTED = 3;

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
    if (waiting.length >= MAX_UNCOUNTED) throw error;
    keepUncounted([...waiting, key]);
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
        // Without a network, or with a server that is busy, it keeps waiting.
        if (!(error instanceof ApiError) || error.status >= 500) return;
      }
      keepUncounted(uncounted().filter((other) => other !== key));
    }
  })().finally(() => {
    counting = undefined;
  });
  return counting;
}
