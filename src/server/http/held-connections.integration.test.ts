import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

/** Limits on resources that an anonymous client can hold: connections, slow bodies, event streams. */

let server: TestServer | undefined;
const clients: Client[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

interface Client {
  socket: Socket;
  received: string;
  open: boolean;
}

async function start(env: Record<string, string>): Promise<number> {
  server = await startTestServer({
    env: { RATE_LIMIT_PER_MINUTE: '100000', PAGE_LIMIT_PER_MINUTE: '100000', ...env },
  });
  await server.app.listen({ port: 0, host: '0.0.0.0' });
  return (server.app.server.address() as AddressInfo).port;
}

/** Sends `bytes` on a new connection from a local address. A kept-alive connection would hide rejections. */
function sendRaw(port: number, bytes: string, from = '127.0.0.1'): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  const client: Client = { socket, received: '', open: true };
  socket.on('data', (chunk) => {
    client.received += chunk;
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    client.open = false;
  });
  socket.write(bytes);
  clients.push(client);
  return client;
}
const openOf = (some: readonly Client[]) => some.filter(({ open }) => open).length;

const HOST = 'host: localhost:3000\r\n';
const PAGE = `GET / HTTP/1.1\r\n${HOST}\r\n`;
const BODY = (path: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\n${HOST}content-type: ${type}\r\ncontent-length: 40\r\n\r\n{"`;

async function pageFrom(port: number, from: string): Promise<string> {
  const client = sendRaw(port, PAGE, from);
  await eventually(() => client.received.includes('</html>') || !client.open);
  return client.received.slice(0, 12);
}

describe('a slow body', () => {
  it.each([
    ['of a call', BODY('/api/login'), 408],
    ['of an unknown path', BODY('/api/nothing'), 404],
    ['of a page', BODY('/').replace('POST', 'GET'), 200],
    ['of a form that the call does not accept', BODY('/api/login', 'multipart/form-data; boundary=x'), 400],
    ['of a rejected upload', BODY('/api/jobs', 'multipart/form-data; boundary=x'), 401],
  ])('%s ends its connection within the deadline, with an answer', async (_what, bytes, status) => {
    const port = await start({ BODY_TIMEOUT_SECONDS: '1' });
    const client = sendRaw(port, bytes);
    const drops = setInterval(() => client.socket.write(' '), 100);
    await eventually(() => !client.open);
    clearInterval(drops);
    expect(client.received).toContain(`HTTP/1.1 ${status}`);
  });

  it('a body that arrives in two parts in time is accepted', async () => {
    const port = await start({ BODY_TIMEOUT_SECONDS: '20' });
    const body = '{"username":"nobody","password":"harbour 7"}';
    const client = sendRaw(
      port,
      `POST /api/login HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    setTimeout(() => client.socket.write(body.slice(20)), 200);
    await eventually(() => client.received.includes('accounts.'));
    expect(client.received).toContain('HTTP/1.1 401');
  });

  it('an upload may take longer than the deadline if it keeps the minimum rate', async () => {
    const port = await start({
      BODY_TIMEOUT_SECONDS: '1',
      UPLOAD_MIN_RATE: '100',
      UPLOAD_STALL_SECONDS: '2',
    });
    const form = [
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
      ...Array.from({ length: 6 }, () => 'y'.repeat(200)),
      '\r\n--x--\r\n',
    ];
    const length = form.join('').length;
    const client = sendRaw(
      port,
      `POST /api/extract-text HTTP/1.1\r\n${HOST}content-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n`,
    );
    for (const part of form) {
      client.socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await eventually(() => client.received.includes('Hello world'));
  });
});

describe('one address with many connections', () => {
  it('is limited to its share, and another address can still open a page', async () => {
    const port = await start({ MAX_CONNECTIONS: '64', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 100 }, () => sendRaw(port, BODY('/api/login')));
    await eventually(() => openOf(many) === 8);
    expect(await pageFrom(port, '127.0.0.2')).toBe('HTTP/1.1 200');
    expect(openOf(many)).toBe(8);
    for (const { socket } of many) socket.destroy();
    await eventually(async () => (await pageFrom(port, '127.0.0.1')) === 'HTTP/1.1 200');
  });

  it('closes an idle connection to accept a new one', async () => {
    const port = await start({ MAX_CONNECTIONS: '16' });
    const idle = [sendRaw(port, PAGE), sendRaw(port, PAGE)];
    await eventually(() => idle.every(({ received }) => received.includes('</html>')));
    expect(await pageFrom(port, '127.0.0.1')).toBe('HTTP/1.1 200');
    await eventually(() => openOf(idle) === 1);
  });

  it('is not limited if it is a trusted proxy', async () => {
    const port = await start({ MAX_CONNECTIONS: '64', TRUST_PROXY: 'loopback', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 30 }, () => sendRaw(port, BODY('/api/login')));
    expect(await pageFrom(port, '127.0.0.1')).toBe('HTTP/1.1 200');
    expect(openOf(many)).toBe(30);
  });

  it('all addresses together are limited to the maximum of the server', async () => {
    const port = await start({ MAX_CONNECTIONS: '8', TRUST_PROXY: 'loopback', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 20 }, () => sendRaw(port, BODY('/api/login')));
    await eventually(() => openOf(many) === 8);
  });
});

it('event streams: one address can watch forty extractions with any cookies, and other addresses are not affected', async () => {
  const port = await start({});
  const watch = (at: number, from?: string) =>
    sendRaw(
      port,
      `GET /api/extractions/${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000/events HTTP/1.1\r\n${HOST}\r\n`,
      from,
    );
  const many = Array.from({ length: 60 }, (_, at) => watch(at));
  await eventually(() => many.every(({ received }) => received !== ''));
  expect(many.filter(({ received }) => received.startsWith('HTTP/1.1 200'))).toHaveLength(40);
  const refused = many.find(({ received }) => received.startsWith('HTTP/1.1 429'));
  expect(refused?.received).toContain('recognition.too_many_watchers');
  const other = watch(100, '127.0.0.2');
  await eventually(() => other.received !== '');
  expect(other.received).toMatch(/^HTTP\/1.1 200/);
  for (const { socket } of many) {
    socket.destroy();
    await once(socket, 'close').catch(() => {});
  }
  await eventually(async () => {
    const again = watch(200);
    await eventually(() => again.received !== '');
    return again.received.startsWith('HTTP/1.1 200');
  });
});
