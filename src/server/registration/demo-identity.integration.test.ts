import { describe, expect, it } from 'vitest';
import { type Browser, createBrowser, createMember } from '../../../tests/support/people.ts';
import { createTestClock, sharedServer, startTestServer } from '../../../tests/support/server-app.ts';

const BEGIN = '/api/auth/google';
const AUTHORIZE = '/api/demo-sign-in';

const person = { name: 'Mary Example', email: 'mary@mail.example' };

/** Query of the demo's page. */
async function start(browser: Browser): Promise<Record<string, string>> {
  const { location = '' } = (await browser.get(BEGIN)).headers;
  const { pathname, searchParams } = new URL(location);
  expect(pathname).toBe('/demo-sign-in');
  return Object.fromEntries(searchParams);
}

/** Chooses an identity on the demo's page; returns the callback URL. */
async function choose(browser: Browser, query: object, who: object = person): Promise<string> {
  const answer = await browser.post(AUTHORIZE, { ...query, ...who });
  expect(answer.statusCode).toBe(200);
  const { pathname, search } = new URL(answer.json<{ redirectUrl: string }>().redirectUrl);
  return pathname + search;
}

const follow = async (browser: Browser, path: string) => (await browser.get(path)).headers.location;
const signIn = async (browser: Browser, who: object = person) =>
  follow(browser, await choose(browser, await start(browser), who));

describe('the demo identity provider', () => {
  const clock = createTestClock();
  const server = sharedServer({ clock });
  const browser = () => createBrowser(server.app);

  it('works like a real provider: pay first, then sign in, marked as a demo', async () => {
    const mary = browser();
    expect(await signIn(mary)).toBe('/?payment=required&email=mary%40mail.example');
    expect((await mary.pay(person.email)).json()).toEqual({ status: 'completed', kind: 'registration' });
    expect(await mary.user()).toBeUndefined();
    expect(await signIn(mary)).toBe('/?auth=signed-in');
    expect(await mary.user()).toMatchObject({ isPremium: true });
    expect((await mary.get('/api/account')).json()).toMatchObject({
      hasPassword: false,
      emailVerified: false,
      identities: [{ provider: 'demo_identity', email: person.email }],
    });
  });

  it('never signs in to an existing account with the same address', async () => {
    await createMember(server.app, 'grace');
    expect(await signIn(browser(), { name: 'Grace', email: 'grace@example.org' })).toBe('/?auth=exists');
  });

  it('works only in the browser that started the sign-in', async () => {
    const [victim, attacker] = [browser(), browser()];
    const planted = await choose(attacker, await start(attacker), { name: 'A', email: 'a@example.org' });
    expect(await follow(victim, planted)).toBe('/?auth=failed');
    await start(victim);
    expect(await follow(victim, planted)).toBe('/?auth=failed');
  });

  it('accepts a code once, within a minute, with the original nonce and challenge', async () => {
    const twice = browser();
    const path = await choose(twice, await start(twice), { name: 'B', email: 'b@example.org' });
    expect(await follow(twice, path)).toContain('/?payment=required');
    clock.advance(60_000);
    expect(await follow(twice, path)).toBe('/?auth=failed');

    const late = browser();
    const expired = await choose(late, await start(late), { name: 'C', email: 'c@example.org' });
    clock.advance(61_000);
    expect(await follow(late, expired)).toBe('/?auth=failed');

    for (const forged of [{ nonce: 'another' }, { challenge: 'another' }, { state: 'another' }]) {
      const one = browser();
      const changed = await choose(
        one,
        { ...(await start(one)), ...forged },
        { name: 'D', email: 'd@example.org' },
      );
      expect(await follow(one, changed)).toBe('/?auth=failed');
    }
  });

  it('fails if the user cancels', async () => {
    const one = browser();
    await start(one);
    expect(await follow(one, `${BEGIN}/callback?error=access_denied`)).toBe('/?auth=failed');
  });

  it.each([
    ['a forwarded request', { 'x-forwarded-for': '203.0.113.9' }],
    ['a foreign host name that resolves to this server', { host: 'rebound.example:3000' }],
  ])('is not offered for %s', async (_what, headers) => {
    const one = browser();
    expect((await one.get(BEGIN, headers)).headers.location).toBe('/?auth=failed');
    const query = { ...person, state: 's', nonce: 'n', challenge: 'c' };
    expect((await one.post(AUTHORIZE, query, headers)).statusCode).toBeGreaterThanOrEqual(400);
  });
});

it.each<[string, Record<string, string>]>([
  ['another machine can reach the server', { HOST: '0.0.0.0' }],
  ['the server has a public address', { PUBLIC_URL: 'https://glyphlift.example' }],
  ['demo payments are configured on a public server', { HOST: '0.0.0.0', PAYMENTS: 'demo' }],
  [
    'a provider is set up',
    { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
  ],
])('the demo identity is not offered when %s', async (_when, env) => {
  const server = await startTestServer({ env });
  const one = createBrowser(server.app);
  expect((await one.get(BEGIN)).headers.location).toBe('/?auth=failed');
  const query = { ...person, state: 's', nonce: 'n', challenge: 'c' };
  const origin = { origin: env.PUBLIC_URL ?? 'http://localhost:3000' };
  expect((await one.post(AUTHORIZE, query, origin)).statusCode).toBe(404);
  await server.close();
});
