import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type Transaction as KyselyTransaction,
  PostgresDialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import type { Logger } from '../platform/logger.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

/** How long a statement waits for another process that is writing, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

interface DatabaseOptions {
  /** `postgres://…`; without it SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  logger: Logger;
}

/** Opens the database and brings its tables up to date. */
export async function openDatabase({ databaseUrl, dataDir, logger }: DatabaseOptions): Promise<Database> {
  const dialect = databaseUrl ? postgres(databaseUrl, logger) : await sqlite(dataDir);
  const database = new Kysely<Schema>({ dialect });
  try {
    await migrate(database, databaseUrl ? 'postgres' : 'sqlite');
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Rejects unless the database answers. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database);
}

/** PostgreSQL's codes for "another transaction won; try again": serialisation failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction that may write. On SQLite it holds the write lock from its first statement, so what it
 * has read stays true; on PostgreSQL it must lock the rows that its decision rests on. `work` may run more than once.
 */
export async function withTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (attempt === ATTEMPTS || !RETRIED.has(code)) throw error;
    }
  }
}

function postgres(databaseUrl: string, logger: Logger): Dialect {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  return new PostgresDialect({ pool });
}

async function sqlite(dataDir: string): Promise<Dialect> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = new Libsql(join(dataDir, 'glyphlift.db'), { timeout: BUSY_TIMEOUT_MS });
  file.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  // From here on it is the driver below that waits.
  file.exec('pragma busy_timeout = 0;');
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new PatientSqliteDriver({ database: file }),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite has one writer at a time, and its own way of waiting for another process stops this one altogether. Here a
 * statement that meets a lock is tried again while everything else goes on.
 *
 * A transaction takes the write lock at its start, because each of them may write: had it only read before another
 * process wrote, SQLite would fail it at its first write instead of letting it wait.
 */
class PatientSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => patiently(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** A statement that was refused for a lock has changed nothing, so it may simply be tried again. */
async function patiently<T>(statement: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return await statement();
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > deadline) throw error;
      await setTimeout(pause * (0.5 + Math.random() / 2));
    }
  }
}
