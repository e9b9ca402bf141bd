/**
 * A separate process that uploads pictures when it receives a message, and sends the responses back. It simulates users on
 * other machines, so it runs at the lowest priority.
 */
import { constants, setPriority } from 'node:os';
import { Client, jsonOf, type Outcome } from '../tests/support/http-client.ts';

export interface UploadRequest {
  port: number;
  picture: Uint8Array;
  /** Number of simultaneous uploads, each by another user. */
  uploads: number;
}

export function inWords(outcome: Outcome): string {
  if (outcome.kind !== 'answer') return outcome.kind;
  const { status, headers } = outcome;
  const suffix = headers['retry-after'] && jsonOf(outcome)?.error ? ' with Retry-After' : '';
  return status === 200 ? '200' : `${status}${suffix}`;
}

if (process.send) {
  process.on('message', async ({ port, picture, uploads }: UploadRequest) => {
    setPriority(constants.priority.PRIORITY_LOW);
    const outcomes = await Promise.all(
      Array.from({ length: uploads }, () => new Client().upload(port, Buffer.from(picture))),
    );
    process.send?.(outcomes.map(inWords));
  });
}
