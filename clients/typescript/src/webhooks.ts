import { WebhookRefused } from './errors.ts';
import type { WebhookEvent } from './types.ts';

export interface SentWebhook {
  /** The secret of the account, `whsec_…`. */
  secret: string;
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The raw body. */
  body: string;
  /** Maximum difference between `webhook-timestamp` and `now`, in seconds. */
  tolerance?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

/**
 * Verifies the signature and the time of a request by Standard Webhooks, and returns its event. Deduplicate by `webhook-id`:
 * an event is sent again until the response is 2xx.
 * @throws {WebhookRefused}
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  tolerance = 300,
  now = Date.now(),
}: SentWebhook): Promise<WebhookEvent> {
  const given = headers instanceof Headers ? headers : new Headers(firstValues(headers));
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = given.get(name);
    if (value === null) throw new WebhookRefused(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  if (!/^\d+$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a number');
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new WebhookRefused('webhook-timestamp is too far from now');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    if (!signature.startsWith('v1,')) continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) {
      return JSON.parse(body) as WebhookEvent;
    }
  }
  throw new WebhookRefused('no signature matches the secret');
}

function firstValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const values = Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Decodes Base64. Empty if it is invalid: no signature is empty. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
