import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createTestDatabase,
  describeOnce,
  describeWithPgbouncer,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';
import { type Database, openDatabase } from '../schema.ts';
import { pingDatabase, withTransaction } from './database.ts';
import { DatabaseUnavailable, OutcomeUnknown } from './database-errors.ts';
import { createLogger } from './logger.ts';

const row = (holder: string) => ({
  holder,
  period: 'p',
  period_ends: '2026-01-01T00:00:00.000Z',
  unpaid_ms: 0,
});

describeWithPgbouncer('a database', (testDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await testDatabase().open();
  });
  afterAll(() => database.destroy());

  it('answers, and keeps its data when it is reopened', async () => {
    await pingDatabase(database);
    await database.insertInto('quota_holders').values(row('kept')).execute();
    const again = await testDatabase().open();
    const found = await again
      .selectFrom('quota_holders')
      .select('holder')
      .where('holder', '=', 'kept')
      .execute();
    expect(found).toEqual([{ holder: 'kept' }]);
    await again.destroy();
  });

  it('rolls back a failed transaction', async () => {
    const failing = withTransaction(database, async (transaction) => {
      await transaction.insertInto('quota_holders').values(row('half')).execute();
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    const found = await database
      .selectFrom('quota_holders')
      .selectAll()
      .where('holder', '=', 'half')
      .execute();
    expect(found).toEqual([]);
  });

  it('keeps two concurrent writes, one in a transaction and one outside', async () => {
    const other = await testDatabase().open();
    await Promise.all([
      withTransaction(database, async (transaction) => {
        await transaction.insertInto('quota_holders').values(row('first')).execute();
        await new Promise((resolve) => setImmediate(resolve));
        await transaction.insertInto('quota_holders').values(row('second')).execute();
      }),
      other.insertInto('quota_holders').values(row('third')).execute(),
    ]);
    const found = await other
      .selectFrom('quota_holders')
      .select('holder')
      .where('holder', 'in', ['first', 'second', 'third'])
      .orderBy('holder')
      .execute();
    expect(found.map(({ holder }) => holder)).toEqual(['first', 'second', 'third']);
    await other.destroy();
  });

  it('rejects a duplicate key, and stays usable', async () => {
    await database.insertInto('quota_holders').values(row('once')).execute();
    await expect(database.insertInto('quota_holders').values(row('once')).execute()).rejects.toThrow();
    await database.insertInto('quota_holders').values(row('after')).execute();
  });
});

