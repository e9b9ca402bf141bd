import { randomInt } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';

/**
 * The outcome of a request. `unsent`: the connection was not accepted. `broken`: the request was sent, but the connection
 * ended without a response.
 */
export type Outcome =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Buffer; from: number; to: number }
  | { kind: 'unsent' | 'broken' | 'unanswered'; reason: string; from: number; to: number };

export interface RequestSettings {
  port: number;
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  timeoutMs?: number;
}

/** Timeout: longer than the server's time limit for an extraction. */
const TIMEOUT_MS = 200_000;

/** Sends a request on a separate connection, so that a broken connection affects only this request. */
export function send({
  port,
  method = 'GET',
  path,
  headers,
  body,
  timeoutMs,
}: RequestSettings): Promise<Outcome> {
  const from = performance.now();
  let connected = false;
  return new Promise((resolve) => {
    const fail = (kind: 'unsent' | 'broken' | 'unanswered', reason: string) =>
      resolve({ kind, reason, from, to: performance.now() });
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { ...headers, connection: 'close' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', (error) => fail('broken', error.message));
        response.once('end', () =>
          resolve({
            kind: 'answer',
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            from,
            to: performance.now(),
          }),
        );
      },
    );
    sent.once('socket', (socket) =>
      socket.once('connect', () => {
        connected = true;
      }),
    );
    sent.once('error', (error) => fail(connected ? 'broken' : 'unsent', error.message));
    sent.setTimeout(timeoutMs ?? TIMEOUT_MS, () => {
      fail('unanswered', 'no answer came');
      sent.destroy();
    });
    sent.end(body);
  });
}

/** A browser with cookies. It sends its network address in the header of a trusted proxy. */
export class Client {
  readonly address: string;
  readonly #cookies = new Map<string, string>();

  constructor(address = someAddress()) {
    this.address = address;
  }

  async send(sending: RequestSettings): Promise<Outcome> {
    const outcome = await send({
      ...sending,
      headers: {
        'x-forwarded-for': this.address,
        ...(this.#cookies.size > 0 && {
          cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...sending.headers,
      },
    });
    if (outcome.kind === 'answer') {
      for (const cookie of outcome.headers['set-cookie'] ?? []) {
        const [pair = ''] = cookie.split(';');
        const at = pair.indexOf('=');
        this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
    }
    return outcome;
  }

  post(port: number, path: string, body: object): Promise<Outcome> {
    const headers = { 'content-type': 'application/json' };
    return this.send({ port, path, method: 'POST', headers, body: Buffer.from(JSON.stringify(body)) });
  }

  upload(port: number, picture: Buffer, idempotencyKey?: string): Promise<Outcome> {
    const { headers, body } = pictureUpload(picture, idempotencyKey);
    return this.send({ port, path: '/api/extract-text', method: 'POST', headers, body });
  }

  /** The server's visitor id; undefined before its first response. */
  get visitorId(): string | undefined {
    return this.#cookies.get('visitor')?.slice(0, 22);
  }
}

function pictureUpload(picture: Buffer, idempotencyKey: string | undefined) {
  const boundary = 'glyphlift-traffic';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="picture.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return { headers, body };
}

const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** The body of a response as JSON; undefined if it is not JSON. */
export function jsonOf(outcome: Outcome): Record<string, unknown> | undefined {
  if (outcome.kind !== 'answer') return undefined;
  try {
    return JSON.parse(outcome.body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
