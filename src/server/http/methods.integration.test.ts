import { afterEach, expect, it } from 'vitest';
import { createRawClient } from '../../../tests/support/raw-http.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

let server: TestServer | undefined;
let client: Awaited<ReturnType<typeof createRawClient>> | undefined;
afterEach(async () => {
  client?.close();
  await server?.close();
});

async function start() {
  server = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '1000000' } });
  client = await createRawClient(server.app);
  return { ...server, ...client };
}

it.each(['/api/openapi.json', '/api/usage', '/healthz', '/sitemap.xml', '/'])(
  'HEAD: %s gets the response of GET without a body',
  async (path) => {
    const { send } = await start();
    const [head, get] = [await send('HEAD', path), await send('GET', path)];
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.body));
  },
);

it.each([
  ['starts a sign-in', '/api/auth/google'],
  ['is a stream of events', '/api/extractions/abcdefgh-1234/events'],
])('HEAD: a call that %s accepts GET only', async (_what, path) => {
  const { send } = await start();
  const answer = await send('HEAD', path);
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, OPTIONS']);
});

it.each([
  ['/api/usage', 'GET, HEAD, OPTIONS'],
  ['/api/extract-text', 'OPTIONS, POST'],
  ['/api/texts/abcdefgh', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['/blog', 'GET, HEAD, OPTIONS'],
])('OPTIONS: %s lists its methods, and allows no page of another site', async (path, allow) => {
  const { send } = await start();
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await send('OPTIONS', path, preflight);
  expect([answer.status, answer.headers.allow, answer.body]).toEqual([204, allow, '']);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

it('OPTIONS: an unknown API path gets 404', async () => {
  const { send } = await start();
  expect((await send('OPTIONS', '/api/nothing')).status).toBe(404);
});

it.each(['QUERY', 'PROPFIND', 'PUT', 'TRACE'])(
  '%s: a known method gets 405 with the allowed methods',
  async (method) => {
    const { talk } = await start();
    for (const [path, allow] of [
      ['/api/usage', 'GET, HEAD, OPTIONS'],
      ['/blog', 'GET, HEAD, OPTIONS'],
    ]) {
      const response = await talk(
        `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      );
      expect(response, response).toMatch(/^HTTP\/1.1 405 /);
      expect(response).toContain(`allow: ${allow}\r\n`);
    }
  },
);

it('an unknown method gets 501', async () => {
  const { talk } = await start();
  const response = await talk('FETCHIT /api/usage HTTP/1.1\r\nhost: localhost\r\n\r\n');
  expect(response, response).toMatch(/^HTTP\/1.1 501 /);
  expect(response).toContain('http.method_unknown');
});
