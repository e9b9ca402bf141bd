import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type Transaction as KyselyTransaction, type LogEvent, sql } from 'kysely';
import {
  ConnectionLost,
  DatabaseAccessDenied,
  DatabaseUnavailable,
  OutcomeUnknown,
} from './database-errors.ts';
import type { Logger } from './logger.ts';
import { type Migrations, migrate } from './migrate.ts';
import { MIGRATING, type PostgresLimits, type PostgresPool, postgres, SERVING } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/**
 * `Tables`: the slice's own tables. Columns are text and integers only, which both databases return the same; times are text
 * in ISO 8601 and UTC, which also sorts.
 */
export type Database<Tables> = Kysely<Tables>;
export type Transaction<Tables> = KyselyTransaction<Tables>;

/** Passed between slices. It cannot be queried directly: the receiver types it with its own tables, see `withTables`. */
export type AnyDatabase = Pick<Kysely<unknown>, 'isTransaction' | 'getExecutor'>;
export type AnyTransaction = Pick<KyselyTransaction<unknown>, 'isTransaction' | 'getExecutor'>;

/** Creates a function that types a database or transaction as having these tables. Nothing runs. */
export function withTables<Tables>() {
  function typed(transaction: AnyTransaction): Transaction<Tables>;
  function typed(database: AnyDatabase): Database<Tables>;
  function typed(database: AnyDatabase): Database<Tables> {
    return database as Database<Tables>;
  }
  return typed;
}

export interface DatabaseOptions {
  /** `postgres://…`; without it SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  databasePoolSize?: number;
  dataDir: string;
  logger: Logger;
  onStatement?: ((sql: string, milliseconds: number) => void) | undefined;
  /** Delay after a write until SQLite's log is truncated; for tests. */
  checkpointDelayMs?: number;
  /** For tests. */
  limits?: Partial<PostgresLimits>;
  /** How long to wait for PostgreSQL at the start; for tests. */
  startTimeoutMs?: number;
}

/** The start waits this long for a database that is starting too. */
const START_TIMEOUT_MS = 60_000;
const RETRY_PAUSE_MS = 500;

export async function openDatabase<Tables>(
  options: DatabaseOptions,
  slices: readonly Migrations[],
): Promise<Database<Tables>> {
  const { databaseUrl: url, logger, onStatement } = options;
  const log = onStatement && {
    log: ({ query, queryDurationMillis }: LogEvent) => onStatement(query.sql, queryDurationMillis),
  };
  if (url === undefined) {
    const database = new Kysely<Tables>({ dialect: await sqlite(options), ...log });
    try {
      warnOfNewer(await migrate(database, 'sqlite', slices), logger);
      return database;
    } catch (error) {
      await database.destroy();
      throw error;
    }
  }
  const { databasePoolSize: poolSize, limits, startTimeoutMs = START_TIMEOUT_MS } = options;
  const migrating = new Kysely<Tables>({
    dialect: postgres({ url, poolSize: 1, limits: MIGRATING, logger }),
  });
  try {
    const work = () => migrate(migrating, 'postgres', slices);
    warnOfNewer(await waitForDatabase(work, startTimeoutMs, logger), logger);
  } finally {
    await migrating.destroy();
  }
  const dialect = postgres({ url, poolSize, limits: { ...SERVING, ...limits }, logger });
  const database = new Kysely<Tables>({ dialect, ...log });
  pools.set(database, dialect);
  return database;
}

function warnOfNewer(steps: readonly string[], logger: Logger): void {
  if (steps.length > 0) logger.warn({ steps }, 'the database has migrations of a newer version');
}

/** Retries idempotent `work` until the database is available. */
async function waitForDatabase<T>(work: () => Promise<T>, withinMs: number, logger: Logger): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown;
      if (!isUnavailable || error instanceof DatabaseAccessDenied || performance.now() > deadline)
        throw error;
      if (attempt === 1)
        logger.warn({ err: error }, 'the database does not answer yet; the start waits for it');
      await pause(RETRY_PAUSE_MS);
    }
  }
}

/** Rejects unless the database answers. */
export async function pingDatabase(database: AnyDatabase): Promise<void> {
  await sql`select 1`.execute(database);
}

/** @throws if PostgreSQL had no disk space for a recent write, although reads still succeed. */
export function requireWritable(database: AnyDatabase): void {
  if (pools.get(database)?.isFull()) throw new Error('the disk of the database is full');
}

/** PostgreSQL's codes for "another transaction won; try again": serialisation failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Runs `work` in a write transaction. SQLite takes the write lock at the first statement; on PostgreSQL, `work` must lock
 * the rows that it depends on. `work` may run more than once: after a conflict, or if the connection broke before the
 * commit was sent.
 * @throws {DatabaseUnavailable} nothing was stored
 * @throws {OutcomeUnknown} the connection broke during the commit
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
      const isRetryable = RETRYABLE.has(code) || error instanceof ConnectionLost;
      if (attempt === ATTEMPTS || !isRetryable) throw error;
    }
  }
}

/** Runs idempotent work, and once more if its outcome is unknown. */
export async function idempotently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    // If the second attempt cannot reach the database, the first one may still have succeeded.
    return work().catch((second) => {
      throw second instanceof DatabaseUnavailable ? error : second;
    });
  }
}

/** Whether a statement violated a unique constraint, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '23505' || (/^SQLITE_CONSTRAINT/.test(String(error.code)) && /unique/i.test(error.message))
  );
}

const pools = new WeakMap<object, { pool: PostgresPool; isFull: () => boolean }>();

/** Usage of the connection pool; undefined without a pool. */
export function connectionsOf(
  database: AnyDatabase,
): { in_use: number; idle: number; waiting: number } | undefined {
  const known = pools.get(database);
  if (!known) return undefined;
  const { totalCount, idleCount, waitingCount } = known.pool;
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
