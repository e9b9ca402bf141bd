import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holds } from '../../../tests/support/properties.ts';
import { type DnsLookup, NameUnresolved } from './dns-lookup.ts';
import { createWebhookCaller, isCallable, isPublicAddress } from './webhook-caller.ts';

describe('a webhook address', () => {
  it.each([
    'https://hooks.example.com/glyphlift?for=jobs',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/hook',
    'https://xn--bcher-kva.example/',
  ])('is %s', (address) => expect(isCallable(address, 'public')).toBe(true));

  it.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:6379/',
    'https://somebody:secret@hooks.example.com/',
    'https://localhost/',
    'https://printer/',
    'https://redis.internal/',
    ...['home.arpa', 'corp', 'intranet', 'localdomain', 'private', 'lan', 'home', 'mail', 'onion'].map(
      (suffix) => `https://a.${suffix}/`,
    ),
    'https://a.HOME.ARPA./hook',
    'https://fritz.box/',
    'https://127.0.0.1/',
    // Other spellings of the same address.
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'gopher://hooks.example.com/',
    'javascript:alert(1)',
    'not an address',
    '',
  ])('is not %s', (address) => expect(isCallable(address, 'public')).toBe(false));

  it('may be any http or https URL with WEBHOOK_TARGETS=anywhere', () => {
    expect(isCallable('http://127.0.0.1:3000/hook', 'anywhere')).toBe(true);
    expect(isCallable('https://localhost/hook', 'anywhere')).toBe(true);
    expect(isCallable('file:///etc/passwd', 'anywhere')).toBe(false);
  });

  it('isCallable: given a list of origins, allows these and public hosts', () => {
    const targets = ['http://n8n:5678', 'https://paperless.lan'];
    expect(isCallable('http://n8n:5678/webhook/7', targets)).toBe(true);
    expect(isCallable('https://paperless.lan/', targets)).toBe(true);
    expect(isCallable('https://example.com/hook', targets)).toBe(true);
    for (const other of [
      'http://n8n/webhook',
      'https://n8n:5678/',
      'http://n8n:5678@127.0.0.1/',
      'http://person@n8n:5678/',
      'https://other.lan/',
      'http://127.0.0.1:5678/',
    ])
      expect(isCallable(other, targets), other).toBe(false);
  });
});

describe('a publicly reachable address', () => {
  it.each(['1.1.1.1', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2a00:1450:4001::1'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.53', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1'],
    ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', 'fc00::1', 'fd12::1', 'fe80::1'],
    ...['fe80::1%eth0', 'fec0::1', 'ff02::1', '5f00::1', 'somewhere', ''],
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));

  it('is never an IPv4 address embedded in an IPv6 one', () =>
    holds(
      fc.asyncProperty(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::'), async (inner, prefix) => {
        expect(isPublicAddress(`${prefix}${inner}`)).toBe(false);
      }),
      200,
    ));
});

describe('a webhook request', () => {
  let server: Server;
  let port: number;
  const seen: { url: string | undefined; body: string }[] = [];
  let answer: (response: import('node:http').ServerResponse) => void = (response) => response.end('secret');
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ url: request.url, body });
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const resolving =
    (...addresses: { address: string; family: number }[]): DnsLookup =>
    async () =>
      addresses;
  const inside = { address: '127.0.0.1', family: 4 };

  it.each([
    ['this machine', [inside]],
    ['a private address among others', [{ address: '93.184.215.14', family: 4 }, inside]],
    ['a mapped private address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['nothing', []],
  ])('is not made if the name resolves to %s at the time of the connection', async (_what, found) => {
    const outside = createWebhookCaller({ targets: 'public', lookup: resolving(...found) });
    expect(await outside('https://rebinding.example.com/', {}, '{}')).toEqual({ error: 'address_refused' });
    expect(seen).toEqual([]);
  });

  it('createWebhookCaller: given a private origin in the list, calls it and no other private address', async () => {
    const outside = createWebhookCaller({ targets: [`http://localhost:${port}`], lookup: resolving(inside) });
    expect(await outside(`http://localhost:${port}/hook`, {}, '{}')).toEqual({ status: 200 });
    expect(await outside(`http://127.0.0.1:${port}/hook`, {}, '{}')).toEqual({ error: 'address_refused' });
    expect(await outside('https://other.example.com/', {}, '{}')).toEqual({ error: 'address_refused' });
    seen.length = 0;
  });

  it('is not made to a private or forbidden address', async () => {
    const outside = createWebhookCaller({ targets: 'public' });
    for (const address of [`https://127.0.0.1:${port}/`, `http://localhost:${port}/`, 'https://[::1]/'])
      expect(await outside(address, {}, '{}')).toEqual({ error: 'address_refused' });
    expect(seen).toEqual([]);
  });

  it('returns the status of its answer and nothing else, and follows no redirect', async () => {
    const outside = createWebhookCaller({ targets: 'anywhere' });
    const address = `http://127.0.0.1:${port}/hook`;
    expect(await outside(address, {}, '{"a":1}')).toEqual({ status: 200 });
    expect(seen.splice(0)).toEqual([{ url: '/hook', body: '{"a":1}' }]);
    answer = (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end();
    expect(await outside(address, {}, '{}')).toEqual({ status: 302 });
    expect(seen.splice(0).map(({ url }) => url)).toEqual(['/hook']);
  });

  it('times out without an answer', async () => {
    const outside = createWebhookCaller({ targets: 'anywhere', timeoutMs: 50 });
    answer = () => {};
    expect(await outside(`http://127.0.0.1:${port}/`, {}, '{}')).toEqual({ error: 'timed_out' });
  });

  it('is unreachable at a closed port', async () => {
    const outside = createWebhookCaller({ targets: 'anywhere' });
    expect(await outside('http://127.0.0.1:1/', {}, '{}')).toEqual({ error: 'unreachable' });
  });

  it.each([
    ['has no address', () => Promise.reject(new NameUnresolved('none')), 'unreachable'],
    ['gets no answer from its name servers', () => new Promise<never>(() => {}), 'timed_out'],
  ])(
    'webhook request: a name that %s ends the attempt in time with its own error',
    async (_what, lookup, error) => {
      const outside = createWebhookCaller({ targets: 'public', lookup, timeoutMs: 100 });
      expect(await outside('https://slow.example.com/', {}, '{}')).toEqual({ error, dnsFailed: true });
    },
  );

  it('does not wait for an endless response body', async () => {
    const outside = createWebhookCaller({ targets: 'anywhere' });
    answer = (response) => {
      const more = setInterval(() => response.write('x'.repeat(1000)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect(await outside(`http://127.0.0.1:${port}/`, {}, '{}')).toEqual({ status: 200 });
  });
});
