import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

/** Of what a stranger may hold of a server: connections, bodies that do not end, and streams. */

let server: TestServer | undefined;
const clients: Client[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

interface Client {
  socket: Socket;
  said: string;
  open: boolean;
}

async function start(env: Record<string, string>): Promise<number> {
  server = await startTestServer({
    env: { RATE_LIMIT_PER_MINUTE: '100000', PAGE_LIMIT_PER_MINUTE: '100000', ...env },
  });
  await server.app.listen({ port: 0, host: '0.0.0.0' });
  return (server.app.server.address() as AddressInfo).port;
}

/** A fresh connection from an address of this machine that says `bytes`: a kept-alive one would hide what is refused. */
function say(port: number, bytes: string, from = '127.0.0.1'): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  const client: Client = { socket, said: '', open: true };
  socket.on('data', (chunk) => {
    client.said += chunk;
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
  const client = say(port, PAGE, from);
  await eventually(() => client.said.includes('</html>') || !client.open);
  return client.said.slice(0, 12);
}

describe('a body that does not end', () => {
  it.each([
    ['of a call', BODY('/api/login'), 408],
    ['of an address that there is not', BODY('/api/nothing'), 404],
    ['of a page', BODY('/').replace('POST', 'GET'), 200],
    [
      'of a form that is sent where none is taken',
      BODY('/api/login', 'multipart/form-data; boundary=x'),
      400,
    ],
    ['of an upload that was refused', BODY('/api/jobs', 'multipart/form-data; boundary=x'), 401],
  ])('%s ends its connection within the deadline, with an answer', async (_what, bytes, status) => {
    const port = await start({ BODY_TIMEOUT_SECONDS: '1' });
    const client = say(port, bytes);
    const drops = setInterval(() => client.socket.write(' '), 100);
    await eventually(() => !client.open);
    clearInterval(drops);
    expect(client.said).toContain(`HTTP/1.1 ${status}`);
  });

  it('a body that comes in two parts in time is read as one', async () => {
    const port = await start({ BODY_TIMEOUT_SECONDS: '20' });
    const body = '{"username":"nobody","password":"harbour 7"}';
    const client = say(
      port,
      `POST /api/login HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    setTimeout(() => client.socket.write(body.slice(20)), 200);
    await eventually(() => client.said.includes('accounts.'));
    expect(client.said).toContain('HTTP/1.1 401');
  });

  it('an upload may take longer than the deadline as long as it keeps its pace', async () => {
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
    const client = say(
      port,
      `POST /api/extract-text HTTP/1.1\r\n${HOST}content-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n`,
    );
    for (const part of form) {
      client.socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await eventually(() => client.said.includes('Hello world'));
  });
});

describe('one address with many connections', () => {
  it('holds its share, and another address can still open a page', async () => {
    const port = await start({ MAX_CONNECTIONS: '64', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 100 }, () => say(port, BODY('/api/login')));
    await eventually(() => openOf(many) === 8);
    expect(await pageFrom(port, '127.0.0.2')).toBe('HTTP/1.1 200');
    expect(openOf(many)).toBe(8);
    for (const { socket } of many) socket.destroy();
    await eventually(async () => (await pageFrom(port, '127.0.0.1')) === 'HTTP/1.1 200');
  });

  it('gives up an idle connection for a new one', async () => {
    const port = await start({ MAX_CONNECTIONS: '16' });
    const idle = [say(port, PAGE), say(port, PAGE)];
    await eventually(() => idle.every(({ said }) => said.includes('</html>')));
    expect(await pageFrom(port, '127.0.0.1')).toBe('HTTP/1.1 200');
    await eventually(() => openOf(idle) === 1);
  });

  it('has no share where it is a proxy that is trusted', async () => {
    const port = await start({ MAX_CONNECTIONS: '64', TRUST_PROXY: 'loopback', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 30 }, () => say(port, BODY('/api/login')));
    expect(await pageFrom(port, '127.0.0.1')).toBe('HTTP/1.1 200');
    expect(openOf(many)).toBe(30);
  });

  it('all together hold no more than the server takes', async () => {
    const port = await start({ MAX_CONNECTIONS: '8', TRUST_PROXY: 'loopback', BODY_TIMEOUT_SECONDS: '600' });
    const many = Array.from({ length: 20 }, () => say(port, BODY('/api/login')));
    await eventually(() => openOf(many) === 8);
  });
});

it('event streams: one address watches at most forty extractions with any cookies, and other addresses still watch theirs', async () => {
  const port = await start({});
  const watch = (at: number, from?: string) =>
    say(
      port,
      `GET /api/extractions/${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000/events HTTP/1.1\r\n${HOST}\r\n`,
      from,
    );
  const many = Array.from({ length: 60 }, (_, at) => watch(at));
  await eventually(() => many.every(({ said }) => said !== ''));
  expect(many.filter(({ said }) => said.startsWith('HTTP/1.1 200'))).toHaveLength(40);
  const refused = many.find(({ said }) => said.startsWith('HTTP/1.1 429'));
  expect(refused?.said).toContain('recognition.too_many_watchers');
  const other = watch(100, '127.0.0.2');
  await eventually(() => other.said !== '');
  expect(other.said).toMatch(/^HTTP\/1.1 200/);
  for (const { socket } of many) {
    socket.destroy();
    await once(socket, 'close').catch(() => {});
  }
  await eventually(async () => {
    const again = watch(200);
    await eventually(() => again.said !== '');
    return again.said.startsWith('HTTP/1.1 200');
  });
});
