import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityProviderDouble } from '../../../tests/doubles/identity-provider.ts';
import { PayPalDouble } from '../../../tests/doubles/paypal.ts';
import {
  type Browser,
  createBrowser,
  createMember,
  mailTo,
  PASSWORD,
  tokenIn,
} from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { createMigratedDatabase, type TestDatabase } from '../../../tests/support/server-databases.ts';

const PUBLIC_URL = 'http://localhost:3000';
/** The server's current time. */
const NOW = new Date('2026-05-04T10:00:00.000Z').getTime();
const CALLBACK = '/api/auth/google/callback';

const people = [
  { sub: 'nora-1', email: 'nora@mail.example', email_verified: true, preferred_username: 'nora' },
  { sub: 'emil-1', email: 'emil@example.org', email_verified: true },
  { sub: 'finn-1', email: 'finn@example.org', email_verified: true },
  { sub: 'gina-1', email: 'gina@example.org', email_verified: false },
  { sub: 'hans-1', email: 'hans@mail.example', email_verified: true },
  { sub: 'kira-1', email: 'kira@mail.example', email_verified: true },
  { sub: 'paul-1', email: 'paul@mail.example', email_verified: true },
  { sub: 'lara-1', email: 'lara@mail.example', email_verified: true, preferred_username: 'lara' },
  { sub: 'lina-1', email: 'lina@mail.example', email_verified: true },
  { sub: 'mila-1', email: 'mila@mail.example', email_verified: true, preferred_username: 'mila' },
  { sub: 'nora-2', email: 'other@mail.example', email_verified: true, preferred_username: 'nora' },
];

/** Signs in at the provider, and returns the callback URL. */
async function signInAtProvider(start: string, sub: string): Promise<string> {
  const cookies = new Map<string, string>();
  const step = async (url: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location?.startsWith(PUBLIC_URL)) return location;
    if (location) return step(new URL(location, url).href);
    const page = await response.text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    return step(new URL(action, url).href, {
      prompt,
      ...(prompt === 'login' && { login: sub, password: 'any' }),
    });
  };
  return step(start);
}

