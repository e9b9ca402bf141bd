import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { type Browser, createBrowser, mailTo, PASSWORD } from '../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../tests/support/server-app.ts';
import {
  createTestDatabase,
  DATABASES_WITH_PGBOUNCER,
  type DatabaseKind,
  describeOnce,
  type TestDatabase,
} from '../../tests/support/server-databases.ts';
import type { Secrets } from './platform/secrets.ts';

describeOnce('a database of an older server', () => {
  const OLD = readFileSync('tests/fixtures/databases/0005-waitlist.sql', 'utf8');
  let testDatabase: TestDatabase;
  const file = () => new Libsql(join(testDatabase.dataDir, 'glyphlift.db'));
  beforeAll(async () => {
    testDatabase = await createTestDatabase('sqlite');
    const database = file();
    database.exec(OLD);
    database.close();
  });
  afterAll(() => testDatabase.remove());

  /** Schema and rows of each table. */
  function contents(): Map<string, { made: string; rows: object[] }> {
    const database = file();
    const tables = database
      .prepare("select name, sql from sqlite_master where type = 'table' order by name")
      .all() as Array<{ name: string; sql: string }>;
    const found = tables.map(({ name, sql }) => {
      const rows = database.prepare(`select * from "${name}" order by rowid`).all() as object[];
      return [name, { made: sql, rows }] as const;
    });
    database.close();
    return new Map(found);
  }
  const open = async () => (await testDatabase.open()).destroy();

  it('opens with all rows unchanged', async () => {
    const before = contents();
    await open();
    const after = contents();
    expect(after.size).toBeGreaterThan(before.size);
    for (const [table, { rows }] of before) {
      expect(rows.length, table).toBeGreaterThan(0);
      expect(after.get(table)?.rows.slice(0, rows.length), table).toMatchObject(rows);
      if (table !== 'migrations') expect(after.get(table)?.rows.length, table).toBe(rows.length);
    }
  });

  it('is not changed when it is opened again', async () => {
    const once = contents();
    await open();
    expect(contents()).toEqual(once);
  });

  describe('under the current server', () => {
    /** Signatures of the old key are still valid. */
    const secrets: Secrets = {
      cookieKeys: ['n'.repeat(32)],
      cookieKey: 'c'.repeat(32),
      addressKey: 'a'.repeat(32),
      metricsToken: undefined,
    };
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer({
        testDatabase,
        secrets,
        clock: createTestClock('2026-05-04T10:05:00.000Z'),
      });
    });
    afterAll(() => server.close());
    const browserWith = (cookies: Record<string, string> = {}): Browser => {
      const browser = createBrowser(server.app);
      for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
      return browser;
    };
    const answerTo = async (browser: Browser, url: string) => {
      const response = await browser.get(url);
      expect(response.statusCode, url).toBe(200);
      return response.json();
    };

    it('signs a user in with the old password, with premium and all data', async () => {
      const anna = browserWith();
      expect((await anna.login('anna', 'a wrong guess')).statusCode).toBe(401);
      expect((await anna.login('anna')).json()).toMatchObject({
        user: { username: 'Anna', isPremium: true },
      });
      const { texts } = await answerTo(anna, '/api/texts?search=BURNING');
      expect(texts).toMatchObject([{ name: 'Harbour notice' }]);
      expect((await answerTo(anna, `/api/texts/${texts[0].id}`)).text).toMatchObject({
        text: 'Seven boats are out at sea.\nKeep the light burning – all night.',
      });
      expect(await anna.usage()).toMatchObject({ imageCount: 1 });
      expect(await answerTo(anna, '/api/account/data')).toMatchObject({
        email: 'anna@example.org',
        pendingEmail: 'anna@new.example',
        subscription: { status: 'active' },
        payments: [{ provider: 'demo', status: 'applied', amount: '4.99', currency: 'USD' }],
        usage: [{ extractions: 1 }],
        savedTexts: [{ name: 'Harbour notice' }],
      });
    });

    it('keeps sessions, and a visitor’s extractions of the day', async () => {
      const anna = browserWith({ session: 'jgpCFeI76e775SU5VoZvSHB2O8Ow7Vy46zDp5T3dgXY' });
      expect(await anna.user()).toMatchObject({ username: 'Anna', isPremium: true });
      const nora = browserWith({ session: 'NFvsuXQvDqoidzWna9RoRYbw-VWocMtA-U6UXoDDrpI' });
      expect(await answerTo(nora, '/api/account')).toMatchObject({
        hasPassword: false,
        identities: [{ provider: 'google', email: 'nora@mail.example' }],
      });
      const visitor = 'p0hBiJo2oguim1siVNFY7Q.7kKRWJ35dCVVr%2FZMwxHKShoxucI4i4kZa9ElaMWp1Z4';
      expect(await browserWith({ visitor }).usage()).toMatchObject({ imageCount: 1 });
    });

    it('accepts the payment of a pending registration, and continues an open payment', async () => {
      const carl = browserWith({
        registration: '6d581612-8097-4245-8ff6-7fa7a4aa95a7.H9K1SVvkNoHogF8DcdtZSoIxn4kMza6txcYv0v8SMPk',
      });
      expect((await carl.pay('carl@example.org')).json()).toMatchObject({ status: 'completed' });
      expect((await carl.login('carl')).json()).toMatchObject({ user: { isPremium: true } });
      const dora = browserWith({
        registration: '31c4ad46-731c-4169-91dd-fe18b58b3a67.wmo1wSj8Tb1yapL7Ei4OUaYYt%2B0V5N8atAVGfbHAPQ4',
      });
      expect(await answerTo(dora, '/api/payment')).toMatchObject({
        payingFor: { kind: 'registration', username: 'Dora', email: 'dora@example.org' },
      });
    });

    it('continues PayPal subscriptions', async () => {
      const emil = browserWith();
      await emil.login('emil@example.org');
      expect(await answerTo(emil, '/api/subscription')).toMatchObject({
        subscription: { status: 'active', premium: true, periodEnd: '2026-06-04T10:00:00.000Z' },
      });
    });

    it('sends queued mails, and accepts old links', async () => {
      await server.services.mails.deliver();
      const mail = await mailTo(server.mails, 'olga@example.org', /premium list/);
      expect(await server.services.waitlist.list()).toMatchObject([{ email: 'olga@example.org' }]);
      const { pathname, search } = new URL(mail.unsubscribeUrl ?? '');
      expect((await browserWith().post(pathname + search)).statusCode).toBe(200);
      expect(await server.services.waitlist.list()).toEqual([]);

      const reset = { token: 'Spgjeu4zIuM3X8zsqAjL8m9lVQmqB81zoPvYfSrhT6o', password: 'other lights 8' };
      expect((await browserWith().post('/api/password/reset', reset)).statusCode).toBe(200);
      expect((await browserWith().login('Anna', PASSWORD)).statusCode).toBe(401);
      expect((await browserWith().login('Anna', reset.password)).statusCode).toBe(200);
    });
  });
});

