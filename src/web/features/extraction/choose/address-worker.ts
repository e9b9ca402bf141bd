import { answerCalls } from '../../../workers/call-worker.ts';

/*
 * Fetches a picture from another site. A worker of its own, because its file alone comes with a content policy that
 * allows connections to other sites: it can send nothing but the address, and knows nothing of the page.
 */

/** `bytes`: the largest file that is accepted. */
export interface AddressTask {
  address: string;
  bytes: number;
}

export type AddressFailure = 'not-allowed' | 'not-found' | 'too-large';

/** Milliseconds. */
const TIMEOUT_MS = 30_000;

answerCalls<AddressTask, Blob | AddressFailure>(async ({ address, bytes }) => {
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      mode: 'cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: leaving.signal,
    });
    if (!response.ok || !response.body) return 'not-found';
    return await upTo(bytes, response.body);
  } catch {
    // A site that does not allow it and one that cannot be reached look the same from here.
    return 'not-allowed';
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
});

async function upTo(
  most: number,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Blob | 'too-large'> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    bytes += value.byteLength;
    if (bytes > most) return 'too-large';
    parts.push(value);
  }
}
