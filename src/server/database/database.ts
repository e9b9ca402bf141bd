import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
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

/** How long a write waits for other processes that write, and how long between two tries. Milliseconds. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;

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
  const file = new Libsql(join(dataDir, 'glyphlift.db'), { timeout: PATIENCE_MS });
  file.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  // From here on it is the driver below that waits.
  file.exec(`pragma busy_timeout = ${PAUSE_MS}`);
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new PatientSqliteDriver(file),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite has one writer at a time, and its own way of waiting for another process stops this one altogether. Here
 * whoever meets the lock tries again while everything else goes on.
 *
 * Each write takes the lock at its start: had a transaction only read before another process wrote, SQLite would fail
 * it at its first write instead of letting it wait. And it takes it with `exec`: a prepared statement that was refused
 * stays half open in libsql until it is collected, and keeps the connection in the past until then.
 */
class PatientSqliteDriver extends SqliteDriver {
  readonly #file: Libsql.Database;

  constructor(file: Libsql.Database) {
    super({ database: file });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
      executeQuery: async (query) => {
        if (this.#file.inTransaction || !WRITES.has(query.query.kind)) return connection.executeQuery(query);
        await this.#begin();
        try {
          const result = await connection.executeQuery(query);
          this.#file.exec('commit');
          return result as never;
        } catch (error) {
          if (this.#file.inTransaction) this.#file.exec('rollback');
          throw error;
        }
      },
    };
  }

  override beginTransaction(): Promise<void> {
    return this.#begin();
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        this.#file.exec('begin immediate');
        return;
      } catch (error) {
        const busy =
          error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
        if (!busy || performance.now() > deadline) throw error;
        await setTimeout(Math.random() * PAUSE_MS);
      }
    }
  }
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);
