import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { DatabaseOptions } from '../../src/server/platform/database.ts';
import { createLogger } from '../../src/server/platform/logger.ts';
import { type Database, openDatabase } from '../../src/server/schema.ts';

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
  const dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-server-'));
  const logger = createLogger('silent');
  if (kind === 'sqlite') {
    return {
      kind,
      databaseUrl: undefined,
      dataDir,
      open: (options) => openDatabase({ databaseUrl: undefined, dataDir, logger, ...options }),
      remove: () => rm(dataDir, { recursive: true, force: true }),
    };
  }

  const admin = inject('postgresUrl');
  const name = `server_${randomBytes(6).toString('hex')}`;
  await asAdmin(admin, `create database ${name}`);
  const url = new URL(kind === 'postgres' ? admin : inject('pgbouncerUrl'));
  url.pathname = `/${name}`;
  return {
    kind,
    databaseUrl: url.href,
    dataDir,
    open: (options) => openDatabase({ databaseUrl: url.href, dataDir, logger, ...options }),
    async remove() {
      await asAdmin(admin, `drop database ${name} with (force)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

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

/** Runs the same tests on SQLite and on PostgreSQL, each with an empty database. */
export const describeOnEveryDatabase = describeOn(['sqlite', 'postgres']);

/** And through PgBouncer: for what tells most about how a database is asked. */
export const describePooledToo = describeOn(['sqlite', 'postgres', 'pgbouncer']);

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
