import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type FaultyProxy, openFaultyProxy } from '../../../tests/support/faulty-proxy.ts';
import {
  createTestDatabase,
  DATABASES_WITH_PGBOUNCER,
  itOnce,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';
import { type Database, openDatabase } from '../schema.ts';
import { idempotently, pingDatabase, requireWritable, withTransaction } from './database.ts';
import { DatabaseAccessDenied, DatabaseUnavailable, OutcomeUnknown } from './database-errors.ts';
import { createLogger } from './logger.ts';

/** Directly in the default run, through PgBouncer in the run of the second database. */
const KINDS = DATABASES_WITH_PGBOUNCER.filter((kind) => kind !== 'sqlite');

const row = (holder: string) => ({
  holder,
  period: 'p',
  period_ends: '2026-01-01T00:00:00.000Z',
  unpaid_ms: 0,
});
const insert = (database: Pick<Database, 'insertInto'>, holder: string) =>
  database.insertInto('quota_holders').values(row(holder)).execute();
const holders = async (database: Pick<Database, 'selectFrom'>) => {
  const rows = await database.selectFrom('quota_holders').select('holder').orderBy('holder').execute();
  return rows.map(({ holder }) => holder);
};
const touch = (database: Pick<Database, 'updateTable'>, holder: string) =>
  database.updateTable('quota_holders').set({ unpaid_ms: 1 }).where('holder', '=', holder).execute();
/** A promise, and what resolves it. */
function gate(): [passed: Promise<void>, open: () => void] {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [passed, open];
}
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error) => error,
  );

