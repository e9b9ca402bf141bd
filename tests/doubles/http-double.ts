import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DoubleRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface DoubleResponse {
  status: number;
  /** JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What goes wrong with a call: an answer that is not the handler's, none at all, or one that waits. */
export type Fault =
  | { kind: 'status'; status: number; body?: unknown }
  /** The call is carried out, but its answer is lost. */
  | { kind: 'lost-answer' }
  | { kind: 'hold'; until: Promise<void> };

/** A server at the network's edge that can be made to misbehave. */
export class HttpDouble {
  /** `METHOD /path` of every call, in order. */
  readonly calls: string[] = [];
  private faults: Array<{ pattern: RegExp; fault: Fault; times: number }> = [];
  private readonly server: Server;

  constructor(handle: (request: DoubleRequest) => Promise<DoubleResponse> | DoubleResponse) {
    this.server = createServer((request, response) => {
      this.answer(request, response, handle).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next `times` calls whose `METHOD /path` matches go wrong. */
  fault(pattern: RegExp, fault: Fault, times = 1): void {
    this.faults.push({ pattern, fault, times });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(
    incoming: IncomingMessage,
    response: ServerResponse,
    handle: (request: DoubleRequest) => Promise<DoubleResponse> | DoubleResponse,
  ): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const method = incoming.method ?? 'GET';
    const call = `${method} ${url.pathname}`;
    this.calls.push(call);

    const planned = this.faults.find(({ pattern, times }) => times > 0 && pattern.test(call));
    if (planned) planned.times--;
    const fault = planned?.fault;
    if (fault?.kind === 'status') return send(response, fault);
    if (fault?.kind === 'hold') await fault.until;

    const answer = await handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    if (fault?.kind === 'lost-answer') return void response.destroy();
    send(response, answer);
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: DoubleResponse): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}
