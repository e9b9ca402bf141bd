/** HTTP as bytes: what is sent need not be HTTP, and can be sent again from a file. */
import { connect } from 'node:net';

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The server ended the connection, or said nothing for too long. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * Sends bytes and reads one answer. A stream of events counts as answered once it is open.
 * @throws {NoAnswer}
 */
export function exchange(port: number, request: Buffer, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let problem = 'the connection was closed';
    const socket = connect({ port, host: '127.0.0.1' });
    const timer = setTimeout(() => {
      problem = `nothing came for ${timeoutMs / 1000} s`;
      socket.destroy();
    }, timeoutMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const head = chunks[0]!.toString('latin1');
      if (/^content-type: text\/event-stream/im.test(head)) socket.destroy();
    });
    // A refusal may come while the rest is still being sent: what was read counts, not how the connection ended.
    socket.on('error', (error) => {
      problem = error.message;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const answer = parseAnswer(
        Buffer.concat(chunks),
        !request.toString('latin1', 0, 5).startsWith('HEAD '),
      );
      if (answer) resolve(answer);
      else reject(new NoAnswer(problem));
    });
    socket.write(request);
  });
}

/** Undefined when the bytes are no whole answer; an answer to HEAD tells a length and has no body. */
export function parseAnswer(bytes: Buffer, hasBody = true): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [first, ...lines] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first ?? '')?.[1];
  if (end < 0 || status === undefined) return undefined;
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  if (!hasBody) return { status: Number(status), headers, body: rest };
  const chunked = headers['transfer-encoding'] === 'chunked';
  const streams = headers['content-type']?.startsWith('text/event-stream') === true;
  if (chunked) {
    const body = streams ? rest : unchunked(rest);
    return body && { status: Number(status), headers, body };
  }
  if (rest.length < Number(headers['content-length'] ?? 0) && !streams) return undefined;
  return { status: Number(status), headers, body: rest };
}

function unchunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

interface RequestParts {
  method: string;
  /** Goes onto the request line as it is. */
  target: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** One request that asks for the connection to be closed after its answer. */
export function requestBytes({ method, target, headers = {}, body }: RequestParts): Buffer {
  const lines = Object.entries({
    Host: 'localhost',
    Connection: 'close',
    ...(body && { 'Content-Length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body ? Buffer.concat([head, body]) : head;
}