describeOnce('SQLite', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('sqlite');
  });
  afterAll(() => testDatabase.remove());

  const holders = (database: Database) =>
    database.selectFrom('quota_holders').select('holder').orderBy('holder').execute();

  it('opens once another process releases its exclusive lock', async () => {
    const fresh = await createTestDatabase('sqlite');
    const other = new Libsql(join(fresh.dataDir, 'glyphlift.db'));
    other.exec('begin exclusive');
    const tries = vi.spyOn(Libsql.prototype, 'exec');
    const opening = fresh.open();
    await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(2);
    tries.mockRestore();
    other.exec('commit');
    other.close();
    const database = await opening;
    await pingDatabase(database);
    await database.destroy();
    await fresh.remove();
  });

  it('reports a full disk as an unavailable database, rolls back the write, and stays usable', async () => {
    const fresh = await createTestDatabase('sqlite');
    const database = await fresh.open();
    const most = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(database);
    await most(1);
    const large = { ...row('too large'), period: 'x'.repeat(4_000_000) };
    await expect(database.insertInto('quota_holders').values(large).execute()).rejects.toThrow(
      DatabaseUnavailable,
    );
    await expect(
      withTransaction(database, async (transaction) => {
        await transaction.insertInto('quota_holders').values(row('with it')).execute();
        await transaction.insertInto('quota_holders').values(large).execute();
      }),
    ).rejects.toThrow(DatabaseUnavailable);
    await most(1_000_000);
    expect(await holders(database)).toEqual([]);
    await database.insertInto('quota_holders').values(row('after')).execute();
    expect(await holders(database)).toEqual([{ holder: 'after' }]);
    await database.destroy();
    await fresh.remove();
  });

  describe('during fsync', () => {
    /** Replaces fsync. */
    async function disk(answer: () => Promise<void>) {
      const any = await open(import.meta.filename);
      const handles = Object.getPrototypeOf(any) as FileHandle;
      await any.close();
      return vi.spyOn(handles, 'datasync').mockImplementation(answer);
    }

    it('keeps serving other requests, and fails the writers afterwards', async () => {
      const fresh = await createTestDatabase('sqlite');
      const database = await fresh.open();
      let take = () => {};
      const taken = new Promise<void>((resolve) => {
        take = resolve;
      });
      const syncing = await disk(() => taken);
      const acknowledged: string[] = [];
      const write = (holder: string) =>
        database
          .insertInto('quota_holders')
          .values(row(holder))
          .execute()
          .then(() => acknowledged.push(holder));
      const writing = Promise.all([write('first'), write('second'), write('third')]);
      await expect.poll(() => holders(database)).toHaveLength(3);
      expect(acknowledged).toEqual([]);
      take();
      await writing;
      // One fsync for the first write, one for the writes that queued during it.
      expect([acknowledged.sort(), syncing.mock.calls.length]).toEqual([['first', 'second', 'third'], 2]);
      syncing.mockRestore();
      await database.destroy();
      await fresh.remove();
    });

    it('a write whose fsync fails rejects with OutcomeUnknown and rolls back no other write', async () => {
      const fresh = await createTestDatabase('sqlite');
      const database = await fresh.open();
      const failing = await disk(() => Promise.reject(new Error('EIO')));
      await expect(database.insertInto('quota_holders').values(row('lost')).execute()).rejects.toThrow(
        OutcomeUnknown,
      );
      failing.mockRestore();
      await database.insertInto('quota_holders').values(row('after')).execute();
      expect((await holders(database)).map(({ holder }) => holder)).toContain('after');
      await database.destroy();
      await fresh.remove();
    });
  });

  it('answers reads while a write waits for another writer', async () => {
    const [database, other] = [await testDatabase.open(), await testDatabase.open()];
    await database.insertInto('quota_holders').values(row('before')).execute();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let tell = () => {};
    const locked = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const holding = withTransaction(other, async (transaction) => {
      await transaction.insertInto('quota_holders').values(row('elsewhere')).execute();
      tell();
      await gate;
    });
    await locked;
    let written = false;
    const writing = database
      .insertInto('quota_holders')
      .values(row('here'))
      .execute()
      .then(() => {
        written = true;
      });
    expect(await holders(database)).toEqual([{ holder: 'before' }]);
    await pingDatabase(database);
    expect(written).toBe(false);
    release();
    await Promise.all([holding, writing]);
    expect(await holders(database)).toEqual([
      { holder: 'before' },
      { holder: 'elsewhere' },
      { holder: 'here' },
    ]);
    await Promise.all([database.destroy(), other.destroy()]);
  });

  it('stays usable after a failed commit', async () => {
    const database = await testDatabase.open();
    const failing = withTransaction(database, async (transaction) => {
      await sql`pragma defer_foreign_keys = on`.execute(transaction);
      await transaction
        .insertInto('quota_entries')
        .values({ reservation: 'r', holder: 'missing', period: 'p', expires: '2026', committed: null })
        .execute();
    });
    await expect(failing).rejects.toThrow(/foreign key/i);
    await database.insertInto('quota_holders').values(row('later')).execute();
    expect((await holders(database)).map(({ holder }) => holder)).toContain('later');
    await database.destroy();
  });

  it('makes its files readable for the owner only, existing ones included', async () => {
    const database = await testDatabase.open();
    await database.insertInto('quota_holders').values(row('private')).execute();
    const files = (await readdir(testDatabase.dataDir)).filter((name) => name.startsWith('glyphlift.db'));
    expect(files.sort()).toEqual(['glyphlift.db', 'glyphlift.db-shm', 'glyphlift.db-wal']);
    for (const file of files) expect((await stat(join(testDatabase.dataDir, file))).mode & 0o777).toBe(0o600);
    await database.destroy();
  });

  it('keeps no bytes of a deleted row in its file or its log', async () => {
    const secret = 'the-words-of-a-letter-that-was-deleted';
    const { dataDir } = testDatabase;
    const logger = createLogger('silent');
    const database = await openDatabase({ databaseUrl: undefined, dataDir, logger, checkpointDelayMs: 50 });
    const bytes = async () => {
      const files = (await readdir(dataDir)).filter((name) => name.startsWith('glyphlift.db'));
      return Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name)))));
    };
    await database.insertInto('quota_holders').values(row(secret)).execute();
    expect((await bytes()).includes(secret)).toBe(true);
    await database.deleteFrom('quota_holders').where('holder', '=', secret).execute();
    await expect.poll(async () => (await bytes()).includes(secret)).toBe(false);
    await database.destroy();
  });
});
