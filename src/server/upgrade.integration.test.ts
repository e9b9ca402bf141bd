import { Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, createMember } from '../../tests/support/people.ts';
import { startTestServer } from '../../tests/support/server-app.ts';
import {
  createTestDatabase,
  describeOnBothDatabases,
  type TestDatabase,
} from '../../tests/support/server-databases.ts';
import { BREAKING, type Migrations, migrate } from './platform/migrate.ts';
import { sqlite } from './platform/sqlite.ts';
import { SLICES } from './schema.ts';

/** Compatibility of releases that share a database, in a rolling upgrade and after a rollback. */

describeOnBothDatabases('a database that a newer version has added to', (testDatabase) => {
  /** Migrations that a later release may have. */
  async function addLater(step: string): Promise<void> {
    const database = await testDatabase().open();
    await sql`create table if not exists added_later (id text primary key, user_id text references users (id) on delete cascade)`.execute(
      database,
    );
    await sql`insert into migrations (name, applied) values (${step}, '2030-01-01')`.execute(database);
    await database.destroy();
  }

  it('still works with the previous release: running servers continue, and can be restarted', async () => {
    const running = await startTestServer({ testDatabase: testDatabase() });
    const nora = await createMember(running.app, 'nora');
    await addLater('9998-more');
    await sql`alter table users add column later text`.execute(running.database);
    await sql`alter table sessions add column seen integer not null default 0`.execute(running.database);
    const rolledBack = await startTestServer({ testDatabase: testDatabase() });
    expect((await nora.upload()).statusCode).toBe(200);
    for (const { app } of [running, rolledBack]) {
      const again = createBrowser(app);
      expect((await again.login('nora')).statusCode).toBe(200);
      expect((await again.post('/api/texts', { name: 'Kept', text: 'Seven boats.' })).statusCode).toBe(201);
      await createMember(app, app === running.app ? 'carl' : 'dora');
    }
    expect((await createBrowser(rolledBack.app).login('carl')).statusCode).toBe(200);
    await Promise.all([running.close(), rolledBack.close()]);
  });

  it('is rejected after a breaking migration, with its name', async () => {
    await addLater(`9999-less${BREAKING}`);
    await expect(testDatabase().open()).rejects.toThrow(
      'The database belongs to a newer version of Glyphlift (it has 9999-less-breaking).',
    );
  });
});

describe('each migration', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('sqlite');
  });
  afterAll(() => testDatabase.remove());

  it('is compatible with the previous release, or has BREAKING in its name', async () => {
    const names = [...new Set(SLICES.flatMap((steps) => Object.keys(steps)))].sort();
    const database = new Kysely<unknown>({ dialect: await sqlite({ dataDir: testDatabase.dataDir }) });
    let before = shapes(testDatabase);
    for (const last of names) {
      const until = SLICES.map(
        (steps): Migrations => Object.fromEntries(Object.entries(steps).filter(([name]) => name <= last)),
      );
      await migrate(database, 'sqlite', until);
      const after = shapes(testDatabase);
      if (!last.endsWith(BREAKING)) expect(incompatibilities(before, after), last).toEqual([]);
      before = after;
    }
    await database.destroy();
  });

  it.each([
    ['drop table kept', 'kept was removed'],
    ['alter table kept drop column name', 'kept.name was removed'],
    ['alter table kept rename column name to title', 'kept.name was removed'],
    ['alter table kept add column size integer not null default 0', undefined],
    ['alter table kept add column size integer', undefined],
    ['create table more (id text primary key)', undefined],
    ['create unique index one_name on kept (name)', 'kept has a new constraint'],
    [
      'drop table kept; create table kept (id text primary key, name text, size integer not null)',
      'kept.size is required',
    ],
    ['drop table kept; create table kept (id text primary key, name text not null)', 'kept.name has changed'],
  ])('is checked by its effect: %s', async (step, verdict) => {
    const database = new Libsql(':memory:');
    database.exec('create table kept (id text primary key, name text)');
    const before = shapesIn(database);
    database.exec(step);
    expect(incompatibilities(before, shapesIn(database))).toEqual(verdict ? [verdict] : []);
    database.close();
  });
});

interface Shape {
  columns: Map<string, { type: string; notnull: number; dflt_value: string | null; pk: number }>;
  unique: number;
}

function shapes(testDatabase: TestDatabase): Map<string, Shape> {
  const database = new Libsql(`${testDatabase.dataDir}/glyphlift.db`);
  const found = shapesIn(database);
  database.close();
  return found;
}

function shapesIn(database: Libsql.Database): Map<string, Shape> {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as {
    name: string;
  }[];
  return new Map(
    tables.map(({ name }) => {
      const columns = database.prepare(`select * from pragma_table_info('${name}')`).all() as Array<
        { name: string } & (Shape['columns'] extends Map<string, infer Column> ? Column : never)
      >;
      const indexes = database.prepare(`select "unique" as one from pragma_index_list('${name}')`).all() as {
        one: number;
      }[];
      return [
        name,
        {
          columns: new Map(
            columns.map(({ name, type, notnull, dflt_value, pk }) => [
              name,
              { type, notnull, dflt_value, pk },
            ]),
          ),
          unique: indexes.filter(({ one }) => one === 1).length,
        },
      ];
    }),
  );
}

/** Incompatibilities of `after` for a release that knows only `before`. */
function incompatibilities(before: Map<string, Shape>, after: Map<string, Shape>): string[] {
  return [...before].flatMap(([table, was]) => {
    const is = after.get(table);
    if (!is) return [`${table} was removed`];
    const lost = [...was.columns].flatMap(([name, column]) => {
      const now = is.columns.get(name);
      if (!now) return [`${table}.${name} was removed`];
      return JSON.stringify(now) === JSON.stringify(column) ? [] : [`${table}.${name} has changed`];
    });
    const asked = [...is.columns].flatMap(([name, { notnull, dflt_value }]) =>
      !was.columns.has(name) && notnull === 1 && dflt_value === null ? [`${table}.${name} is required`] : [],
    );
    return [...lost, ...asked, ...(is.unique > was.unique ? [`${table} has a new constraint`] : [])];
  });
}
