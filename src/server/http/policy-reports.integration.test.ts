import { afterEach, describe, expect, it } from 'vitest';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const URL_OF_REPORTS = '/api/content-policy-reports';
const clock = createTestClock();

async function start(env: Record<string, string> = { RATE_LIMIT_PER_MINUTE: '100000' }) {
  server = await startTestServer({ env, clock });
  const { app, log } = server;
  return {
    log: () => log.filter((line) => line.includes('content policy')).map((line) => JSON.parse(line)),
    all: () => log.join(''),
    send: (payload: unknown, type = 'application/csp-report') =>
      app.inject({
        method: 'POST',
        url: URL_OF_REPORTS,
        headers: { 'content-type': type },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
  };
}

const single = (changes: object = {}) => ({
  'csp-report': {
    'document-uri': 'http://localhost:3000/premium?email=somebody@example.com',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'inline',
    'source-file': 'http://localhost:3000/assets/entry-1.js?private',
    'line-number': 3,
    'column-number': 7,
    'script-sample': 'a private sample',
    ...changes,
  },
});

const batched = (changes: object = {}, type = 'csp-violation') => ({
  type,
  url: 'http://localhost:3000/',
  user_agent: 'a private browser',
  body: {
    documentURL: 'http://localhost:3000/blog/an-article?token=secret',
    effectiveDirective: 'require-trusted-types-for',
    blockedURL: 'trusted-types-sink',
    sample: 'Element innerHTML|private',
    ...changes,
  },
});

describe('a content policy report', () => {
  it('is logged with allowlisted values only, in both formats of browsers', async () => {
    const { send, log, all } = await start();
    expect((await send(single())).statusCode).toBe(204);
    expect((await send([batched(), batched({}, 'deprecation')], 'application/reports+json')).statusCode).toBe(
      204,
    );
    expect(log()).toMatchObject([
      {
        directive: 'script-src-elem',
        blocked: 'inline',
        page: '/premium',
        script: '/assets/entry-1.js',
        line: 3,
        column: 7,
        total: 1,
      },
      {
        directive: 'require-trusted-types-for',
        blocked: 'trusted-types-sink',
        page: 'an article',
        total: 2,
      },
    ]);
    expect(all()).not.toMatch(/private|secret|somebody/);
  });

  it('cannot inject text into the log', async () => {
    const { send, all } = await start();
    const text = 'evil-words\n{"level":"fatal"}';
    await send(
      single({
        'document-uri': `http://localhost:3000/evil-words`,
        'effective-directive': text,
        'blocked-uri': `https://evil-words.example/${text}`,
        'source-file': 'http://localhost:3000/assets/../evil-words.js',
        'line-number': text,
      }),
    );
    await send(single({ 'document-uri': 'https://evil-words.example/premium', 'blocked-uri': text }));
    await send(
      [batched({ documentURL: text, effectiveDirective: text, blockedURL: text })],
      'application/reports+json',
    );
    expect(all()).not.toContain('evil-words');
  });

  it.each([
    ['invalid JSON', '{', 'application/csp-report', 400],
    ['something else', { hello: 1 }, 'application/csp-report', 400],
    ['a prototype', '{"__proto__":{"a":1}}', 'application/csp-report', 400],
    ['too many at once', Array.from({ length: 21 }, () => batched()), 'application/reports+json', 400],
    ['too large', single({ 'blocked-uri': 'x'.repeat(20_000) }), 'application/csp-report', 413],
    ['of another type', single(), 'application/json', 415],
  ])('that is %s is rejected with an error body', async (_what, payload, type, status) => {
    const { send, log } = await start();
    const response = await send(payload, type);
    expect([response.statusCode, Object.keys(response.json())]).toEqual([status, ['error', 'code']]);
    expect(log()).toEqual([]);
  });

  it('is logged at most ten times a minute; the rest is counted', async () => {
    const { send, log } = await start();
    for (let count = 0; count < 5; count++) {
      await send(
        Array.from({ length: 20 }, () => batched()),
        'application/reports+json',
      );
    }
    expect(log()).toHaveLength(10);
    clock.advance(60_000);
    await send(single());
    expect(log()).toHaveLength(12);
    expect(log().slice(-2)).toMatchObject([{ suppressed: 90 }, { total: 101 }]);
  });

  it('is rate-limited per address', async () => {
    const { send } = await start({ RATE_LIMIT_PER_MINUTE: '12' });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await send(single())).statusCode);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  });
});
