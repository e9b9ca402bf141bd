import { afterEach, describe, expect, it } from 'vitest';
import { createRawClient } from '../../../tests/support/raw-http.ts';
import { fakePageRenderer, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import type { PageRenderer } from './pages.ts';

let server: TestServer | undefined;
let client: Awaited<ReturnType<typeof createRawClient>> | undefined;
afterEach(async () => {
  client?.close();
  await server?.close();
});

const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '1000000', PAGE_LIMIT_PER_MINUTE: '1000000' };

/** A server that records every handler that runs and every page that it renders. */
async function start(env: Record<string, string> = UNLIMITED) {
  const reached: string[] = [];
  const rendered: string[] = [];
  const web: PageRenderer = {
    ...fakePageRenderer,
    render(request) {
      rendered.push(request.url);
      return fakePageRenderer.render(request);
    },
  };
  server = await startTestServer({
    env,
    web,
    prepare(app) {
      app.addHook('preHandler', async (request) => {
        const { url, method } = request.routeOptions;
        if (url !== undefined) reached.push(`${method} ${url}`);
      });
    },
  });
  client = await createRawClient(server.app);
  return { ...server, ...client, reached, rendered };
}

const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** Variants of a path for a router that decodes, normalizes or strips. */
function pathVariants(path: string, port: number): string[] {
  const parts = path.split('/').slice(1);
  const [first = '', ...rest] = parts;
  const last = parts.at(-1) ?? '';
  return [
    `/${path}`,
    `//${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/x\\..${path}`,
    `${path}#`,
    `http://x${path}`,
    `https://127.0.0.1:${port}${path}`,
    `HTTP://localhost:${port}${path}`,
    ...(first === ''
      ? []
      : [
          `/${encoded(first.charAt(0))}${first.slice(1)}${rest.map((part) => `/${part}`).join('')}`,
          `${path.slice(0, -last.length)}${last.slice(0, -1)}${encoded(last.slice(-1))}`,
          `/${encoded(first.charAt(0)).toUpperCase()}${path.slice(2)}?a=b`,
        ]),
    ...(rest.length === 0
      ? []
      : [`/${parts.join('//')}`, `/${parts.join('%2f')}`, `/${parts.join('%2F')}`, `/${parts.join('%5C')}`]),
  ].filter((form) => form !== path);
}

describe('every route', () => {
  it('is reached by its exact path only: encoded, doubled, dotted and absolute forms are rejected', async () => {
    const { app, send, port, reached, rendered } = await start();
    expect(app.registeredRoutes.length).toBeGreaterThan(40);
    for (const { method, url } of app.registeredRoutes) {
      const path = url.replaceAll(/:\w+/g, 'abcdefgh').replace('*', 'nothing');
      for (const form of pathVariants(path, port)) {
        const answer = await send(method, form, { 'content-type': 'application/json' });
        const seen = `${method} ${form}: ${answer.status} ${answer.body.slice(0, 200)}`;
        expect(answer.status, seen).toBe(400);
        expect(answer.headers['cache-control'], seen).toBe('no-store');
        const isCall = path.startsWith('/api/');
        expect(answer.headers['content-type'], seen).toContain(isCall ? 'application/json' : 'text/html');
        if (isCall && method !== 'HEAD')
          expect(Object.keys(JSON.parse(answer.body)), seen).toEqual(['error', 'code']);
      }
    }
    expect(reached).toEqual([]);
    expect(rendered).toEqual([]);
  });

  it('is case-sensitive: another case gets 404', async () => {
    const { app, send, reached } = await start();
    for (const { method, url } of app.registeredRoutes) {
      const path = url.replaceAll(/:\w+/g, 'abcdefgh').replace('*', 'nothing').toUpperCase();
      if (path === '/') continue;
      const { status } = await send(method, path);
      expect([404, 405], `${method} ${path}: ${status}`).toContain(status);
    }
    expect(new Set(reached.map((route) => route.split(' ').at(-1)))).toEqual(new Set(['/*']));
  });
});

