import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import type { DatabaseOptions } from '../../src/server/platform/database.ts';
import { createLogger } from '../../src/server/platform/logger.ts';
import { type Database, openDatabase } from '../../src/server/schema.ts';
import { dataFolder } from './data-folder.ts';
import { startPgbouncer } from './pgbouncer.ts';

const SQLITE_FILE = 'glyphlift.db';

/** `pgbouncer`: PostgreSQL through PgBouncer in transaction mode. */
export type DatabaseKind = 'sqlite' | 'postgres' | 'pgbouncer';

/** A separate database and data folder for one test file. */
export interface TestDatabase {
  kind: DatabaseKind;
  databaseUrl: string | undefined;
  dataDir: string;
  /** Opens the database like another process. The caller destroys it. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  remove(): Promise<void>;
}

export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const dataDir = await newFolder();
  if (kind === 'sqlite') return createDatabaseHandle(kind, dataDir, undefined);
  const name = newName();
  await asAdmin(`create database ${name}`);
  return createDatabaseHandle(kind, dataDir, name);
}

/** A database with all current tables, like after the first start of a server. */
export async function createMigratedDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const dataDir = await newFolder();
  if (kind === 'sqlite') {
    migratedFile ??= migrateFile();
    await writeFile(join(dataDir, SQLITE_FILE), await migratedFile);
    return createDatabaseHandle(kind, dataDir, undefined);
  }
  migratedDatabase ??= migrateDatabase();
  const name = newName();
  await asAdmin(`create database ${name} template ${await migratedDatabase}`);
  return createDatabaseHandle(kind, dataDir, name);
}

/** Created once per process, because migrating takes as long as the rest of a server's start. */
let migratedFile: Promise<Buffer> | undefined;
async function migrateFile(): Promise<Buffer> {
  const testDatabase = await createTestDatabase('sqlite');
  await (await testDatabase.open()).destroy();
  const bytes = await readFile(join(testDatabase.dataDir, SQLITE_FILE));
  await testDatabase.remove();
  return bytes;
}

/** Name of the template database, which is deleted with the PostgreSQL of this run. */
let migratedDatabase: Promise<string> | undefined;
async function migrateDatabase(): Promise<string> {
  const name = newName();
  await asAdmin(`create database ${name}`);
  const testDatabase = await createDatabaseHandle('postgres', await newFolder(), name);
  await (await testDatabase.open()).destroy();
  await rm(testDatabase.dataDir, { recursive: true, force: true });
  return name;
}

/** @param name name of the PostgreSQL database; undefined for SQLite */
async function createDatabaseHandle(
  kind: DatabaseKind,
  dataDir: string,
  name: string | undefined,
): Promise<TestDatabase> {
  const url = name === undefined ? undefined : new URL(`/${name}`, inject('postgresUrl'));
  const pgbouncer = url && kind === 'pgbouncer' ? await startPgbouncer(Number(url.port)) : undefined;
  if (url && pgbouncer) url.port = String(pgbouncer.port);
  const databaseUrl = url?.href;
  const logger = createLogger('silent');
  return {
    kind,
    databaseUrl,
    dataDir,
    open: (options) => openDatabase({ databaseUrl, dataDir, logger, ...options }),
    async remove() {
      await pgbouncer?.stop();
      if (name !== undefined) await asAdmin(`drop database ${name} with (force)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const newFolder = () => mkdtemp(join(dataFolder(), 'glyphlift-server-'));
const newName = () => `server_${randomBytes(6).toString('hex')}`;

/** Whether this is the `second-database` run, which repeats tests of `npm test` on the other database. */
const IS_SECOND_RUN = process.env.TEST_DATABASES === 'second';

/** For tests that depend little on the database: SQLite in `npm test`, PostgreSQL in the second run. */
export const DEFAULT_DATABASES: readonly DatabaseKind[] = IS_SECOND_RUN ? ['postgres'] : ['sqlite'];

/** For tests of storing, counting and settling: both databases in `npm test`, none in the second run. */
export const BOTH_DATABASES: readonly DatabaseKind[] = IS_SECOND_RUN ? [] : ['sqlite', 'postgres'];

/** For tests that depend most on the database: both in `npm test`, PgBouncer in the second run. */
export const DATABASES_WITH_PGBOUNCER: readonly DatabaseKind[] = IS_SECOND_RUN
  ? ['pgbouncer']
  : ['sqlite', 'postgres'];

const describeOn =
  (kinds: readonly DatabaseKind[]) =>
  (title: string, tests: (testDatabase: () => TestDatabase) => void): void => {
    describe.each<DatabaseKind>(kinds)(`${title} (%s)`, (kind) => {
      let testDatabase: TestDatabase;
      beforeAll(async () => {
        testDatabase = await createTestDatabase(kind);
      });
      afterAll(() => testDatabase.remove());
      tests(() => testDatabase);
    });
  };

/** Runs the tests on each of `DEFAULT_DATABASES`, with an empty database. */
export const describeOnDefaultDatabase = describeOn(DEFAULT_DATABASES);

/** Runs the tests on each of `BOTH_DATABASES`, with an empty database. */
export const describeOnBothDatabases = describeOn(BOTH_DATABASES);

/** Runs the tests on each of `DATABASES_WITH_PGBOUNCER`, with an empty database. */
export const describeWithPgbouncer = describeOn(DATABASES_WITH_PGBOUNCER);

/** For tests of such a file that do not depend on the database: the second run skips them. */
export const describeOnce = (title: string, tests: () => void): void => {
  if (!IS_SECOND_RUN) describe(title, tests);
};

/** Like `describeOnce`, for one test. */
export const itOnce = (title: string, test: () => Promise<void>): void => {
  if (!IS_SECOND_RUN) it(title, test);
};

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
