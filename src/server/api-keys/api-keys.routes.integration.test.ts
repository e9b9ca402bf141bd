import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#contract/calls';
import {
  type Browser,
  createBrowser,
  createMember,
  mailTo,
  PASSWORD,
} from '../../../tests/support/people.ts';
import {
  createTestClock,
  createVisitor,
  pictureForm,
  sharedServer,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server-app.ts';
import {
  createTestDatabase,
  DEFAULT_DATABASES,
  describeOnce,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';
import { MemoryEngine } from '../../../tests/support/server-engine.ts';
import { createApiKey } from './key.ts';

const SCOPES = ['read', 'usage'];

interface CreatedKey {
  key: { id: string; name: string; ending: string; lastUsedAt: string | null };
  secret: string;
}

async function makeKey(person: Browser, wanted: object = {}): Promise<CreatedKey> {
  const created = await person.post('/api/account/keys', {
    name: 'Scanner',
    scopes: SCOPES,
    currentPassword: PASSWORD,
    ...wanted,
  });
  expect(created.statusCode, created.body).toBe(201);
  return created.json<CreatedKey>();
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** An API client on another machine, without cookies. */
function apiClient(server: TestServer, secret: string, address = '198.51.100.9') {
  const { get, upload } = createVisitor(server.app, address);
  return {
    usage: (headers = {}) => get('/api/usage', { ...bearer(secret), ...headers }),
    read: (form = pictureForm(), headers = {}) => upload(form, { ...bearer(secret), ...headers }),
    get: (url: string) => get(url, bearer(secret)),
  };
}

describe.each(DEFAULT_DATABASES)('API keys (%s)', (database) => {
  const clock = createTestClock();
  const engine = new MemoryEngine();
  const server = sharedServer({ database, clock, engine, env: { RATE_LIMIT_PER_MINUTE: '1000' } });

  it('are created with the password, shown once, and announced by mail', async () => {
    const anna = await createMember(server.app, 'anna');
    const wrong = { name: 'Scanner', scopes: SCOPES, currentPassword: 'not it at all' };
    const refused = await anna.post('/api/account/keys', wrong);
    expect(refused.json()).toMatchObject({ code: 'accounts.wrong_password' });
    const { key, secret } = await makeKey(anna, { name: ' Scanner  ' });
    expect(key).toMatchObject({ name: 'Scanner', scopes: SCOPES, lastUsedAt: null });
    expect(secret.endsWith(key.ending)).toBe(true);
    const listed = await anna.get('/api/account/keys');
    expect(listed.json()).toEqual({ keys: [key] });
    expect(listed.body).not.toContain(secret);
    const mail = await mailTo(server.mails, 'anna@example.org', /new API key/i);
    expect(mail.text).not.toContain(secret);
  });

  it('are stored as hashes, and appear in no log', async () => {
    const ben = await createMember(server.app, 'ben');
    const { secret } = await makeKey(ben);
    await apiClient(server, secret).usage();
    const rows = await server.database.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(0, -4));
    expect(server.log.join('')).not.toContain(secret.slice(0, 20));
  });

  it.each([
    [{ name: ' ' }, 'Please give the key a name'],
    [{ name: 'x'.repeat(61) }, 'Please give the key a shorter name'],
    [{ scopes: [] }, 'Please choose what the key is good for'],
    [{ scopes: ['everything'] }, expect.any(String)],
    [{ origins: ['https://app.example.org/'] }, expect.stringContaining('without a path')],
    [{ origins: ['https://app.example.org', '*'] }, expect.stringContaining('without a path')],
    [{ origins: ['http://app.example.org'] }, expect.stringContaining('https://app.example.org')],
    [
      { origins: Array.from({ length: 11 }, (_, at) => `https://app${at}.example.org`) },
      'Please name 10 web pages at most',
    ],
  ])('are not created from %j', async (wanted, error) => {
    const name = `carl${database}${JSON.stringify(wanted).length}`;
    const carl = await createMember(server.app, name);
    const created = await carl.post('/api/account/keys', {
      name: 'Scanner',
      scopes: SCOPES,
      currentPassword: PASSWORD,
      ...wanted,
    });
    expect(created.statusCode).toBe(400);
    expect(created.json()).toEqual({ error, code: 'http.invalid_body' });
  });

  it('are limited to ten per user, also for parallel requests', async () => {
    const dora = await createMember(server.app, 'dora');
    for (let created = 0; created < 9; created++) await makeKey(dora);
    const last = await Promise.all(
      Array.from({ length: 4 }, () =>
        dora.post('/api/account/keys', { name: 'One', scopes: ['read'], currentPassword: PASSWORD }),
      ),
    );
    const statuses = last.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([409]));
  });

  it('read images and get the usage, with their owner’s quota, priority and thorough recognition', async () => {
    const { read: originalRead } = engine;
    let thorough: boolean | undefined;
    engine.read = (picture, options) => {
      ({ thorough } = options);
      return originalRead(picture, options);
    };
    const emil = await createMember(server.app, 'emil');
    const { secret } = await makeKey(emil);
    const scanner = apiClient(server, secret);
    const read = await scanner.read();
    engine.read = originalRead;
    expect(read.json()).toMatchObject({ extractedText: 'Hello world', wordCount: 2 });
    expect(thorough).toBe(true);
    expect((await scanner.usage()).json()).toMatchObject({ imageCount: 1, dailyLimit: 1500 });
    expect(await emil.usage()).toMatchObject({ imageCount: 1, dailyLimit: 1500 });
    expect(read.headers['set-cookie']).toBeUndefined();
    expect((await scanner.get('/api/languages')).statusCode).toBe(200);
  });

  describe('CORS', () => {
    const PAGE = 'https://app.example.org';
    const preflight = (url: string, headers: Record<string, string> = {}) =>
      server.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin: PAGE, 'access-control-request-method': 'POST', ...headers },
      });
    const corsOf = ({ headers }: { headers: Record<string, unknown> }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

    it('allows a page with a key that names its origin', async () => {
      expect(corsOf(await preflight('/api/extract-text'))).toEqual({});
      const quentin = await createMember(server.app, 'quentin');
      const { key, secret } = await makeKey(quentin, { origins: ['http://localhost:5173', PAGE, PAGE] });
      expect(key).toMatchObject({ origins: ['http://localhost:5173', PAGE] });
      expect((await quentin.get('/api/account/keys')).json()).toEqual({ keys: [key] });
      const response = await preflight('/api/extract-text', {
        'access-control-request-headers': 'authorization,content-type',
      });
      expect([response.statusCode, corsOf(response), response.headers.vary]).toEqual([
        204,
        {
          'access-control-allow-origin': PAGE,
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'Accept, Authorization, Content-Type, Idempotency-Key',
          'access-control-max-age': '600',
        },
        'Origin',
      ]);
      const read = await apiClient(server, secret).read(pictureForm(), { origin: PAGE });
      expect([read.statusCode, corsOf(read)]).toEqual([
        200,
        {
          'access-control-allow-origin': PAGE,
          'access-control-expose-headers': 'Location, RateLimit, RateLimit-Policy, Retry-After, x-request-id',
        },
      ]);
      const refused = await apiClient(server, secret).read(new FormData(), { origin: PAGE });
      expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([400, PAGE]);
    });

    it('does not allow a page with a key that names other origins or none', async () => {
      const rosa = await createMember(server.app, 'rosa');
      const others = await makeKey(rosa, { origins: [PAGE] });
      const none = await makeKey(rosa);
      for (const [secret, origin] of [
        [others.secret, 'https://app.example.org.evil.example'],
        [others.secret, 'null'],
        [none.secret, PAGE],
      ] as const) {
        const answer = await apiClient(server, secret).usage({ origin });
        expect([answer.statusCode, corsOf(answer)]).toEqual([200, {}]);
      }
    });

    it.each([
      ['a call for signed-in users only', '/api/account/keys', {}],
      ['an origin that no key names', '/api/extract-text', { origin: 'https://evil.example' }],
      ['a method that keys do not allow', '/api/extract-text', { 'access-control-request-method': 'DELETE' }],
      ['a page of the site', '/blog', { 'access-control-request-method': 'GET' }],
    ])('does not allow %s to pages of other sites', async (_, url, headers) => {
      expect(corsOf(await preflight(url, headers))).toEqual({});
    });

    it('does not allow a page to use its visitor’s cookies', async () => {
      const zoe = await createMember(server.app, 'zoe');
      await makeKey(zoe, { origins: [PAGE] });
      const answer = await zoe.get('/api/usage', { origin: PAGE });
      expect(corsOf(answer)).toEqual({});
      expect((await zoe.post('/api/account/keys', {}, { origin: PAGE })).statusCode).toBe(403);
    });

    it('no longer allows origins of a revoked key', async () => {
      const yan = await createMember(server.app, 'yan');
      const origin = 'https://once.example.org';
      const { key } = await makeKey(yan, { origins: [origin] });
      expect(corsOf(await preflight('/api/extract-text', { origin }))).not.toEqual({});
      await yan.send({ method: 'DELETE', url: `/api/account/keys/${key.id}` });
      expect(corsOf(await preflight('/api/extract-text', { origin }))).toEqual({});
    });
  });

  it('get the stored answer for a day when they repeat a request with its Idempotency-Key', async () => {
    const erna = await createMember(server.app, 'erna');
    const { secret } = await makeKey(erna);
    const read = () => apiClient(server, secret).read(pictureForm(), { 'idempotency-key': 'once-a-day' });
    const first = await read();
    expect(first.statusCode, first.body).toBe(200);
    const { started } = engine;
    clock.advance(23 * 60 * 60_000);
    expect((await read()).body).toBe(first.body);
    expect(engine.started).toBe(started);
    expect((await apiClient(server, secret).usage()).json()).toMatchObject({ imageCount: 1 });
  });

  it('allow calls of their scopes only', async () => {
    const fritz = await createMember(server.app, 'fritz');
    const { secret } = await makeKey(fritz, { scopes: ['read'] });
    const refused = await apiClient(server, secret).usage();
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'api_keys.out_of_scope' });
    expect(refused.headers['www-authenticate']).toContain('scope="usage"');
    expect((await apiClient(server, secret).read()).statusCode).toBe(200);
  });

  it('show their last use, stored at most once a minute', async () => {
    const gerda = await createMember(server.app, 'gerda');
    const { secret } = await makeKey(gerda);
    const lastUse = async () =>
      (await gerda.get('/api/account/keys')).json<{ keys: CreatedKey['key'][] }>().keys[0]?.lastUsedAt;
    await apiClient(server, secret).usage();
    const first = clock.now().toISOString();
    expect(await lastUse()).toBe(first);
    clock.advance(50_000);
    await apiClient(server, secret).usage();
    expect(await lastUse()).toBe(first);
    clock.advance(10_000);
    await apiClient(server, secret).usage();
    expect(await lastUse()).toBe(clock.now().toISOString());
  });

  it('are rejected as soon as their owner revokes them', async () => {
    const hans = await createMember(server.app, 'hans');
    const other = await createMember(server.app, 'hanna');
    const { key, secret } = await makeKey(hans);
    const revoke = (person: Browser) => person.send({ method: 'DELETE', url: `/api/account/keys/${key.id}` });
    expect((await revoke(other)).statusCode).toBe(404);
    expect((await apiClient(server, secret).usage()).statusCode).toBe(200);
    expect((await revoke(hans)).statusCode).toBe(200);
    const refused = await apiClient(server, secret).usage();
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer /);
    expect(refused.json()).toMatchObject({ code: 'api_keys.unknown' });
    expect((await revoke(hans)).statusCode).toBe(404);
  });

  it('are rejected with the reason without premium, and work again after a renewal', async () => {
    const ida = await createMember(server.app, 'ida');
    const { secret } = await makeKey(ida);
    const otherUser = await createMember(server.app, 'ingo');
    const id = (await server.services.accounts.findByLogin('ida'))?.id ?? '';
    await server.services.billing.subscriptions.markRefunded(id);
    const refused = await apiClient(server, secret).read();
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'api_keys.premium_over' });
    const more = { name: 'More', scopes: SCOPES, currentPassword: PASSWORD };
    expect((await ida.post('/api/account/keys', more)).json()).toMatchObject({
      code: 'api_keys.premium_required',
    });
    expect((await otherUser.post('/api/account/keys', more)).statusCode).toBe(201);
    expect((await ida.pay('ida@example.org')).statusCode).toBe(200);
    expect((await apiClient(server, secret).read()).statusCode).toBe(200);
  });

  it('are deleted with the account, and exported without the keys themselves', async () => {
    const karl = await createMember(server.app, 'karl');
    const { secret } = await makeKey(karl, { name: 'Archive' });
    const data = await karl.get('/api/account/data');
    expect(data.json()).toMatchObject({ apiKeys: [{ name: 'Archive' }] });
    expect(data.body).not.toContain(secret);
    const gone = await karl.post('/api/account/delete', { username: 'karl', currentPassword: PASSWORD });
    expect(gone.statusCode).toBe(200);
    expect((await apiClient(server, secret).usage()).statusCode).toBe(401);
  });
});