describe('third-party sign-in', () => {
  let provider: IdentityProviderDouble;
  let server: TestServer;
  let testDatabase: TestDatabase;
  const clock = createTestClock();
  beforeAll(async () => {
    provider = await IdentityProviderDouble.start({ redirectUris: [`${PUBLIC_URL}${CALLBACK}`], people });
    testDatabase = await createMigratedDatabase('sqlite');
    server = await startTestServer({ testDatabase, clock, env: { PUBLIC_URL, ...provider.env } });
  });
  afterAll(async () => {
    await server.close();
    await testDatabase.remove();
    await provider.close();
  });
  const browser = () => createBrowser(server.app);
  const start = async (person: Browser) =>
    (await person.get('/api/auth/google')).headers.location ?? 'nowhere';
  const followCallback = async (person: Browser, location: string) => {
    const { pathname, search } = new URL(location);
    return (await person.get(pathname + search)).headers.location;
  };
  const signIn = async (person: Browser, sub: string) =>
    followCallback(person, await signInAtProvider(await start(person), sub));

  /** A paid user who signs in with the provider. */
  const signInPaid = async (sub: string, email: string) => {
    const person = browser();
    expect(await signIn(person, sub)).toContain('payment=required');
    expect((await person.pay(email)).statusCode).toBe(200);
  };

  it('redirects to the provider with state, nonce and a PKCE challenge', async () => {
    const { searchParams } = new URL(await start(browser()));
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)?.length).toBeGreaterThan(20);
    }
  });

  it('sends a new user to pay, and signs them in without a password from then on', async () => {
    const nora = browser();
    expect(await signIn(nora, 'nora-1')).toBe('/?payment=required&email=nora%40mail.example');
    expect(await nora.user()).toBeUndefined();
    expect((await nora.get('/api/payment')).json()).toMatchObject({
      payingFor: { kind: 'registration', username: 'nora' },
    });
    expect((await nora.pay('nora@mail.example')).statusCode).toBe(200);
    expect(await nora.user()).toBeUndefined();
    expect(await signIn(nora, 'nora-1')).toBe('/?auth=signed-in');
    expect(await nora.user()).toMatchObject({ username: 'nora', isPremium: true });
    expect((await nora.get('/api/account')).json()).toMatchObject({
      hasPassword: false,
      emailVerified: true,
      identities: [{ provider: 'google', email: 'nora@mail.example' }],
    });
  });

  it('derives another name when the first is taken', async () => {
    const sameName = browser();
    await signIn(sameName, 'nora-2');
    expect((await sameName.get('/api/payment')).json()).toMatchObject({ payingFor: { username: 'other' } });
  });

  it('links an account by its address only if the provider and the account have verified it', async () => {
    const emil = await createMember(server.app, 'emil');
    expect(await signIn(browser(), 'emil-1')).toBe('/?auth=exists');
    const token = tokenIn(await mailTo(server.mails, 'emil@example.org', /Welcome/), 'verify');
    expect((await emil.post('/api/account/verify', { token })).statusCode).toBe(200);
    const elsewhere = browser();
    expect(await signIn(elsewhere, 'emil-1')).toBe('/?auth=signed-in');
    expect(await elsewhere.user()).toMatchObject({ username: 'emil' });
  });

  it('does not link an account whose address the provider has not verified', async () => {
    const gina = await createMember(server.app, 'gina');
    const token = tokenIn(await mailTo(server.mails, 'gina@example.org', /Welcome/), 'verify');
    await gina.post('/api/account/verify', { token });
    expect(await signIn(browser(), 'gina-1')).toBe('/?auth=exists');
  });

  it('is linked in the settings by a signed-in user, and removed again', async () => {
    const finn = await createMember(server.app, 'finn');
    const { redirectUrl } = (await finn.post('/api/account/identities')).json<{ redirectUrl: string }>();
    expect(await followCallback(finn, await signInAtProvider(redirectUrl, 'finn-1'))).toBe('/?auth=linked');
    expect(await signIn(browser(), 'finn-1')).toBe('/?auth=signed-in');
    await mailTo(server.mails, 'finn@example.org', /was linked/);
    const unlink = await finn.send({ method: 'DELETE', url: '/api/account/identities/google' });
    expect(unlink.statusCode).toBe(200);
    await server.services.mails.deliver();
    await mailTo(server.mails, 'finn@example.org', /was unlinked/);
    expect(await signIn(browser(), 'finn-1')).toBe('/?auth=exists');
  });

  it('asks for the second factor of an account that has one, like a password does', async () => {
    const paul = await createMember(server.app, 'paul');
    const { redirectUrl } = (await paul.post('/api/account/identities')).json<{ redirectUrl: string }>();
    await followCallback(paul, await signInAtProvider(redirectUrl, 'paul-1'));
    const { uri } = (
      await paul.post('/api/account/second-factor/start', { currentPassword: PASSWORD })
    ).json<{ uri: string }>();
    const code = URI.parse(uri) as TOTP;
    const on = await paul.post('/api/account/second-factor', { code: code.generate({ timestamp: NOW }) });
    const [recoveryCode] = on.json<{ recoveryCodes: string[] }>().recoveryCodes;

    const elsewhere = browser();
    expect(await signIn(elsewhere, 'paul-1')).toBe('/?auth=second-factor');
    expect(await elsewhere.user()).toBeUndefined();
    expect((await elsewhere.post('/api/login/second-factor', { recoveryCode })).statusCode).toBe(200);
    expect(await elsewhere.user()).toMatchObject({ username: 'paul' });
  });

  it('cannot remove the last sign-in method', async () => {
    const nora = browser();
    await signIn(nora, 'nora-1');
    const unlink = await nora.send({ method: 'DELETE', url: '/api/account/identities/google' });
    expect(unlink.statusCode).toBe(409);
  });

  it("does not link another user's identity", async () => {
    const hans = await createMember(server.app, 'hans');
    const { redirectUrl } = (await hans.post('/api/account/identities')).json<{ redirectUrl: string }>();
    expect(await followCallback(hans, await signInAtProvider(redirectUrl, 'nora-1'))).toBe('/?auth=failed');
  });

  it('fails for a callback that this browser did not start', async () => {
    const attacker = browser();
    const answer = await signInAtProvider(await start(attacker), 'hans-1');
    const victim = browser();
    expect(await followCallback(victim, answer)).toBe('/?auth=failed');
    await start(victim);
    expect(await followCallback(victim, answer)).toBe('/?auth=failed');
  });

  describe('a callback that the same browser requests twice', () => {
    /** Like a prefetching browser: both requests have the same cookies. */
    async function inParallel(person: Browser, location: string, apps = [server.app, server.app]) {
      const { pathname, search } = new URL(location);
      const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
      return Promise.all(
        apps.map(async (app) => {
          const one = createBrowser(app);
          for (const [name, value] of person.cookies) one.cookies.set(name, value);
          const answer = await one.get(pathname + search, { cookie });
          return { browser: one, location: answer.headers.location };
        }),
      );
    }
    const pendingRegistrationOf = async (person: Browser) =>
      (await person.get('/api/payment')).json().payingFor;
    const usersMails = async (to: string) => {
      await server.services.mails.deliver();
      return server.mails.filter((mail) => mail.to === to).length;
    };

    it('has the same outcome within a minute, and then fails', async () => {
      const hans = browser();
      const answer = await signInAtProvider(await start(hans), 'hans-1');
      const first = await followCallback(hans, answer);
      expect(first).toBe('/?payment=required&email=hans%40mail.example');
      const waiting = await pendingRegistrationOf(hans);
      expect(await followCallback(hans, answer)).toBe(first);
      expect(await pendingRegistrationOf(hans)).toEqual(waiting);
      clock.advance(60_000);
      expect(await followCallback(hans, answer)).toBe('/?auth=failed');
    });

    it('in parallel creates one registration', async () => {
      const person = browser();
      const answer = await signInAtProvider(await start(person), 'lara-1');
      const both = await inParallel(person, answer);
      for (const { browser: one, location } of both) {
        expect(location).toBe('/?payment=required&email=lara%40mail.example');
        expect(await pendingRegistrationOf(one)).toMatchObject({ kind: 'registration', username: 'lara' });
      }
      const rows = server.database.selectFrom('registrations').where('subject', '=', 'lara-1');
      expect(await rows.select('id').execute()).toHaveLength(1);
    });

    it('starts a session for each request, in parallel or in sequence, and sends one mail', async () => {
      await signInPaid('mila-1', 'mila@mail.example');
      expect(await signIn(browser(), 'mila-1')).toBe('/?auth=signed-in');
      const before = await usersMails('mila@mail.example');
      const person = browser();
      const answer = await signInAtProvider(await start(person), 'mila-1');
      const both = await inParallel(person, answer);
      const [one, other] = both.map(({ browser: at }) => at.cookies.get('session'));
      expect(one).not.toBe(other);
      for (const { browser: at, location } of both) {
        expect(location).toBe('/?auth=signed-in');
        expect(await at.user()).toMatchObject({ username: 'mila' });
      }
      const [{ browser: kept }] = both as [(typeof both)[number]];
      expect(await followCallback(kept, answer)).toBe('/?auth=signed-in');
      expect(await kept.user()).toMatchObject({ username: 'mila' });
      expect(await usersMails('mila@mail.example')).toBe(before + 1);
    });

    it('has the same outcome at another process with the same database', async () => {
      const second = await startTestServer({ testDatabase, clock, env: { PUBLIC_URL, ...provider.env } });
      const person = browser();
      const answer = await signInAtProvider(await start(person), 'lara-1');
      const both = await inParallel(person, answer, [server.app, second.app]);
      expect(both.map(({ location }) => location)).toEqual(
        both.map(() => '/?payment=required&email=lara%40mail.example'),
      );
      await second.close();
    });

    it('links once in the settings, and reports success twice', async () => {
      const lina = await createMember(server.app, 'lina');
      const { redirectUrl } = (await lina.post('/api/account/identities')).json<{ redirectUrl: string }>();
      const answer = await signInAtProvider(redirectUrl, 'lina-1');
      expect(await followCallback(lina, answer)).toBe('/?auth=linked');
      expect(await followCallback(lina, answer)).toBe('/?auth=linked');
    });

    it('fails twice after a failure', async () => {
      const person = browser();
      const answer = new URL(await signInAtProvider(await start(person), 'lara-1'));
      answer.searchParams.set('code', 'invented');
      const both = await inParallel(person, answer.href);
      expect(both.map(({ location }) => location)).toEqual(['/?auth=failed', '/?auth=failed']);
    });

    it('fails after signing out', async () => {
      const person = browser();
      const answer = await signInAtProvider(await start(person), 'mila-1');
      expect(await followCallback(person, answer)).toBe('/?auth=signed-in');
      await person.post('/api/logout');
      expect(person.cookies.get('sign-in')).toBe('');
      expect(await followCallback(person, answer)).toBe('/?auth=failed');
      expect(await person.user()).toBeUndefined();
    });

    it('stores the outcome encrypted, and deletes it after a minute', async () => {
      const person = browser();
      await followCallback(person, await signInAtProvider(await start(person), 'lara-1'));
      const rows = () => server.database.selectFrom('finished_sign_ins').selectAll().execute();
      expect(JSON.stringify(await rows())).not.toContain('lara');
      expect((await rows()).some(({ found }) => found !== null)).toBe(true);
      clock.advance(60_000);
      await server.services.callbackOutcomes.deleteExpired();
      expect((await rows()).every(({ found }) => found === null)).toBe(true);
      clock.advance(10 * 60_000);
      await server.services.callbackOutcomes.deleteExpired();
      expect(await rows()).toEqual([]);
    });
  });

  it.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['an invented code', (url: URL) => url.searchParams.set('code', 'invented')],
  ])('fails for an answer with %s', async (_case, tamper) => {
    const person = browser();
    const answer = new URL(await signInAtProvider(await start(person), 'hans-1'));
    tamper(answer);
    expect(await followCallback(person, answer.href)).toBe('/?auth=failed');
  });

  it('does not finish a sign-in of another browser, even with its cookie planted', async () => {
    await signInPaid('kira-1', 'kira@mail.example');
    const attacker = browser();
    const answer = await signInAtProvider(await start(attacker), 'kira-1');
    const victim = browser();
    await victim.user();
    victim.cookies.set('sign-in', attacker.cookies.get('sign-in') ?? 'none');
    expect(await followCallback(victim, answer)).toBe('/?auth=failed');
    expect(await victim.user()).toBeUndefined();
  });

  it('rejects a second callback for one sign-in, even with its cookie', async () => {
    const person = browser();
    const first = await start(person);
    expect(await followCallback(person, await signInAtProvider(first, 'hans-1'))).toContain('email=hans');
    expect(await followCallback(person, await signInAtProvider(first, 'lara-1'))).toContain('email=hans');
    clock.advance(60_000);
    expect(await followCallback(person, await signInAtProvider(first, 'lara-1'))).toBe('/?auth=failed');
  });

  it('fails if the user cancels at the provider', async () => {
    const person = browser();
    await start(person);
    expect(await followCallback(person, `${PUBLIC_URL}${CALLBACK}?error=access_denied`)).toBe(
      '/?auth=failed',
    );
  });

  it('rejects other providers', async () => {
    expect((await browser().get('/api/auth/unknown')).statusCode).toBe(404);
  });
});

