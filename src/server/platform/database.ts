import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type Transaction as KyselyTransaction, type LogEvent, sql } from 'kysely';
import { ConnectionLost, DatabaseAway, DatabaseRefuses, OutcomeUnknown } from './database-errors.ts';
import type { Logger } from './logger.ts';
import { type Migrations, migrate } from './migrate.ts';
import { MIGRATING, type PostgresLimits, type PostgresPool, postgres, SERVING } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/**
 * `Tables`: those that are seen, which are the slice's own. Columns hold text and whole numbers only, which both databases
 * read back alike; a moment is text in ISO 8601 and UTC, so that it also sorts as text.
 */
export type Database<Tables> = Kysely<Tables>;
export type Transaction<Tables> = KyselyTransaction<Tables>;

/**
 * What slices pass to one another. It cannot be queried as it is: the receiver views it as its own tables, and no others.
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
  databasePoolSize?: number;
  dataDir: string;
  logger: Logger;
  onStatement?: ((sql: string, milliseconds: number) => void) | undefined;
  /** How long after a write SQLite's log is emptied; for tests. */
  tidyAfterMs?: number;
  /** For tests. */
  limits?: Partial<PostgresLimits>;
  /** How long PostgreSQL may take to come up; for tests. */
  startWithinMs?: number;
}

/** The database may be starting at the same time. */
const START_WITHIN_MS = 60_000;
const TRY_EVERY_MS = 500;

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
  const { databasePoolSize: poolSize, limits, startWithinMs = START_WITHIN_MS } = options;
  const migrating = new Kysely<Tables>({
    dialect: postgres({ url, poolSize: 1, limits: MIGRATING, logger }),
  });
  try {
    const work = () => migrate(migrating, 'postgres', slices);
    warnOfNewer(await onceItAnswers(work, startWithinMs, logger), logger);
  } finally {
    await migrating.destroy();
  }
  const dialect = postgres({ url, poolSize, limits: { ...SERVING, ...limits }, logger });
  const database = new Kysely<Tables>({ dialect, ...log });
  pools.set(database, dialect);
  return database;
}

function warnOfNewer(steps: readonly string[], logger: Logger): void {
  if (steps.length > 0) logger.warn({ steps }, 'a newer version has added to the database');
}

/** Tries `work`, which may be done twice, until the database is there. */
async function onceItAnswers<T>(work: () => Promise<T>, withinMs: number, logger: Logger): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof DatabaseAway || error instanceof OutcomeUnknown;
      if (!isAway || error instanceof DatabaseRefuses || performance.now() > deadline) throw error;
      if (attempt === 1)
        logger.warn({ err: error }, 'the database does not answer yet: the start waits for it');
      await pause(TRY_EVERY_MS);
    }
  }
}

/** Rejects unless the database answers. */
export async function pingDatabase(database: AnyDatabase): Promise<void> {
  await sql`select 1`.execute(database);
}

/** @throws where PostgreSQL had no room for a recent write: reads would still succeed. */
export function requireWritable(database: AnyDatabase): void {
  if (pools.get(database)?.isFull()) throw new Error('the disk of the database is full');
}

/** PostgreSQL's codes for "another transaction won; try again": serialisation failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction that may write. On SQLite it holds the write lock from its first statement, so its reads
 * stay true; on PostgreSQL it must lock the rows that its decision rests on. `work` may run more than once: when
 * another transaction won, or when the connection broke before the commit was sent.
 * @throws {DatabaseAway} nothing of it was stored
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
      const mayGoBetter = RETRIED.has(code) || error instanceof ConnectionLost;
      if (attempt === ATTEMPTS || !mayGoBetter) throw error;
    }
  }
}

/** Runs idempotent work, and once more where its outcome is unknown. */
export async function idempotently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    // If the second attempt could not reach the database, the first one may still have been done.
    return work().catch((second) => {
      throw second instanceof DatabaseAway ? error : second;
    });
  }
}

/** Whether a statement failed because a row with the same unique value was there, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '23505' || (/^SQLITE_CONSTRAINT/.test(String(error.code)) && /unique/i.test(error.message))
  );
}

const pools = new WeakMap<object, { pool: PostgresPool; isFull: () => boolean }>();

/** How busy the connections are; undefined where there is no pool of them. */
export function connectionsOf(
  database: AnyDatabase,
): { in_use: number; idle: number; waiting: number } | undefined {
  const known = pools.get(database);
  if (!known) return undefined;
  const { totalCount, idleCount, waitingCount } = known.pool;
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
