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

/** `pgbouncer`: PostgreSQL through PgBouncer, which lends a connection for one transaction at a time. */
export type DatabaseKind = 'sqlite' | 'postgres' | 'pgbouncer';

/** An empty database of its own for one test file. */
export interface Home {
  kind: DatabaseKind;
  databaseUrl: string | undefined;
  dataDir: string;
  /** A connection of its own, as another process would have. The caller destroys it. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  remove(): Promise<void>;
}

export async function createHome(kind: DatabaseKind): Promise<Home> {
  const dataDir = await newFolder();
  if (kind === 'sqlite') return homeIn(kind, dataDir, undefined);
  const name = newName();
  await asAdmin(`create database ${name}`);
  return homeIn(kind, dataDir, name);
}

/** The same with all tables of today, as a server leaves it after its first start. */
export async function createMigratedHome(kind: DatabaseKind): Promise<Home> {
  const dataDir = await newFolder();
  if (kind === 'sqlite') {
    migratedFile ??= migrateFile();
    await writeFile(join(dataDir, SQLITE_FILE), await migratedFile);
    return homeIn(kind, dataDir, undefined);
  }
  migratedDatabase ??= migrateDatabase();
  const name = newName();
  await asAdmin(`create database ${name} template ${await migratedDatabase}`);
  return homeIn(kind, dataDir, name);
}

/** Made once in a process: making tables costs as much as the rest of a server's start. */
let migratedFile: Promise<Buffer> | undefined;
async function migrateFile(): Promise<Buffer> {
  const home = await createHome('sqlite');
  await (await home.open()).destroy();
  const bytes = await readFile(join(home.dataDir, SQLITE_FILE));
  await home.remove();
  return bytes;
}

/** Its name. It goes away with the PostgreSQL of this run. */
let migratedDatabase: Promise<string> | undefined;
async function migrateDatabase(): Promise<string> {
  const name = newName();
  await asAdmin(`create database ${name}`);
  const home = await homeIn('postgres', await newFolder(), name);
  await (await home.open()).destroy();
  await rm(home.dataDir, { recursive: true, force: true });
  return name;
}

/** @param name of the database; SQLite has none */
async function homeIn(kind: DatabaseKind, dataDir: string, name: string | undefined): Promise<Home> {
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

/** Whether this is the `second-database` run: it repeats on the other database what the gate ran on one. */
const IS_SECOND_RUN = process.env.TEST_DATABASES === 'second';

/** The databases of this run for what says little about a database: SQLite in the gate, PostgreSQL in the second run. */
export const EVERY_DATABASE: readonly DatabaseKind[] = IS_SECOND_RUN ? ['postgres'] : ['sqlite'];

/** Both in the gate, for what stores, counts or settles; none in the second run. */
export const BOTH_DATABASES: readonly DatabaseKind[] = IS_SECOND_RUN ? [] : ['sqlite', 'postgres'];

/** Both in the gate, PgBouncer in the second run: for what depends most on how a database is asked. */
export const POOLED_TOO: readonly DatabaseKind[] = IS_SECOND_RUN ? ['pgbouncer'] : ['sqlite', 'postgres'];

const describeOn =
  (kinds: readonly DatabaseKind[]) =>
  (title: string, tests: (home: () => Home) => void): void => {
    describe.each<DatabaseKind>(kinds)(`${title} (%s)`, (kind) => {
      let home: Home;
      beforeAll(async () => {
        home = await createHome(kind);
      });
      afterAll(() => home.remove());
      tests(() => home);
    });
  };

/** Runs the tests on each of `EVERY_DATABASE`, with an empty database. */
export const describeOnEveryDatabase = describeOn(EVERY_DATABASE);

/** Runs the tests on each of `BOTH_DATABASES`, with an empty database. */
export const describeOnBothDatabases = describeOn(BOTH_DATABASES);

/** Runs the tests on each of `POOLED_TOO`, with an empty database. */
export const describePooledToo = describeOn(POOLED_TOO);

/** For tests of such a file that have nothing to do with its databases: the second run leaves them out. */
export const describeOnce = (title: string, tests: () => void): void => {
  if (!IS_SECOND_RUN) describe(title, tests);
};

/** As `describeOnce`, for one test. */
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
