import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEveryDatabase } from '../../../tests/support/server-databases.ts';
import { type Database, pingDatabase, withTransaction } from './database.ts';

const row = (holder: string) => ({
  holder,
  period: 'p',
  period_ends: '2026-01-01T00:00:00.000Z',
  unpaid_ms: 0,
});

describeOnEveryDatabase('a database', (home) => {
  let database: Database;
  beforeAll(async () => {
    database = await home().open();
  });
  afterAll(() => database.destroy());

  it('answers, and opens again with what it holds', async () => {
    await pingDatabase(database);
    await database.insertInto('quota_holders').values(row('kept')).execute();
    const again = await home().open();
    const found = await again
      .selectFrom('quota_holders')
      .select('holder')
      .where('holder', '=', 'kept')
      .execute();
    expect(found).toEqual([{ holder: 'kept' }]);
    await again.destroy();
  });

  it('keeps nothing of a transaction that failed', async () => {
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

  it('keeps both of two writes that met, one in a transaction and one outside', async () => {
    const other = await home().open();
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

  it('refuses what breaks a key, and works on', async () => {
    await database.insertInto('quota_holders').values(row('once')).execute();
    await expect(database.insertInto('quota_holders').values(row('once')).execute()).rejects.toThrow();
    await database.insertInto('quota_holders').values(row('after')).execute();
  });

  it('of a newer version is left alone', async () => {
    await sql`insert into migrations (name, applied) values ('9999-future', '2030-01-01')`.execute(database);
    await expect(home().open()).rejects.toThrow('newer version of Glyphlift (it has 9999-future)');
    await sql`delete from migrations where name = '9999-future'`.execute(database);
  });
});
