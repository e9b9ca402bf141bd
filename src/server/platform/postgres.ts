import { connect } from 'node:net';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import {
  ConnectionLost,
  DatabaseAccessDenied,
  DatabaseUnavailable,
  OutcomeUnknown,
} from './database-errors.ts';
import type { Logger } from './logger.ts';

/** Milliseconds. */
export interface PostgresLimits {
  /** Timeout for a new or pooled connection. */
  connectMs: number;
  statementMs: number;
  /** Timeout for a row lock; less than `statementMs`. */
  lockMs: number;
  /** Timeout of idle transactions. */
  idleMs: number;
}

export const SERVING: PostgresLimits = {
  connectMs: 5_000,
  statementMs: 10_000,
  lockMs: 8_000,
  idleMs: 30_000,
};

/** Practically no time limit for migrations, and for waiting for the migrations of another process. */
export const MIGRATING: PostgresLimits = {
  connectMs: 5_000,
  statementMs: 60 * 60_000,
  lockMs: 60 * 60_000,
  idleMs: 60_000,
};

export interface PostgresOptions {
  url: string;
  poolSize: number | undefined;
  limits: PostgresLimits;
  logger: Logger;
}

/** Number of connections, idle connections and waiting callers. */
export type PostgresPool = Readonly<Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;

/**
 * How long the disk counts as full after the last failed write.
 */
const FULL_MS = 10_000;
/** Time limit for cancelling a statement on the server; then the connection is closed. */
const GRACE_MS = 1_000;
/** Pause after a failed connection attempt. */
const RETRY_PAUSE_MS = 1_000;
/** Idle time before TCP keep-alive probes, so that a dead peer is noticed. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/**
 * PostgreSQL, also behind PgBouncer in transaction mode, where each transaction may get another connection. So no setting,
 * lock or prepared statement outlives a transaction: time limits are set with each `begin`, and a statement outside of a
 * transaction is cancelled by the client.
 */
export function postgres(options: PostgresOptions): Dialect & { pool: PostgresPool; isFull: () => boolean } {
  const pool = openPool(options);
  let lastFull = Number.NEGATIVE_INFINITY;
  const onDiskFull = () => {
    lastFull = performance.now();
  };
  return {
    pool,
    isFull: () => performance.now() - lastFull < FULL_MS,
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new BoundedPostgresDriver(pool, options.limits, onDiskFull),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function openPool({ url, poolSize, limits, logger }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...(poolSize !== undefined && { max: poolSize }),
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'glyphlift',
  });
  // Without a listener, an error on an idle connection would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  return pool;
}

class BoundedPostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #limits: PostgresLimits;
  readonly #onDiskFull: () => void;
  #failure: DatabaseUnavailable | undefined;
  #pausedUntil = 0;

  constructor(pool: pg.Pool, limits: PostgresLimits, onDiskFull: () => void) {
    this.#pool = pool;
    this.#limits = limits;
    this.#onDiskFull = onDiskFull;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#client(), {
      limits: this.#limits,
      reconnect: () => this.#client(),
      onDiskFull: this.#onDiskFull,
    });
  }

  beginTransaction(connection: PostgresConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings);
  }

  commitTransaction(connection: PostgresConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: PostgresConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }

  /** During an outage only the first caller waits for the timeout; the others fail at once. */
  async #client(): Promise<pg.PoolClient> {
    if (this.#failure && performance.now() < this.#pausedUntil && this.#pool.idleCount === 0)
      throw this.#failure;
    try {
      return await this.#pool.connect();
    } catch (error) {
      this.#pausedUntil = performance.now() + RETRY_PAUSE_MS;
      const Failure = ACCESS_DENIED.test(stateOf(error)) ? DatabaseAccessDenied : DatabaseUnavailable;
      this.#failure = new Failure('no connection to the database', { cause: error });
      throw this.#failure;
    }
  }
}

/**
 * - `reading`: a read-only statement
 * - `writing`: a single writing statement without a transaction
 * - `open`: in an uncommitted transaction
 * - `committing`
 */
type Activity = 'reading' | 'writing' | 'open' | 'committing';

interface ConnectionOptions {
  limits: PostgresLimits;
  reconnect: () => Promise<pg.PoolClient>;
  onDiskFull: () => void;
}

class PostgresConnection implements DatabaseConnection {
  #client: pg.PoolClient;
  readonly #limits: PostgresLimits;
  readonly #reconnect: () => Promise<pg.PoolClient>;
  readonly #onDiskFull: () => void;
  #isAcquired = true;
  #inTransaction = false;
  /** The connection must not be used again. */
  #broken = false;

