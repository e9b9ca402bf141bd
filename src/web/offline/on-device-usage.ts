import { ApiError, failedBy, recognition } from '../api/client.ts';
import { pendingReports, storePendingReports } from './pending-reports.ts';

/* Reports on-device extractions to the server, which counts them towards the quota. */

/** Limit of extractions that wait to be reported. */
export const MAX_PENDING_REPORTS = 3;

const send = (key: string, signal?: AbortSignal) =>
  recognition.ask('POST /api/extractions/on-device', {
    headers: { 'idempotency-key': key },
    ...(signal && { signal }),
  });

/**
 * Reports an extraction, or stores the report until the network is back.
 * @throws {ApiError} if the server refuses it, for example because the quota is used up
 * @throws {Error} without a network if `MAX_PENDING_REPORTS` are stored already
 */
export async function reportExtraction(key: string, signal: AbortSignal): Promise<void> {
  try {
    await send(key, signal);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    const pending = pendingReports();
    if (pending.length >= MAX_PENDING_REPORTS) throw error;
    storePendingReports([...pending, key]);
  }
}

let sending: Promise<void> | undefined;

/** Whether the server may accept the same report later. */
async function isTemporary(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status >= 500 || [401, 408].includes(error.status)) return true;
  // A spent quota is final for this report; a rate limit is not.
  const isSpent = await failedBy(error, 'recognition.quota_used_up', 'recognition.address_used_up');
  return error.status === 429 && !isSpent;
}

/** Sends the stored reports, and deletes those that the server accepts or refuses for good. */
export function sendPendingReports(): Promise<void> {
  sending ??= (async () => {
    for (const key of pendingReports()) {
      try {
        await send(key);
      } catch (error) {
        if (await isTemporary(error)) return;
      }
      storePendingReports(pendingReports().filter((other) => other !== key));
    }
  })().finally(() => {
    sending = undefined;
  });
  return sending;
}
