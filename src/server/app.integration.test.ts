import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Call } from '#contract/call';
import { CALLS } from '#contract/calls';
import { listArticles } from '#contract/calls/content';
import { openApiSchema } from '#contract/openapi';
import {
  createTestClock,
  createVisitor,
  pictureForm,
  serversOfEachTest,
} from '../../tests/support/server-app.ts';
import { MemoryEngine } from '../../tests/support/server-engine.ts';
import { registerRoutesWithAccess } from './http/access.ts';
import { registerHealth } from './http/health.ts';

const start = serversOfEachTest();

describe('every route', () => {
  it('must state its access, or the start fails', async () => {
    const app = Fastify();
    registerRoutesWithAccess(app);
    app.get('/forgotten', async () => 'open to whom?');
    await expect(app.ready()).rejects.toThrow('GET /forgotten does not state who may call it');
  });

  it('must state its kind, and is a call exactly below the API prefix', async () => {
    const starting = (url: string, kind?: 'page' | 'call', declared?: Call) => {
      const app = Fastify();
      registerRoutesWithAccess(app);
      const config = {
        access: 'anyone',
        ...(kind && { kind }),
        ...(declared && { call: declared }),
      } as const;
      app.get(url, { config }, async () => '');
      return app.ready();
    };
    await expect(starting('/forgotten')).rejects.toThrow('GET /forgotten does not state what it is');
    await expect(starting('/api/page', 'page')).rejects.toThrow('GET /api/page is a page');
    await expect(starting('/call', 'call')).rejects.toThrow('GET /call is a call');
    await expect(starting('/api/call')).rejects.toThrow('GET /api/call is not declared in the contract');
    await expect(starting(listArticles.path, 'call', listArticles)).resolves.toBeTruthy();
  });

  it('of the API is declared in the contract, and every declared call exists', async () => {
    const { app } = await start();
    const registered = app.registeredRoutes
      // HEAD is added to every GET.
      .filter(({ kind, method }) => kind === 'call' && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
    const declared = Object.values(CALLS).flatMap((group) =>
      Object.values(group).map(({ method, path }) => `${method} ${path}`),
    );
    expect(registered.sort()).toEqual(declared.sort());
  });

  it('is in the public OpenAPI document', async () => {
    const { app } = await start();
    const response = await app.inject('/api/openapi.json');
    expect(response.headers['content-type']).toContain('application/json');
    const description = openApiSchema.parse(response.json());
    expect(Object.keys(description.paths)).toHaveLength(
      new Set(app.registeredRoutes.filter(({ kind }) => kind === 'call').map(({ url }) => url)).size,
    );
  });

  it('for users answers 401 to a visitor, and no API route answers HTML or a 5xx', async () => {
    const { app } = await start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const routes = app.registeredRoutes.filter(
      ({ url, access, method }) => url.startsWith('/api/') && access !== 'owner' && method !== 'HEAD',
    );
    expect(routes.length).toBeGreaterThan(5);
    for (const { method, url, access } of routes) {
      const path = url.replace(/:\w+/g, 'abcdefgh').replace('*', '');
      const response = await app.inject({ method: method as 'GET', url: path });
      const seen = `${method} ${url}: ${response.statusCode} ${response.body}`;
      if (access === 'user') expect(seen).toMatch(/: 401 /);
      if (response.statusCode !== 503) expect(response.statusCode, seen).toBeLessThan(500);
      if (response.body !== '') expect(response.headers['content-type'], seen).not.toContain('html');
    }
  });

  it('with side effects rejects pages of other sites, except for webhooks of providers', async () => {
    const { app } = await start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const routes = app.registeredRoutes.filter(
      ({ access, method }) => access !== 'provider' && !['GET', 'HEAD'].includes(method),
    );
    for (const { method, url } of routes) {
      const path = url.replace(/:\w+/g, 'abcdefgh');
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const response = await app.inject({ method: method as 'POST', url: path, headers });
      expect(`${method} ${url} ${response.statusCode}`).toBe(`${method} ${url} 403`);
    }
  });
});

describe('an error of the API', () => {
  it.each([
    ['GET', '/api/nothing-here', {}, '', 404],
    ['GET', '/api', {}, '', 404],
    ['GET', '/api/', {}, '', 404],
    ['POST', '/api/nothing-here', {}, '', 404],
    ['PUT', '/api/usage', {}, '', 405],
    ['GET', '/api/extract-text', {}, '', 405],
    ['HEAD', '/api/auth/google', {}, '', 405],
    ['POST', '/api/extract-text', { 'content-type': 'application/json' }, '{broken', 400],
    ['POST', '/api/login', { 'content-type': 'application/json' }, `"${'x'.repeat(70_000)}"`, 413],
    ['POST', '/api/extract-text', { 'content-type': 'text/csv' }, 'a,b', 415],
    ['GET', '/api/%E0%A4%A', {}, '', 400],
    ['GET', '/api/extractions/no/events', {}, '', 400],
  ])('%s %s is JSON with one sentence', async (method, url, headers, payload, status) => {
    const { app } = await start();
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers,
      ...(payload && { payload }),
    });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    if (method !== 'HEAD') {
      expect(Object.keys(response.json())).toEqual(['error', 'code']);
      expect(response.json().error).toMatch(/^[A-Z].+/);
    }
  });

  it.each([
    ['/api/texts', 'Cookie realm="Glyphlift"'],
    ['/api/jobs', 'Bearer realm="Glyphlift"'],
  ])('of %s without a known caller has a WWW-Authenticate challenge', async (url, challenge) => {
    const { app } = await start();
    const response = await app.inject(url);
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, challenge]);
  });

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, application/problem+json;q=0', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/problem+json'],
    ['application/json, Application/Problem+JSON; q=0.9', 'application/problem+json'],
  ])('for a client that accepts %s has the type %s', async (accept, type) => {
    const { app } = await start();
    const response = await app.inject({ url: '/api/texts', headers: { accept } });
    expect(response.headers['content-type']).toBe(type);
    const problem = { type: '/developers#accounts.sign_in_required', status: 401 };
    if (type.includes('problem')) expect(response.json()).toMatchObject(problem);
  });

  it('on the current user is 401 without a signed-in user', async () => {
    const { app } = await start();
    const response = await app.inject('/api/user');
    expect([response.statusCode, Object.keys(response.json())]).toEqual([401, ['error', 'code']]);
  });
});