describeOnce('a request with an API key', () => {
  const clock = createTestClock();
  const server = sharedServer({ clock, env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  let owner: Browser;
  let secret: string;
  beforeAll(async () => {
    owner = await createMember(server.app, 'owner');
    ({ secret } = await makeKey(owner));
  });

  it("acts for the key's owner, ignores cookies, and sets none", async () => {
    const other = await createMember(server.app, 'other');
    expect((await other.upload()).statusCode).toBe(200);
    expect((await other.upload()).statusCode).toBe(200);
    const response = await other.get('/api/usage', { ...bearer(secret), 'shown-person': 'other' });
    expect(response.json()).toMatchObject({ imageCount: 0, dailyLimit: 1500 });
    expect(response.headers['set-cookie']).toBeUndefined();
    const unknown = await other.get('/api/usage', bearer(createApiKey()));
    expect(unknown.statusCode).toBe(401);
    expect(unknown.headers['set-cookie']).toBeUndefined();
  });

  it('is rejected by every endpoint that does not accept API keys, before anything runs', async () => {
    const declared = Object.values(CALLS).flatMap((group) => Object.values(group));
    const open = declared
      .filter(({ key }) => key !== undefined)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'DELETE /api/jobs/:id',
      'GET /api/jobs',
      'GET /api/jobs/:id',
      'GET /api/jobs/:id/result',
      'GET /api/languages',
      'GET /api/openapi.json',
      'GET /api/usage',
      'POST /api/extract-text',
      'POST /api/jobs',
    ]);
    const calls = server.app.registeredRoutes.filter(({ kind }) => kind === 'call');
    expect(calls.filter(({ method }) => method !== 'HEAD')).toHaveLength(declared.length);
    const cookies = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
    for (const { method, url } of calls) {
      if (open.includes(`${method === 'HEAD' ? 'GET' : method} ${url}`)) continue;
      const answer = await server.app.inject({
        method: method as 'GET',
        url: url.replace(/:\w+/g, 'abcdefgh'),
        // Signed in as well, because the key takes precedence.
        headers: { ...bearer(secret), cookie: cookies },
        remoteAddress: '127.0.0.1',
      });
      const seen = `${method} ${url}: ${answer.statusCode} ${answer.body}`;
      expect(seen).toMatch(/: 403 /);
      if (method !== 'HEAD')
        expect(answer.json(), seen).toMatchObject({ code: 'api_keys.not_for_this_call' });
    }
    expect(await owner.user()).toMatchObject({ username: 'owner' });
    expect((await apiClient(server, secret).get('/api/openapi.json')).statusCode).toBe(200);
  });

  it.each([
    ['no key at all', 'Bearer'],
    ['another secret', 'Bearer abc'],
    ['an unknown key', `bearer ${createApiKey()}`],
    ['two keys', `Bearer ${createApiKey()} ${createApiKey()}`],
  ])('with %s is rejected, not treated as an anonymous visitor', async (_what, authorization) => {
    const answer = await createVisitor(server.app, '198.51.100.77').get('/api/usage', { authorization });
    expect(answer.statusCode).toBe(401);
  });

  it('ignores Basic credentials, which a reverse proxy may have required', async () => {
    const response = await owner.get('/api/usage', { authorization: 'Basic YTpi' });
    expect(response.json()).toMatchObject({ dailyLimit: 1500 });
  });

  it('gets failures as problem details, with the code and a link to its explanation', async () => {
    const answer = await apiClient(server, secret).read(pictureForm({ useFiltering: 'perhaps' }));
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toEqual({
      type: '/developers#recognition.bad_field',
      title: 'A field of the form or the JSON is invalid.',
      status: 400,
      detail: 'The field "useFiltering" is not valid',
      error: 'The field "useFiltering" is not valid',
      code: 'recognition.bad_field',
    });
    const missing = await apiClient(server, secret).get('/api/nothing-here');
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
  });

  it('repeated with its Idempotency-Key counts once', async () => {
    const before = (await apiClient(server, secret).usage()).json<{ imageCount: number }>().imageCount;
    const again = { 'idempotency-key': 'page-1' };
    const answers = [
      await apiClient(server, secret).read(pictureForm(), again),
      await apiClient(server, secret, '198.51.100.10').read(pictureForm(), again),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await apiClient(server, secret).usage()).json()).toMatchObject({ imageCount: before + 1 });
  });
});

