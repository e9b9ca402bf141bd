import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { PageRequest } from '#contract/page';
import { PREMIUM_PRICE } from '#contract/product';
import {
  createTestClock,
  createVisitor,
  fakePageRenderer,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../tests/support/server-app.ts';
import type { PageRenderer } from './http/pages.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const NO_RATE_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000',
  PAGE_LIMIT_PER_MINUTE: '1000',
  ADDRESS_LIMIT_FACTOR: '100',
};

/** A renderer that counts, with a delay like a larger page. */
function countingWeb() {
  const rendered: PageRequest[] = [];
  const web: PageRenderer = {
    ...fakePageRenderer,
    async render(request) {
      rendered.push(request);
      await setImmediate();
      return fakePageRenderer.render(request);
    },
  };
  return { web, rendered };
}

async function start(env: Record<string, string> = {}) {
  const { web, rendered } = countingWeb();
  const clock = createTestClock();
  server = await startTestServer({ web, clock, env: { ...NO_RATE_LIMITS, ...env } });
  return { app: server.app, rendered, clock };
}

const PASSWORD = 'harbour lights 7';

/** A server with the demo payment provider. */
const HERE = '127.0.0.1';

async function register(visitor: Visitor, username: string): Promise<void> {
  const email = `${username}@example.org`;
  const payload = { username, email, password: PASSWORD };
  expect((await visitor.send({ method: 'POST', url: '/api/register', payload })).statusCode).toBe(402);
}

async function becomeMember(visitor: Visitor, username: string): Promise<void> {
  await register(visitor, username);
  const payment = { email: `${username}@example.org`, ...PREMIUM_PRICE };
  const paid = await visitor.send({ method: 'POST', url: '/api/payment/paypal', payload: payment });
  expect(paid.statusCode).toBe(200);
  const login = { username, password: PASSWORD };
  expect((await visitor.send({ method: 'POST', url: '/api/login', payload: login })).statusCode).toBe(200);
}

/** The visitor data in the page. */
async function shownTo(visitor: Visitor, url = '/') {
  const { body } = await visitor.get(url);
  const [, state = ''] = /id="state">(.*?)<\/script>/.exec(body) ?? [];
  const { user, usage } = JSON.parse(state);
  return { username: user?.username ?? null, read: usage.imageCount };
}