describe.each(
  DATABASES_WITH_PGBOUNCER.map((kind): [DatabaseKind, number, number] =>
    kind === 'sqlite' ? [kind, 40, 1] : [kind, 4, 5],
  ),
)('an empty database (%s)', (kind, rounds, times) => {
  const processes = [startOpener(), startOpener()];
  beforeAll(() => Promise.all(processes.map(({ answer }) => answer())));
  afterAll(() => Promise.all(processes.map(({ end }) => end())));

  it('is migrated once when two processes open it at the same time', async () => {
    for (let round = 0; round < rounds; round++) {
      const testDatabase = await createTestDatabase(kind);
      const { databaseUrl, dataDir } = testDatabase;
      for (const { tell } of processes) tell({ databaseUrl, dataDir, times });
      expect(await Promise.all(processes.map(({ answer }) => answer()))).toEqual(['opened', 'opened']);
      const database = await testDatabase.open();
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
        database,
      );
      expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
      expect(rows.at(0)?.name).toBe('0001-quota');
      await database.destroy();
      await testDatabase.remove();
    }
  });
});

/** A process that opens the given databases; its first message says that it is ready. */
function startOpener() {
  const child = spawn(process.execPath, [compiledFileOf('tests/support/database-opener.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    tell: (testDatabase: object) => child.stdin.write(`${JSON.stringify(testDatabase)}\n`),
    answer: async () => (await lines.next()).value as string,
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