describe('a page', () => {
  it('is complete HTML with the visitor’s data and a cookie, and its policy allows only its own inline scripts', async () => {
    const { app } = await start();
    const response = await app.inject('/');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
    const policy = String(response.headers['content-security-policy']).split('; ');
    for (const [name, element] of [
      ['script-src', 'script'],
      ['style-src', 'style'],
    ]) {
      const [, inline = ''] = new RegExp(`<${element}>([^<]+)</${element}>`).exec(response.body) ?? [];
      const hash = createHash('sha256').update(inline).digest('base64');
      expect(policy).toContain(`${name} 'self' 'sha256-${hash}'`);
    }
    expect(response.body).toContain('<script type="application/json" id="scripts">["/assets/entry.js"');
    expect(response.body).toContain('<p>support@glyphlift.example 2026-05-04T10:00:00.000Z</p>');
    expect(response.body).toMatch(/<script type="application\/json" id="state">\{"usage":\{"imageCount":0/);
    expect(response.cookies[0]).toMatchObject({
      name: 'visitor',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
  });

  it('that does not exist is the renderer’s 404', async () => {
    const { app } = await start();
    const response = await app.inject('/no/such/page?x=1');
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('<title>/no/such/page</title>');
  });

  it('redirects from a trailing slash to its canonical path, but never to another site', async () => {
    const { app } = await start();
    const response = await app.inject('/blog/?page=2');
    expect([response.statusCode, response.headers.location]).toEqual([308, '/blog?page=2']);
    expect((await app.inject('//evil.example/')).headers.location).toBeUndefined();
  });

  it('can redirect', async () => {
    const { app } = await start();
    const response = await app.inject('/moved');
    expect([response.statusCode, response.headers.location]).toEqual([302, '/']);
  });

  it('that cannot be rendered reveals nothing internal', async () => {
    const { app } = await start();
    const response = await app.inject('/broken');
    expect(response.statusCode).toBe(500);
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.body).not.toContain('secret detail');
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['br;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, *', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, identity', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['brotli, xgzip', undefined],
    ['', undefined],
  ])('is compressed by Accept-Encoding: %s', async (accepted, encoding) => {
    const { app } = await start();
    const response = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers.vary).toContain('Accept-Encoding');
    expect(response.body.startsWith('<!doctype html>')).toBe(encoding === undefined);
  });

  it('rejects POST', async () => {
    const { app } = await start();
    const response = await app.inject({ method: 'POST', url: '/blog' });
    expect(response.statusCode).toBe(405);
    expect(response.headers['content-type']).toContain('text/html');
  });
});

describe('a call with side effects', () => {
  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, 200],
    [{ origin: 'http://[::1]:3000' }, 200],
    [{ origin: 'http://localhost:3001', host: 'localhost:3001' }, 403],
    [{ origin: 'https://localhost:3000' }, 403],
    [{ origin: 'http://other.name:3000', host: 'other.name:3000' }, 403],
    [{ origin: 'http://other.name:3000', host: 'other.name:3000', 'sec-fetch-site': 'same-origin' }, 403],
    [{}, 200],
  ])('from %j is answered with %d', async (headers, status) => {
    const { app } = await start();
    const response = await createVisitor(app).upload(pictureForm(), headers as Record<string, string>);
    expect(response.statusCode).toBe(status);
  });
});

