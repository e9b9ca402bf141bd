import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../../../tests/support/people.ts';
import { sharedServer, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { createKeyring } from '../platform/keyring.ts';
import type { Secrets } from '../platform/secrets.ts';

const [first = '', second = ''] = ['1', '2'].map((digit) => digit.repeat(32));
const secrets = (cookieKeys: string[], cookieKey?: string): Secrets => ({
  cookieKeys,
  cookieKey,
  addressKey: 'a'.repeat(32),
  metricsToken: undefined,
});

/** The payer of this browser, as the server sees it. */
const payingFor = async (browser: ReturnType<typeof createBrowser>) =>
  (await browser.get('/api/payment')).json<{ payingFor: { username: string } | null }>().payingFor;

describe('signed cookies', () => {
  const server = sharedServer({ secrets: secrets([first]) });

  it('a signed value of the visitor cookie is invalid as a registration cookie', async () => {
    const anna = createBrowser(server.app);
    await anna.register('anna');
    expect(await payingFor(anna)).toMatchObject({ username: 'anna' });
    const [id = ''] = decodeURIComponent(anna.cookies.get('registration') ?? '').split('.');
    const keys = createKeyring(secrets([first]));
    const thief = createBrowser(server.app);
    thief.cookies.set('registration', encodeURIComponent(keys.sign('visitor', id)));
    expect(await payingFor(thief)).toBeNull();
    thief.cookies.set('registration', anna.cookies.get('visitor') ?? '');
    expect(await payingFor(thief)).toBeNull();
    thief.cookies.set('registration', encodeURIComponent(keys.sign('registration', id)));
    expect(await payingFor(thief)).toMatchObject({ username: 'anna' });
  });

  it('a signed value of the registration cookie is invalid as a visitor cookie', async () => {
    const berta = createBrowser(server.app);
    await berta.register('berta');
    const cookies = `visitor=${berta.cookies.get('registration')}`;
    const response = await server.app.inject({ url: '/api/usage', headers: { cookie: cookies } });
    expect(response.cookies.map(({ name }) => name)).toContain('visitor');
  });
});

describe('a rotation of keys', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());
  const visitorIn = (cookie: string) => decodeURIComponent(cookie).split('.')[0];

  /** The visitor id that a server with these keys reads from the cookie, and the cookie that it sets, if any. */
  async function visitWith(keys: Secrets, cookie: string) {
    await server?.close();
    server = await startTestServer({ secrets: keys });
    const browser = createBrowser(server.app);
    browser.cookies.set('visitor', cookie);
    await browser.get('/api/usage');
    const given = browser.cookies.get('visitor') ?? '';
    return { visitor: visitorIn(given), given: given === cookie ? undefined : given };
  }

  it('keeps visitors and re-signs their cookies; cookies of a retired key are invalid', async () => {
    server = await startTestServer({ secrets: secrets([first]) });
    const browser = createBrowser(server.app);
    await browser.get('/api/usage');
    const old = browser.cookies.get('visitor') ?? '';

    const rotated = await visitWith(secrets([second, first]), old);
    expect(rotated.visitor).toBe(visitorIn(old));
    expect(rotated.given).toBeDefined();
    expect(await visitWith(secrets([second]), rotated.given ?? '')).toEqual({
      visitor: visitorIn(old),
      given: undefined,
    });
    expect((await visitWith(secrets([second]), old)).visitor).not.toBe(visitorIn(old));
  });

  it('accepts a visitor cookie of an earlier version', async () => {
    const id = 'a-visitor-of-long-ago_';
    const signature = createHmac('sha256', first).update(id).digest('base64').replaceAll('=', '');
    const cookie = encodeURIComponent(`${id}.${signature}`);
    const upgraded = await visitWith(secrets([], first), cookie);
    expect(upgraded.visitor).toBe(id);
    expect(await visitWith(secrets([first]), upgraded.given ?? '')).toEqual({
      visitor: id,
      given: undefined,
    });
    expect((await visitWith(secrets([first]), cookie)).visitor).not.toBe(id);
  });
});