  constructor(client: pg.PoolClient, { limits, reconnect, onDiskFull }: ConnectionOptions) {
    this.#client = client;
    this.#limits = limits;
    this.#reconnect = reconnect;
    this.#onDiskFull = onDiskFull;
    client.on('error', this.#onError);
  }

  /** The pool only listens on idle connections; without a listener an error would end the process. */
  readonly #onError = () => {
    this.#broken = true;
  };

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) return this.#query<R>('open', sql, parameters);
    if (query.kind !== 'SelectQueryNode') return this.#query<R>('writing', sql, parameters);
    try {
      return await this.#query<R>('reading', sql, parameters);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await this.#replace();
      return this.#query<R>('reading', sql, parameters);
    }
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: read a page at a time.');
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode]
      .filter(Boolean)
      .join(' ');
    const { statementMs, lockMs, idleMs } = this.#limits;
    this.#inTransaction = true;
    try {
      // One message, so that the limits cost no extra round trip.
      await this.#query(
        'open',
        `begin ${modes}; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${idleMs}`,
      );
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  async commit(): Promise<void> {
    await this.#query('committing', 'commit');
    this.#inTransaction = false;
  }

  /** If the rollback fails, the connection is closed, which rolls back too. */
  async rollback(): Promise<void> {
    this.#inTransaction = false;
    if (this.#broken) return;
    await this.#query('open', 'rollback').catch(this.#onError);
  }

  release(): void {
    if (!this.#isAcquired) return;
    this.#isAcquired = false;
    this.#client.release(this.#broken);
    this.#client.off('error', this.#onError);
  }

  async #replace(): Promise<void> {
    this.release();
    this.#client = await this.#reconnect();
    this.#isAcquired = true;
    this.#broken = false;
    this.#client.on('error', this.#onError);
  }

  async #query<R>(
    activity: Activity,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<R>> {
    const client = this.#client;
    const { statementMs } = this.#limits;
    let timedOut = false;
    let timer = setTimeout(() => {
      timedOut = true;
      requestCancel(client);
      timer = setTimeout(() => {
        this.#broken = true;
        void client.end();
      }, GRACE_MS);
    }, statementMs);
    try {
      const { command, rowCount, rows } = await client.query(text, [...values]);
      if (activity === 'committing' && command === 'ROLLBACK') {
        throw new Error('a statement of the transaction had failed, so the transaction was rolled back');
      }
      return { ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
    } catch (error) {
      throw this.#translateError(error, activity, timedOut);
    } finally {
      clearTimeout(timer);
      // The cancel request may arrive late and must not hit another statement.
      if (timedOut) this.#broken = true;
    }
  }

  #translateError(error: unknown, activity: Activity, timedOut: boolean): unknown {
    if (endsConnection(error)) this.#broken = true;
    if (stateOf(error) === DISK_FULL) this.#onDiskFull();
    if (!this.#broken) {
      if (!ROLLED_BACK.test(stateOf(error))) return error;
      return new DatabaseUnavailable('the database cancelled a statement: time limit or full disk', {
        cause: error,
      });
    }
    if (activity === 'writing' || activity === 'committing') {
      return new OutcomeUnknown('the connection to the database broke while it was changed', {
        cause: error,
      });
    }
    // A timed-out DNS lookup is not retried.
    return timedOut
      ? new DatabaseUnavailable('the database did not answer a statement', { cause: error })
      : new ConnectionLost('the connection to the database broke', { cause: error });
  }
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The SQLSTATE; empty for other errors. */
function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

/** Wrong user, password or database. */
const ACCESS_DENIED = /^(28|3D)/;
/** A time limit was reached, or the disk was full: the statement was rolled back. */
const ROLLED_BACK = /^(57014|55P03|53)/;
const DISK_FULL = '53100';
const ENDS_CONNECTION = /^(57P|25P03|08(?!P01))/;

/** Whether the error ends the connection. PgBouncer's errors all have 08P01, PostgreSQL's code for protocol violations. */
function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const state = stateOf(error);
  return ENDS_CONNECTION.test(state) || (state === '08P01' && error.severity === 'FATAL');
}

/** CancelRequest of PostgreSQL's protocol: length, code, process id and secret key. */
const CANCEL_BYTES = 16;
const CANCEL_CODE = 80_877_102;

/**
 * Cancels the current statement of a connection with a CancelRequest, which uses a separate connection. PgBouncer forwards
 * it. If the request does not arrive, the connection is closed after `GRACE_MS`.
 */
function requestCancel(client: pg.PoolClient): void {
  if (!('processID' in client && 'secretKey' in client)) return;
  const request = Buffer.alloc(CANCEL_BYTES);
  request.writeInt32BE(CANCEL_BYTES, 0);
  request.writeInt32BE(CANCEL_CODE, 4);
  request.writeInt32BE(Number(client.processID), 8);
  request.writeInt32BE(Number(client.secretKey), 12);
  const { host, port } = client;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => socket.destroy());
  socket.setTimeout(GRACE_MS, () => socket.destroy());
  // The server has to close first, because PgBouncer drops a request whose sender has closed.
  socket.write(request);
}