describe('the page of an anonymous visitor', () => {
  it('is rendered once for visitors with the same usage, and again for others', async () => {
    const { app, rendered } = await start();
    const [first, second] = [createVisitor(app), createVisitor(app)];
    const pages = [await first.get('/'), await second.get('/'), await second.get('/')];
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    expect(rendered).toHaveLength(1);

    await second.upload();
    expect(await shownTo(second)).toEqual({ username: null, read: 1 });
    expect(await shownTo(first)).toEqual({ username: null, read: 0 });
    const third = createVisitor(app);
    await third.get('/');
    await third.upload();
    expect(await shownTo(third)).toEqual({ username: null, read: 1 });
    expect(rendered).toHaveLength(2);
  });

  it('sets a cookie per visitor', async () => {
    const { app, rendered } = await start();
    const cookies = [await app.inject('/'), await app.inject('/')].map(({ cookies }) => cookies[0]?.value);
    expect(cookies.every(Boolean)).toBe(true);
    expect(new Set(cookies).size).toBe(2);
    expect(rendered).toHaveLength(1);
  });

  it('ignores unknown query parameters', async () => {
    const { app, rendered } = await start();
    const plain = (await app.inject('/')).body;
    expect((await app.inject('/?payment=required&email=planted')).body).toBe(plain);
    expect(rendered).toHaveLength(1);
  });

  it('is rendered per request at non-canonical paths', async () => {
    const { app, rendered } = await start();
    for (const path of ['/no/such/page', '/no/such/page', '/no/such/page?again']) await app.inject(path);
    expect(rendered.map(({ url }) => url)).toEqual(['/no/such/page', '/no/such/page', '/no/such/page?again']);
  });

  it('shows the current minute', async () => {
    const { app, clock } = await start();
    clock.set('2026-05-04T23:59:59.999Z');
    expect((await app.inject('/')).body).toContain('2026-05-04T23:59:00.000Z');
    clock.advance(1);
    const next = (await app.inject('/')).body;
    expect(next).toContain('2026-05-05T00:00:00.000Z');
    expect(next).toContain('2026-05-06T00:00:00.000Z');
  });

  it('offers the demo payment on localhost only', async () => {
    const { app, rendered } = await start();
    await createVisitor(app, '127.0.0.1').get('/');
    await createVisitor(app, '203.0.113.7').get('/');
    await createVisitor(app, '127.0.0.1').get('/');
    expect(rendered.map(({ site }) => site.thirdPartySignIn)).toEqual(['demo', null]);
  });

  it('is complete in every encoding from the first response on, and has no body for HEAD', async () => {
    const { app, rendered } = await start();
    const ask = (encoding: string, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ url: '/', method, headers: { 'accept-encoding': encoding } });
    const plain = (await ask('identity')).body;
    for (let count = 0; count < 2; count++) {
      expect(brotliDecompressSync((await ask('br')).rawPayload).toString()).toBe(plain);
      expect(gunzipSync((await ask('gzip')).rawPayload).toString()).toBe(plain);
      const head = await ask('br', 'HEAD');
      expect(head.body).toBe('');
      expect(head.headers['content-length']).toBe((await ask('br')).headers['content-length']);
    }
    expect(rendered).toHaveLength(1);
  });

  it('is not cached in development', async () => {
    let version = 0;
    const web: PageRenderer = {
      ...fakePageRenderer,
      transform: async (_url, html) => `${html}<!-- ${++version} -->`,
    };
    server = await startTestServer({ web });
    expect((await server.app.inject('/')).body).toContain('<!-- 1 -->');
    expect((await server.app.inject('/')).body).toContain('<!-- 2 -->');
  });
});

describe('the page of a known visitor', () => {
  it('is never mixed up between parallel requests of users', async () => {
    const { app } = await start();
    const people = ['ada', 'bella', 'clara'];
    const members = await Promise.all(
      people.map(async (username) => {
        const visitor = createVisitor(app, HERE);
        await becomeMember(visitor, username);
        return { visitor, shown: { username, read: 0 } };
      }),
    );
    const visitors = await Promise.all(
      [0, 1, 2, 3].map(async (read) => {
        const visitor = createVisitor(app, HERE);
        await visitor.get('/');
        for (let count = 0; count < read; count++) await visitor.upload();
        return { visitor, shown: { username: null, read } };
      }),
    );
    const everyone = [...members, ...visitors];
    const asked = Array.from({ length: 12 }, (_, round) =>
      round % 2 ? everyone : everyone.toReversed(),
    ).flat();
    const answers = await Promise.all(asked.map(({ visitor }) => shownTo(visitor)));
    expect(answers).toEqual(asked.map(({ shown }) => shown));
  });

  it('shows the user from the first page after signing in, and none from the first after signing out', async () => {
    const { app } = await start();
    const visitor = createVisitor(app, HERE);
    expect((await shownTo(visitor)).username).toBeNull();
    await becomeMember(visitor, 'ada');
    expect((await shownTo(visitor)).username).toBe('ada');
    await visitor.send({ method: 'POST', url: '/api/logout' });
    expect((await shownTo(visitor)).username).toBeNull();
  });

  it('is rendered per visitor while a registration is pending in the browser', async () => {
    const { app, rendered } = await start();
    const visitor = createVisitor(app, HERE);
    await register(visitor, 'ada');
    await visitor.get('/');
    await visitor.get('/');
    expect(rendered).toHaveLength(2);
    expect(await rendered[1]?.data.payment()).toMatchObject({ payingFor: { username: 'ada' } });
    await createVisitor(app, HERE).get('/');
    expect(await rendered[2]?.data.payment()).toMatchObject({ payingFor: null });
  });
});