describeOnce('rate limits for API clients', () => {
  it('return the remaining rate limit, then a Retry-After, counted over all keys of one user', async () => {
    const server = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '30' } });
    const owner = await createMember(server.app, 'owner');
    const keys = [await makeKey(owner), await makeKey(owner)];
    const answers = [];
    for (let call = 0; call < 31; call++) {
      // Each from another network, because the limit is per user.
      answers.push(await apiClient(server, keys[call % 2]!.secret, `192.0.2.${call}`).usage());
    }
    expect(answers[0]?.headers).toMatchObject({
      'ratelimit-policy': '"calls";q=30;w=60',
      ratelimit: expect.stringMatching(/^"calls";r=29;t=\d+$/),
    });
    const last = answers.at(-1);
    expect(last?.statusCode).toBe(429);
    expect(last?.headers.ratelimit).toMatch(/^"calls";r=0;t=\d+$/);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect(last?.json()).toMatchObject({ code: 'http.too_many_requests', status: 429 });
    await server.close();
  });

  it('count calls with invalid keys by address', async () => {
    const server = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const owner = await createMember(server.app, 'owner');
    const { secret } = await makeKey(owner);
    const statuses = new Map<number, number>();
    for (let guess = 0; guess < 60; guess++) {
      const { statusCode, headers } = await apiClient(server, createApiKey()).usage();
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 50, 429: 10 });
    expect((await apiClient(server, secret).usage()).statusCode).toBe(200);
    await server.close();
  });
});

describeOnce('two web processes on one database', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('postgres');
  });
  afterAll(() => testDatabase.remove());

  it('both reject a key as soon as one of them has revoked it', async () => {
    const servers = [
      await startTestServer({ testDatabase }),
      await startTestServer({ testDatabase }),
    ] as const;
    const owner = await createMember(servers[0].app, 'owner');
    const { key, secret } = await makeKey(owner);
    const response = () => Promise.all(servers.map((server) => apiClient(server, secret).usage()));
    expect((await response()).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await owner.send({ method: 'DELETE', url: `/api/account/keys/${key.id}` });
    expect((await response()).map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    for (const server of servers) await server.close();
  });
});

describeOnce('a caller without a key', () => {
  it('gets failures as plain JSON', async () => {
    const server = await startTestServer();
    const otherUser = createBrowser(server.app);
    const answer = await otherUser.upload(pictureForm({ useFiltering: 'perhaps' }));
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual({
      error: 'The field "useFiltering" is not valid',
      code: 'recognition.bad_field',
    });
    await server.close();
  });
});
