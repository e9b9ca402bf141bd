import { answerCalls } from '../../../workers/call-worker.ts';

/*
 * Fetches a picture from another site. This is a separate worker, because only its file has a content security policy that
 * allows connections to other sites. It knows nothing of the page except the URL.
 */

/** `bytes`: the maximum size of the file. */
export interface AddressTask {
  address: string;
  bytes: number;
}

export type AddressFailure = 'not-allowed' | 'not-found' | 'too-large';

/** Milliseconds. */
const TIMEOUT_MS = 30_000;

answerCalls<AddressTask, Blob | AddressFailure>(async ({ address, bytes }) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      mode: 'cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: controller.signal,
    });
    if (!response.ok || !response.body) return 'not-found';
    return await readUpTo(bytes, response.body);
  } catch {
    // A CORS error and an unreachable site cannot be distinguished.
    return 'not-allowed';
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
});

async function readUpTo(
  maxBytes: number,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Blob | 'too-large'> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    bytes += value.byteLength;
    if (bytes > maxBytes) return 'too-large';
    parts.push(value);
  }
}