describe.each(KINDS)('PostgreSQL (%s)', (kind) => {
  let testDatabase: TestDatabase;
  let database: Database;
  let opened: Database[] = [];
  /** A separate connection, like an operator's. */
  let operator: pg.Client;
  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind);
    const direct = new URL(inject('postgresUrl'));
    direct.pathname = new URL(testDatabase.databaseUrl ?? '').pathname;
    operator = new pg.Client({ connectionString: direct.href });
    await operator.connect();
  });
  beforeEach(async () => {
    database = await open();
    await database.deleteFrom('quota_holders').execute();
  });
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.destroy()));
    opened = [];
  });
  afterAll(async () => {
    await operator.end();
    await testDatabase.remove();
  });
  async function open(...options: Parameters<TestDatabase['open']>): Promise<Database> {
    const one = await testDatabase.open(...options);
    opened.push(one);
    return one;
  }

  /** States of the server's connections to this database, except for the querying one. */
  async function sessions(which = 'true'): Promise<Array<{ pid: number; state: string; query: string }>> {
    const { rows } = await operator.query(
      `select pid, state, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and ${which}`,
    );
    return rows;
  }
  const killThose = (which: string) =>
    operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${which}`,
    );

  it('cancels a slow statement, on the server as well, and stays usable', async () => {
    const short = await open({ limits: { statementMs: 300 }, databasePoolSize: 1 });
    const failure = await failureOf(sql`select pg_sleep(60)`.execute(short));
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    // On a busy machine the connection is closed before the server has answered the cancel request.
    await expect.poll(() => sessions(`state = 'active' and query like '%pg_sleep%'`)).toEqual([]);
    // On a busy machine a new connection may take longer than this limit.
    await expect.poll(() => failureOf(pingDatabase(short))).toBe('no failure');
  });

  it('sets its time limits in every transaction, and leaves no settings on a connection', async () => {
    const limits = { statementMs: 7_000, lockMs: 6_000, idleMs: 9_000 };
    const own = await open({ limits, databasePoolSize: 3 });
    const limitsIn = async (where: Parameters<typeof sql.raw>[0], at: Database) => {
      const { rows } = await sql<Record<string, string>>`${sql.raw(where)}`.execute(at);
      return Object.values(rows[0] ?? {});
    };
    const query = `select current_setting('statement_timeout') a, current_setting('lock_timeout') b, current_setting('idle_in_transaction_session_timeout') c`;
    const inside = Array.from({ length: 8 }, () =>
      withTransaction(own, (transaction) => limitsIn(query, transaction)),
    );
    for (const one of await Promise.all(inside)) expect(one).toEqual(['7s', '6s', '9s']);
    const outside = Array.from({ length: 8 }, () => limitsIn(query, own));
    for (const one of await Promise.all(outside)) expect(one).toEqual(['0', '0', '0']);
  });

  it('shows a snapshot transaction the data from its start, despite later writes', async () => {
    await insert(database, 'before');
    const seen = await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (snapshot) => {
        const first = await holders(snapshot);
        await operator.query("insert into quota_holders values ('meanwhile', 'p', '2026-01-01', 0)");
        return [first, await holders(snapshot)];
      });
    expect(seen).toEqual([['before'], ['before']]);
    expect(await holders(database)).toEqual(['before', 'meanwhile']);
  });

  it('gives up waiting for a locked row, without affecting the transaction that holds it', async () => {
    const shortLockWait = await open({ limits: { lockMs: 200 } });
    await insert(database, 'held');
    await withTransaction(database, async (transaction) => {
      await touch(transaction, 'held');
      const failure = await failureOf(withTransaction(shortLockWait, (other) => touch(other, 'held')));
      expect(failure).toBeInstanceOf(DatabaseUnavailable);
      await insert(transaction, 'after');
    });
    expect(await holders(database)).toEqual(['after', 'held']);
  });

  it('releases the rows of an idle transaction', async () => {
    const idle = await open({ limits: { idleMs: 200 } });
    await insert(database, 'held');
    let attempts = 0;
    const [rests, goOn] = gate();
    const [held, tellHeld] = gate();
    const resting = withTransaction(idle, async (transaction) => {
      await touch(transaction, 'held');
      tellHeld();
      if (++attempts === 1) await rests;
      await insert(transaction, 'rested');
    });
    await held;
    await touch(database, 'held');
    goOn();
    await resting;
    expect(attempts).toBeGreaterThan(1);
    expect(await holders(database)).toEqual(['held', 'rested']);
  });

  it('retries a transaction whose connection broke before the commit, and applies it once', async () => {
    let attempts = 0;
    await withTransaction(database, async (transaction) => {
      attempts++;
      await insert(transaction, `attempt ${attempts}`);
      if (attempts === 1) await killThose(`state = 'idle in transaction'`);
      await insert(transaction, 'kept');
    });
    expect(attempts).toBe(2);
    expect(await holders(database)).toEqual(['attempt 2', 'kept']);
  });

  it('recovers at once after all connections were terminated', async () => {
    await Promise.all(Array.from({ length: 5 }, () => pingDatabase(database)));
    const asleep = Array.from({ length: 3 }, () => failureOf(sql`select pg_sleep(60)`.execute(database)));
    await expect.poll(async () => (await sessions(`state = 'active'`)).length).toBe(3);
    await killThose('true');
    for (const failure of await Promise.all(asleep)) expect(failure).toBeInstanceOf(OutcomeUnknown);
    await expect.poll(() => failureOf(insert(database, `again ${Math.random()}`))).toBe('no failure');
  });

  it('uses at most the configured number of connections', async () => {
    const narrow = await open({ databasePoolSize: 2, limits: { connectMs: 60_000 } });
    const [over, end] = gate();
    const most = { here: 0, there: 0 };
    let inside = 0;
    const asking = Array.from({ length: 6 }, () =>
      withTransaction(narrow, async (transaction) => {
        await holders(transaction);
        most.here = Math.max(most.here, ++inside);
        await over;
        inside--;
      }),
    );
    await expect.poll(() => inside).toBe(2);
    most.there = (await sessions(`state = 'idle in transaction'`)).length;
    end();
    await Promise.all(asking);
    expect(most).toEqual({ here: 2, there: 2 });
  });

  it('reports a transaction with an ignored failed statement as rolled back', async () => {
    await insert(database, 'there');
    const passing = withTransaction(database, async (transaction) => {
      await insert(transaction, 'there').catch(() => {});
    });
    await expect(passing).rejects.toThrow('was rolled back');
  });

  it('reports a write to a full disk as rolled back, and counts as full for a while', async () => {
    requireWritable(database);
    const full = sql`do $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$`;
    expect(await failureOf(full.execute(database))).toBeInstanceOf(DatabaseUnavailable);
    expect(() => requireWritable(database)).toThrow('the disk of the database is full');
    await pingDatabase(database);
  });

  describe('over an unreliable network', () => {
    let link: FaultyProxy;
    let distantUrl: string;
    let distant: Database;
    beforeEach(async () => {
      const url = testDatabase.databaseUrl ?? '';
      link = await openFaultyProxy(Number(new URL(url).port));
      distantUrl = link.urlThrough(url);
      distant = await open({ databaseUrl: distantUrl });
    });
    afterEach(async () => {
      await distant.destroy();
      opened = opened.filter((one) => one !== distant);
      await link.close();
    });

    it('retries an interrupted read', async () => {
      await insert(distant, 'read');
      link.breakAfter('select');
      expect(await holders(distant)).toEqual(['read']);
    });

    it('does not retry an interrupted write without a transaction, whose outcome is unknown', async () => {
      link.breakAfter('insert');
      expect(await failureOf(insert(distant, 'written'))).toBeInstanceOf(OutcomeUnknown);
      await expect.poll(() => holders(database)).toEqual(['written']);
    });

    it('does not retry a commit without an answer, whose outcome is unknown', async () => {
      let attempts = 0;
      link.breakAfter('commit');
      const committing = withTransaction(distant, async (transaction) => {
        attempts++;
        await insert(transaction, 'kept');
      });
      expect(await failureOf(committing)).toBeInstanceOf(OutcomeUnknown);
      expect(attempts).toBe(1);
      await expect.poll(() => holders(database)).toEqual(['kept']);
    });

    it('retries idempotent work', async () => {
      await insert(database, 'same');
      link.breakAfter('update');
      await idempotently(() => touch(distant, 'same'));
    });

    it('fails at once without a server, and recovers when it is back', async () => {
      link.cut();
      expect(await failureOf(pingDatabase(distant))).toBeInstanceOf(DatabaseUnavailable);
      expect(
        await failureOf(withTransaction(distant, (transaction) => insert(transaction, 'away'))),
      ).toBeInstanceOf(DatabaseUnavailable);
      link.restore();
      await expect.poll(() => failureOf(insert(distant, 'back'))).toBe('no failure');
      expect(await holders(distant)).toEqual(['back']);
    });

    it('times out without answers, and recovers when they arrive again', async () => {
      const impatient = await open({ databaseUrl: distantUrl, limits: { connectMs: 500, statementMs: 500 } });
      await pingDatabase(impatient);
      link.blackhole();
      expect(await failureOf(holders(impatient))).toBeInstanceOf(DatabaseUnavailable);
      expect(
        await failureOf(withTransaction(impatient, (transaction) => insert(transaction, 'lost'))),
      ).toBeInstanceOf(DatabaseUnavailable);
      link.restore();
      // A pooler may have crashed on the late data and be restarting.
      await expect.poll(() => failureOf(pingDatabase(impatient))).toBe('no failure');
      expect(await holders(database)).toEqual([]);
    });

    it('waits for a PostgreSQL that starts later', async () => {
      link.cut();
      const lines: string[] = [];
      const logger = createLogger('warn', { write: (line) => void lines.push(line) });
      const opening = openDatabase({ databaseUrl: distantUrl, dataDir: testDatabase.dataDir, logger });
      await expect.poll(() => lines.join('')).toContain('the start waits for it');
      link.restore();
      opened.push(await opening);
      expect(lines).toHaveLength(1);
    });

    it('fails to start after a timeout', async () => {
      link.cut();
      const logger = createLogger('silent');
      const options = { databaseUrl: distantUrl, dataDir: testDatabase.dataDir, logger, startTimeoutMs: 100 };
      await expect(openDatabase(options)).rejects.toThrow('no connection to the database');
    });
  });
});

itOnce('a PostgreSQL that rejects the login fails the start at once', async () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = '/nowhere';
  const opening = openDatabase({
    databaseUrl: url.href,
    dataDir: '/nowhere',
    logger: createLogger('silent'),
  });
  expect(await failureOf(opening)).toBeInstanceOf(DatabaseAccessDenied);
});