it('third-party sign-in: given an ID token of another key, rejects it', async () => {
  const provider = await IdentityProviderDouble.start({
    redirectUris: [`${PUBLIC_URL}${CALLBACK}`],
    people,
    signsWithForeignKey: true,
  });
  const server = await startTestServer({ env: { PUBLIC_URL, ...provider.env } });
  const hans = createBrowser(server.app);
  const start = (await hans.get('/api/auth/google')).headers.location ?? '';
  const { pathname, search } = new URL(await signInAtProvider(start, 'hans-1'));
  expect((await hans.get(pathname + search)).headers.location).toBe('/?auth=failed');
  expect(server.log.join('')).toMatch(/signature/i);
  await server.close();
  await provider.close();
});

it('third-party sign-in: over https, keeps its state in a cookie with the __Host- prefix', async () => {
  const secure = 'https://glyphlift.example';
  const provider = await IdentityProviderDouble.start({ redirectUris: [`${secure}${CALLBACK}`], people });
  const server = await startTestServer({ env: { PUBLIC_URL: secure, ...provider.env } });
  const response = await createBrowser(server.app).get('/api/auth/google');
  expect(response.cookies.find(({ name }) => name === '__Host-sign-in')).toMatchObject({
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
  });
  await server.close();
  await provider.close();
});