describe('the allowed origin', () => {
  it('is the configured public URL, for any Host header', async () => {
    const { app, log } = await start({ env: { PUBLIC_URL: 'https://glyphlift.example' } });
    const statusFrom = async (origin: string, host: string) =>
      (await createVisitor(app).upload(pictureForm(), { origin, host })).statusCode;
    expect(await statusFrom('https://glyphlift.example', 'glyphlift.example')).toBe(200);
    expect(await statusFrom('https://glyphlift.example', '10.0.0.5:3000')).toBe(200);
    expect(await statusFrom('http://localhost:3000', 'localhost:3000')).toBe(403);
    expect(await statusFrom('http://glyphlift.example', 'glyphlift.example')).toBe(403);
    expect(await statusFrom('https://evil.example', 'evil.example')).toBe(403);
    expect(log.filter((line) => line.includes('PUBLIC_URL'))).toHaveLength(1);
  });
});

describe('the cookie', () => {
  it('is Secure and host-only over https', async () => {
    const { app } = await start({ env: { PUBLIC_URL: 'https://glyphlift.example' } });
    const response = await app.inject('/');
    expect(response.cookies[0]).toMatchObject({ name: '__Host-visitor', secure: true, path: '/' });
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });
});

describe('too many requests', () => {
  it('of one visitor get 429 with a Retry-After, without limitExceeded', async () => {
    const { app } = await start({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
    const visitor = createVisitor(app);
    await visitor.get('/');
    for (let count = 0; count < 5; count++) expect((await visitor.get('/api/usage')).statusCode).toBe(200);
    const response = await visitor.get('/api/usage');
    expect(response.statusCode).toBe(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Object.keys(response.json())).toEqual(['error', 'code']);
    expect((await createVisitor(app).get('/api/usage')).statusCode).toBe(200);
  });

  it('of one address get 429, with any cookies', async () => {
    const { app } = await start({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      statuses.push((await createVisitor(app, '2001:db8:1:2::1').get('/api/usage')).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect((await createVisitor(app, '2001:db8:1:2:ffff::2').get('/api/usage')).statusCode).toBe(429);
    expect((await createVisitor(app, '2001:db8:1:3::1').get('/api/usage')).statusCode).toBe(200);
  });
});

describe('pages', () => {
  it('are rate-limited per visitor, with a readable message and a Retry-After', async () => {
    const { app } = await start({ env: { PAGE_LIMIT_PER_MINUTE: '3', RATE_LIMIT_PER_MINUTE: '1' } });
    const visitor = createVisitor(app);
    for (const path of ['/', '/no/such/page', '/blog/']) await visitor.get(path);
    const response = await visitor.get('/');
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect(response.body).toContain('Too many requests. Please wait a moment and try again.');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await visitor.get('/api/usage')).statusCode).toBe(200);
    expect((await createVisitor(app).get('/')).statusCode).toBe(200);
  });

  it('are rate-limited per address, with any cookies', async () => {
    const { app } = await start({ env: { PAGE_LIMIT_PER_MINUTE: '2' } });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await createVisitor(app).get('/')).statusCode);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect((await createVisitor(app, '203.0.113.8').get('/')).statusCode).toBe(200);
  });
});

describe('behind a proxy', () => {
  const ceiling = { ADDRESS_LIMIT_FACTOR: '1', FREE_DAILY_LIMIT: '1' };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('uses the forwarded address of a trusted proxy', async () => {
    const { app } = await start({ env: { ...ceiling, TRUST_PROXY: '1' } });
    const upload = (address: string) => createVisitor(app).upload(pictureForm(), from(address));
    expect((await upload('198.51.100.1')).statusCode).toBe(200);
    expect((await upload('9.9.9.9, 198.51.100.1')).statusCode).toBe(429);
    expect((await upload('198.51.100.2')).statusCode).toBe(200);
  });

  it.each([
    ['1', '198.51.100.1:5678', '198.51.100.1:9999', '198.51.100.2:5678'],
    [
      '127.0.0.0/8',
      '198.51.100.1:5678, 127.0.0.9:80',
      '198.51.100.1:9999, 127.0.0.9:81',
      '198.51.100.2:5678',
    ],
    ['1', '[2001:db8:1:2::1]:5678', '[2001:db8:1:2::2]', '[2001:db8:1:3::1]:5678'],
    ['1', '[2001:db8:1:2::1]:5678', '2001:db8:1:2::2', '2001:db8:1:3::1'],
  ])('ignores the port of a forwarded address (%s)', async (trusted, first, same, other) => {
    const { app } = await start({ env: { ...ceiling, TRUST_PROXY: trusted } });
    const upload = async (address: string) =>
      (await createVisitor(app, '127.0.0.1').upload(pictureForm(), from(address))).statusCode;
    expect([await upload(first), await upload(same), await upload(other)]).toEqual([200, 429, 200]);
  });

  it('ignores the forwarded address of an untrusted proxy, and logs it once', async () => {
    const { app, log } = await start({ env: ceiling });
    const upload = (address: string) => createVisitor(app).upload(pictureForm(), from(address));
    expect((await upload('198.51.100.1')).statusCode).toBe(200);
    expect((await upload('198.51.100.2')).statusCode).toBe(429);
    expect(log.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
  });
});

describe('the log', () => {
  it('contains no text, file names, queries or cookies', async () => {
    const { app, log } = await start();
    const visitor = createVisitor(app);
    await visitor.get('/blog?email=somebody@example.com');
    await visitor.upload();
    const all = log.join('');
    expect(all).toContain('/api/extract-text');
    for (const secret of ['Hello', 'private-name', 'somebody', ...visitor.cookies.values()]) {
      expect(all).not.toContain(secret);
    }
  });
});

describe('health', () => {
  it('reports liveness and readiness', async () => {
    const { app } = await start();
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready', database: 'ok', engine: 'ok' });
  });

  it('caches its checks for parallel and frequent requests', async () => {
    const clock = createTestClock();
    let asked = 0;
    const app = Fastify();
    registerHealth(app, {
      checks: { part: async () => void asked++ },
      isDraining: () => false,
      now: () => clock.now(),
    });
    await Promise.all(Array.from({ length: 100 }, () => app.inject('/readyz')));
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready', part: 'ok' });
    expect(asked).toBe(1);
    clock.advance(500);
    await app.inject('/readyz');
    expect(asked).toBe(2);
    await app.close();
  });

  it('names the dependency that does not answer', async () => {
    const engine = new MemoryEngine();
    engine.state = 'pausing';
    const { app } = await start({ engine });
    const response = await app.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ status: 'not ready', database: 'ok', engine: 'failed' });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });

  it('lists active sandbox layers, without reasons for inactive ones', async () => {
    const engine = new MemoryEngine();
    engine.confinement = { on: ['network', 'memory'], off: { files: 'it may not read /srv/private' } };
    const { app } = await start({ engine });
    expect((await app.inject('/readyz')).json()).toEqual({
      status: 'ready',
      database: 'ok',
      engine: 'ok',
      confinement: { network: 'on', memory: 'on', files: 'off' },
    });
  });

  it('never starts the engine', async () => {
    const engine = new MemoryEngine();
    engine.state = 'pausing';
    engine.ready = () => {
      throw new Error('health asked the engine to start');
    };
    const { app, log } = await start({ engine });
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.inject('/readyz')));
    expect(answers.map((answer) => answer.json().engine)).toEqual(Array(5).fill('failed'));
    expect(log.join('')).not.toContain('asked the engine to start');
  });
});

describe('a draining server', () => {
  it('is not ready, still serves requests, and closes connections', async () => {
    const { app } = await start({ isDraining: () => true });
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    const call = await createVisitor(app).upload();
    expect([call.statusCode, call.headers.connection]).toEqual([200, 'close']);
    const page = await app.inject('/');
    expect([page.statusCode, page.headers.connection]).toEqual([200, 'close']);
  });
});

describe('a stopping server', () => {
  it('rejects requests with a Retry-After, and still reports liveness', async () => {
    const { app } = await start({ isStopping: () => true });
    const call = await createVisitor(app).upload();
    expect(call.statusCode).toBe(503);
    expect(call.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
    expect(Object.keys(call.json())).toEqual(['error', 'code']);
    const page = await app.inject('/');
    expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect((await app.inject('/readyz')).statusCode).toBe(503);
  });
});
