import { type Dialect, Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from './logger.ts';
import { migrate, type Steps } from './migrate.ts';
import { sqlite } from './sqlite.ts';

/**
 * `Tables`: those that are seen, which are the slice's own. Columns hold text and whole numbers only, which both databases
 * read back alike; a moment is text in ISO 8601 and UTC, so that it also sorts as text.
 */
export type Database<Tables> = Kysely<Tables>;
export type Transaction<Tables> = KyselyTransaction<Tables>;

/**
 * What slices hand one another. Nothing can be asked of it as it is: whoever is given it looks at it as at their own
 * tables, and at no others.
 */
export type AnyDatabase = Pick<Kysely<unknown>, 'isTransaction' | 'getExecutor'>;
export type AnyTransaction = Pick<KyselyTransaction<unknown>, 'isTransaction' | 'getExecutor'>;

/** Makes what looks at something handed over as at tables of one's own. */
export function viewOf<Tables>() {
  function ours(transaction: AnyTransaction): Transaction<Tables>;
  function ours(database: AnyDatabase): Database<Tables>;
  function ours(given: AnyDatabase): Database<Tables> {
    return given as Database<Tables>;
  }
  return ours;
}

export interface DatabaseOptions {
  /** `postgres://…`; without it SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  logger: Logger;
  /** How long after a write SQLite's log is emptied; for tests. */
  tidyAfterMs?: number;
}

/** Opens the database and brings its tables up to date. */
export async function openDatabase<Tables>(
  options: DatabaseOptions,
  slices: readonly Steps[],
): Promise<Database<Tables>> {
  const { databaseUrl, logger } = options;
  const dialect = databaseUrl ? postgres(databaseUrl, logger) : await sqlite(options);
  const database = new Kysely<Tables>({ dialect });
  try {
    await migrate(database, databaseUrl ? 'postgres' : 'sqlite', slices);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Rejects unless the database answers. */
export async function pingDatabase(database: AnyDatabase): Promise<void> {
  await sql`select 1`.execute(database);
}

/** PostgreSQL's codes for "another transaction won; try again": serialisation failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction that may write. On SQLite it holds the write lock from its first statement, so what it
 * has read stays true; on PostgreSQL it must lock the rows that its decision rests on. `work` may run more than once.
 */
export async function withTransaction<Tables, T>(
  database: Database<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
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

/** Whether a statement failed because a row with the same unique value was there, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '23505' || (/^SQLITE_CONSTRAINT/.test(String(error.code)) && /unique/i.test(error.message))
  );
}

function postgres(databaseUrl: string, logger: Logger): Dialect {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  return new PostgresDialect({ pool });
}