it('third-party sign-in: given the same sign-in in another browser, moves the registration unless a payment is open', async () => {
  const provider = await IdentityProviderDouble.start({ redirectUris: [`${PUBLIC_URL}${CALLBACK}`], people });
  const paypal = await PayPalDouble.start();
  const server = await startTestServer({ env: { PUBLIC_URL, ...provider.env, ...paypal.env } });
  const signIn = async (person: Browser) => {
    const start = (await person.get('/api/auth/google')).headers.location ?? '';
    const { pathname, search } = new URL(await signInAtProvider(start, 'nora-1'));
    return (await person.get(pathname + search)).headers.location;
  };
  const pendingRegistrationOf = async (person: Browser) =>
    (await person.get('/api/payment')).json().payingFor;
  const [first, second] = [createBrowser(server.app), createBrowser(server.app)];
  expect(await signIn(first)).toBe('/?payment=required&email=nora%40mail.example');
  expect(await signIn(second)).toBe('/?payment=required&email=nora%40mail.example');
  expect(await pendingRegistrationOf(second)).toMatchObject({ username: 'nora' });
  expect(await pendingRegistrationOf(first)).toBeNull();

  await second.pay('nora@mail.example');
  expect(await signIn(first)).toBe('/?payment=waiting');
  const [pending] = paypal.subscriptions.values();
  paypal.approve(pending?.id ?? '');
  expect(await signIn(first)).toBe('/?auth=signed-in');
  await server.close();
  await paypal.close();
  await provider.close();
});