describe('a request target', () => {
  it.each(['/', '/api/usage'])('of more than 2 kB under %s is rejected before rendering', async (path) => {
    const { send, rendered, reached } = await start();
    const answer = await send('GET', `${path}?a=${'a'.repeat(2048)}`);
    expect(answer.status).toBe(414);
    expect(answer.body).toContain('The address is too long.');
    expect(answer.headers['content-type']).toContain(path === '/' ? 'text/html' : 'application/json');
    expect([...rendered, ...reached]).toEqual([]);
  });

  it('may be long for the callback of a sign-in provider', async () => {
    const { send } = await start();
    const answer = await send('GET', `/api/auth/google/callback?code=${'a'.repeat(4000)}`);
    expect(answer.status).not.toBe(414);
    expect((await send('GET', `/api/auth/google/callback?code=${'a'.repeat(9000)}`)).status).toBe(414);
  });

  it('of 1,500 slashes is rejected before rendering or redirects', async () => {
    const { send, rendered } = await start();
    for (const path of [`/a${'/'.repeat(1500)}a`, `/a${'/'.repeat(1500)}`]) {
      const answer = await send('GET', path);
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    }
    expect(rendered).toEqual([]);
  });

  it('that a user could have typed is a page or the 404 page', async () => {
    const { send, rendered } = await start();
    for (const path of [
      '/caf%C3%A9',
      '/a%20b',
      '/a|b',
      '/~name',
      "/it's",
      '/a;b=c',
      '/100%25',
      '/?q=//x/%61',
    ]) {
      expect([200, 404], path).toContain((await send('GET', path)).status);
    }
    expect(rendered).toHaveLength(8);
  });

  it.each([
    '/\\evil.example/',
    '/\\/evil.example/',
    '/%5cevil.example/',
    '/%09/evil.example/',
    '//evil.example/',
  ])('%s does not redirect to another site', async (path) => {
    const { send } = await start();
    const { status, headers } = await send('GET', path);
    expect([status, headers.location]).toEqual([400, undefined]);
  });

  it('of the API with another method gets 405 with the allowed methods, parameters included', async () => {
    const { send } = await start();
    const answer = await send('POST', '/api/texts/abcdefgh');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    expect((await send('GET', '/api/logout')).headers.allow).toBe('OPTIONS, POST');
    expect((await send('GET', '/api/texts/a/b')).status).toBe(404);
  });
});

describe('the Host header', () => {
  const lines = (...headers: string[]) =>
    `GET /api/usage HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}connection: close\r\n\r\n`;

  it.each([
    ['none', lines(), 'http.no_host'],
    ['two that are alike', lines('Host: localhost', 'Host: localhost'), 'http.bad_host'],
    ['two that differ', lines('Host: localhost', 'HOST: evil.example'), 'http.bad_host'],
    ['one with userinfo', lines('Host: localhost@evil.example'), 'http.bad_host'],
    ['one with a path', lines('Host: localhost/x'), 'http.bad_host'],
    ['one with a space', lines('Host: localhost evil'), 'http.bad_host'],
    ['one with two ports', lines('Host: localhost:80:90'), 'http.bad_host'],
    ['one with a port out of range', lines('Host: localhost:99999'), 'http.bad_host'],
    ['an empty one', lines('Host: '), 'http.bad_host'],
    ['one with a list', lines('Host: localhost,evil.example'), 'http.bad_host'],
  ])('a request with %s is answered with 400', async (_what, bytes, code) => {
    const { talk } = await start();
    const response = await talk(bytes);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toContain(code);
  });

  it.each(['localhost:3000', 'Glyphlift.example', '127.0.0.1', '[::1]:3000', 'my_machine', 'a.example.:443'])(
    'a request with %s is answered',
    async (host) => {
      const { talk } = await start();
      expect(await talk(lines(`Host: ${host}`))).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it('is optional in HTTP/1.0', async () => {
    const { talk } = await start();
    expect(await talk('GET /api/usage HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });
});
