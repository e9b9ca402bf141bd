import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyProxy, openFaultyProxy } from '../../tests/support/faulty-proxy.ts';
import { createMember } from '../../tests/support/people.ts';
import { sweep } from '../../tests/support/properties.ts';
import {
  createTestClock,
  createVisitor,
  fakePageRenderer,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../tests/support/server-app.ts';
import { createTestDatabase, type TestDatabase } from '../../tests/support/server-databases.ts';

/** A server during and after an outage of its database, without a restart. */

const clock = createTestClock();
let testDatabase: TestDatabase;
let link: FaultyProxy;
let server: TestServer;
beforeAll(async () => {
  testDatabase = await createTestDatabase('postgres');
  const url = testDatabase.databaseUrl ?? '';
  link = await openFaultyProxy(Number(new URL(url).port));
  // Short, because tests wait for them; a busy machine needs most of a second for a new connection.
  const limits = { connectMs: 2_000, statementMs: 2_000 };
  server = await startTestServer({
    clock,
    testDatabase: {
      ...testDatabase,
      open: () => testDatabase.open({ databaseUrl: link.urlThrough(url), limits }),
    },
    // Renders its input, because pages of the product omit data that could not be loaded.
    web: {
      ...fakePageRenderer,
      async render(asked) {
        if (asked.url !== '/still') return fakePageRenderer.render(asked);
        const body = '<p>The page that needs no data</p>';
        return { status: 200, isCanonical: true, head: '', body, state: '' };
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  await link.close();
  await testDatabase.remove();
});

async function readiness() {
  clock.advance(1_000);
  const response = await server.app.inject('/readyz');
  return [response.statusCode, response.json().database];
}

describe.each(sweep<'cut' | 'blackhole'>(['cut'], ['blackhole']))(
  'while the database is unreachable (%s)',
  (how) => {
    const visitor = () => createVisitor(server.app);
    /** A returning visitor, for whom data has to be loaded. */
    let known: Visitor;
    beforeEach(async () => {
      known = visitor();
      await known.usage();
      link[how]();
      return async () => {
        link.restore();
        await expect.poll(readiness).toEqual([200, 'ok']);
      };
    });

    it('calls that need the database fail with a user message and a Retry-After', async () => {
      for (const path of ['/api/usage', '/api/user']) {
        const response = await visitor().get(path, { cookie: `session=${'a'.repeat(43)}` });
        expect([response.statusCode, response.headers['retry-after']], path).toEqual([503, '5']);
        expect(response.json()).toEqual({
          error: 'The service cannot reach its data at the moment. Please try again in a few seconds.',
          code: 'http.unavailable',
        });
      }
      const upload = await visitor().upload();
      expect([upload.statusCode, upload.json().code]).toEqual([503, 'http.unavailable']);
    });

    it('calls and pages that do not need the database work, and other pages show the reason', async () => {
      expect((await visitor().get('/api/blog/articles')).statusCode).toBe(200);
      expect((await visitor().get('/still')).body).toContain('The page that needs no data');
      const page = await known.get('/');
      expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
      expect(page.body).toContain('cannot reach its data');
    });

    it('the server is live but not ready, and names the database', async () => {
      expect((await server.app.inject('/healthz')).statusCode).toBe(200);
      expect(await readiness()).toEqual([503, 'failed']);
    });
  },
);

it('everything works again after the outage, without a restart', async () => {
  const known = createVisitor(server.app);
  await known.usage();
  link.cut();
  expect((await known.get('/api/usage')).statusCode).toBe(503);
  link.restore();
  await expect.poll(readiness).toEqual([200, 'ok']);
  const browser = await createMember(server.app, 'anna');
  expect((await browser.upload()).statusCode).toBe(200);
});