it('third-party sign-in: given a new user without a payment provider, stores nothing', async () => {
  const provider = await IdentityProviderDouble.start({ redirectUris: [`${PUBLIC_URL}${CALLBACK}`], people });
  const server = await startTestServer({ env: { PUBLIC_URL, HOST: '0.0.0.0', ...provider.env } });
  const hans = createBrowser(server.app);
  const start = (await hans.get('/api/auth/google')).headers.location ?? '';
  const { pathname, search } = new URL(await signInAtProvider(start, 'hans-1'));
  expect((await hans.get(pathname + search)).headers.location).toBe('/?auth=unpayable');
  expect(await server.database.selectFrom('registrations').select('id').execute()).toEqual([]);
  await server.close();
  await provider.close();
});

it('third-party sign-in: not configured, ends in the failure page and logs the missing settings', async () => {
  const server = await startTestServer({ env: { HOST: '0.0.0.0' } });
  const response = await createBrowser(server.app).get('/api/auth/google');
  expect(response.headers.location).toBe('/?auth=failed');
  expect(server.log.join('')).toContain('OIDC_CLIENT_ID');
  await server.close();
});

it('third-party sign-in: given an unreachable provider, ends in the failure page', async () => {
  const env = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  const server = await startTestServer({ env });
  const response = await createBrowser(server.app).get('/api/auth/google');
  expect(response.headers.location).toBe('/?auth=failed');
  await server.close();
});
