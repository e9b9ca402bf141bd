import { beforeEach, describe, expect, it } from 'vitest';
import { createBrowser, createMember, mailTo, PASSWORD, tokenIn } from '../../../tests/support/people.ts';
import { CHEAP_HASHER, sharedServer, startTestServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES, itOnce } from '../../../tests/support/server-databases.ts';
import { createPasswordHasher, type PasswordHasher } from './password.ts';

/** The real hasher with a counter. */
function createCountingHasher() {
  const counts = { hashes: 0, comparisons: 0 };
  const hasher: PasswordHasher = {
    hash: (password) => {
      counts.hashes++;
      return CHEAP_HASHER.hash(password);
    },
    matches: (kept, password) => {
      counts.comparisons++;
      return CHEAP_HASHER.matches(kept, password);
    },
  };
  return { hasher, counts };
}

describe.each(DEFAULT_DATABASES)('hashing a password (%s)', (database) => {
  const { hasher, counts } = createCountingHasher();
  const statements: string[] = [];
  const server = sharedServer({
    database,
    passwordHasher: hasher,
    onStatement: (sql) => void statements.push(sql),
  });
  beforeEach(() => {
    counts.hashes = 0;
    counts.comparisons = 0;
  });
  const browser = () => createBrowser(server.app);
  const requestReset = async (email: string) => {
    await browser().post('/api/password/forgot', { email });
    return tokenIn(await mailTo(server.mails, email, /new password/), 'reset');
  };

  it.each([
    ['/api/payment/claim', { token: 'junk', password: PASSWORD }],
    ['/api/password/reset', { token: 'junk', password: PASSWORD }],
  ])('does not start by %s for an unknown token', async (url, body) => {
    statements.length = 0;
    expect((await browser().post(url, body)).statusCode).toBe(400);
    expect(counts).toEqual({ hashes: 0, comparisons: 0 });
    // Nothing is written either, because a write waits for the disk.
    expect(statements).toEqual([expect.stringMatching(/^select/)]);
  });

  it('does not start for a registration whose name or address has an account', async () => {
    await createMember(server.app, 'anna');
    counts.hashes = 0;
    expect((await browser().register('Anna', 'other@example.org')).statusCode).toBe(409);
    expect((await browser().register('other', 'ANNA@example.org')).statusCode).toBe(409);
    expect(counts.hashes).toBe(0);
  });

  it('does not start for a rejected new password, and the old one is not compared', async () => {
    const bea = await createMember(server.app, 'beatrice');
    const token = await requestReset('beatrice@example.org');
    Object.assign(counts, { hashes: 0, comparisons: 0 });
    for (const weak of ['password', 'Beatrice', 'beatrice@example.org', 'glyphlift']) {
      const change = { currentPassword: PASSWORD, newPassword: weak };
      expect((await bea.post('/api/account/password', change)).statusCode).toBe(400);
      expect((await browser().post('/api/password/reset', { token, password: weak })).statusCode).toBe(400);
    }
    expect((await browser().register('bernhard', 'b@example.org', 'bernhard')).statusCode).toBe(400);
    expect(counts).toEqual({ hashes: 0, comparisons: 0 });
    expect((await browser().post('/api/password/reset', { token, password: PASSWORD })).statusCode).toBe(200);
  });

  it('does not start for a deletion with another username', async () => {
    const carl = await createMember(server.app, 'carl');
    Object.assign(counts, { hashes: 0, comparisons: 0 });
    const body = { username: 'somebody', currentPassword: PASSWORD };
    expect((await carl.post('/api/account/delete', body)).statusCode).toBe(400);
    expect(counts.comparisons).toBe(0);
  });

  it('runs once per guess within the limit, for known and unknown names, and never beyond it', async () => {
    await createMember(server.app, 'dora');
    for (const name of ['dora', 'nobody-at-all', 'dora@example.org', 'nobody@example.org']) {
      counts.comparisons = 0;
      for (let count = 0; count < 12; count++) await browser().login(name, 'a wrong guess');
      expect(counts.comparisons, name).toBe(10);
    }
  });
});

itOnce(
  'rejects a sign-in with 503 and Retry-After when the queue is full, and does not count it as a guess',
  async () => {
    const server = await startTestServer({
      passwordHasher: createPasswordHasher(
        { memoryCost: 8, timeCost: 1, parallelism: 1 },
        { concurrency: 1, maxQueued: 1 },
      ),
    });
    await createMember(server.app, 'emil');
    const guesses = await Promise.all(
      Array.from({ length: 9 }, () => createBrowser(server.app).login('emil', 'a wrong guess')),
    );
    const busy = guesses.filter(({ statusCode }) => statusCode === 503);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy[0]?.headers['retry-after']).toBe('5');
    expect(busy[0]?.json()).toEqual({
      error: 'Very many people are signing in at this moment. Please try again in a few seconds.',
      code: 'accounts.passwords_busy',
    });
    const accepted = 9 - busy.length;
    const later: number[] = [];
    for (let count = 0; count < 11; count++) {
      later.push((await createBrowser(server.app).login('emil', 'a wrong guess')).statusCode);
    }
    expect(later.filter((status) => status === 401)).toHaveLength(10 - accepted);
    await server.close();
  },
);
