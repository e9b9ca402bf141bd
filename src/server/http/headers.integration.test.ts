import { afterEach, expect, it } from 'vitest';
import { createRawClient } from '../../../tests/support/raw-http.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

let server: TestServer | undefined;
let client: Awaited<ReturnType<typeof createRawClient>> | undefined;
afterEach(async () => {
  client?.close();
  await server?.close();
});

const HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'reporting-endpoints',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/** Response headers without those that differ per response. */
function headersIn(response: string): string[] {
  const [head = ''] = response.split('\r\n\r\n', 1);
  return head
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
}

it.each([
  ['a page', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
  ['a call', 'GET /api/usage HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
  ['a file', 'GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
  ['the health page', 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
  ['an address that cannot be decoded', 'GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['a call that cannot be decoded', 'GET /api/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['an absolute request target', 'GET http://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['broken syntax', 'GET / HTTP/1.1\r\nbroken\r\n\r\n', 400],
  ['no HTTP at all', '\x16\x03\x01 hello\r\n\r\n', 400],
  ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n', 200],
])('%s is answered with every security header', async (_what, bytes, status) => {
  server = await startTestServer({ env: { PUBLIC_URL: 'https://glyphlift.example' } });
  client = await createRawClient(server.app);
  const response = await client.talk(bytes);
  expect(response.split('\r\n', 1)[0]).toContain(String(status));
  expect(headersIn(response)).toEqual(expect.arrayContaining(HEADERS));
  expect(response).toMatch(
    /content-security-policy: default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}';/,
  );
  if (status >= 400) expect(headersIn(response)).toContain('cache-control');
  expect(server.log.join('')).not.toContain('%ff');
});

it.each([
  ['/assets/pdf-worker-a1_B-c.js', "script-src 'self' 'wasm-unsafe-eval'", 'connect-src'],
  ['/assets/barcode-worker-a1_B-c.js', "script-src 'self' 'wasm-unsafe-eval'", 'connect-src'],
  ['/assets/heic-worker-a1_B-c.js', "script-src 'self' 'wasm-unsafe-eval'", 'connect-src'],
  ['/assets/device-worker-a1_B-c.js', "'wasm-unsafe-eval'; worker-src 'self'", 'connect-src'],
  ['/assets/recognizer-worker-a1_B-c.js', "'wasm-unsafe-eval'; worker-src 'self'", 'connect-src'],
  ['/assets/ort-wasm-simd-threaded-a1_B-c.mjs', "'wasm-unsafe-eval'; worker-src 'self'", 'connect-src'],
  ['/assets/address-worker-a1_B-c.js', 'connect-src https: data:', 'wasm'],
])('%s has a policy that allows only its own use, and only as a built file', async (path, may, mayNot) => {
  const started = await startTestServer();
  server = started;
  const policyOf = async (url: string) =>
    String((await started.app.inject({ url })).headers['content-security-policy']);
  expect(await policyOf(path)).toContain(may);
  expect(await policyOf(path)).not.toContain(mayNot);
  for (const other of [`${path}?x`, path.replace(/-worker|-threaded/, '-helper'), '/'])
    expect(await policyOf(other), other).not.toContain(may);
});

it('isolates documents only if pictures can be read on the device, and no other responses', async () => {
  const isolationOf = async (onDevice: 'on' | 'off', url: string) => {
    await server?.close();
    server = await startTestServer({ env: { ON_DEVICE_READING: onDevice } });
    const { headers, statusCode } = await server.app.inject({ url });
    return [statusCode, headers['document-isolation-policy']];
  };
  expect(await isolationOf('on', '/')).toEqual([200, 'isolate-and-credentialless']);
  expect(await isolationOf('on', '/no-such-page')).toEqual([404, 'isolate-and-credentialless']);
  expect(await isolationOf('on', '/api/usage')).toEqual([200, undefined]);
  expect(await isolationOf('off', '/')).toEqual([200, undefined]);
});
