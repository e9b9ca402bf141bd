import { chmod, type FileHandle, mkdir, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Libsql from 'libsql';
import { DatabaseUnavailable, OutcomeUnknown } from './database-errors.ts';

/** How long a write waits for the lock of other processes, and the pause between attempts. Milliseconds. */
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 10;
/** How long after a write the write-ahead log is truncated, so that deleted data does not stay in it. */
const CHECKPOINT_DELAY_MS = 30_000;

/** The database's file in the data folder. */
export const SQLITE_FILE = 'glyphlift.db';

interface SqliteOptions {
  dataDir: string;
  checkpointDelayMs?: number;
}

export async function sqlite({
  dataDir,
  checkpointDelayMs = CHECKPOINT_DELAY_MS,
}: SqliteOptions): Promise<Dialect> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, SQLITE_FILE);
  // SQLite gives its -wal and -shm files the permissions of the database file.
  await (await open(path, 'a', 0o600)).close();
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await chmod(file, 0o600).catch(ignoreMissing);

  const [writer, reader] = [new Libsql(path, { timeout: PAUSE_MS }), new Libsql(path, { timeout: PAUSE_MS })];
  // Another process may open the same new file. `synchronous = normal`: commits are synced by `WriteAheadLog`, concurrently with other
  // work. `secure_delete`: deleted data is overwritten.
  await retryOnBusy(() =>
    writer.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma secure_delete = on',
    ),
  );
  reader.exec('pragma query_only = on');
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () =>
      new RetryingSqliteDriver({ writer, reader, log: new WriteAheadLog(`${path}-wal`), checkpointDelayMs }),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

interface Files {
  writer: Libsql.Database;
  reader: Libsql.Database;
  log: WriteAheadLog;
  checkpointDelayMs: number;
}

/**
 * SQLite's write-ahead log. SQLite itself would sync within a commit and block the event loop for a fifth of a second under
 * many writes, so this class syncs the log and writers wait for it.
 */
class WriteAheadLog {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;
  #currentSync: Promise<void> | undefined;
  #acquire: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once its current content is synced. Calls during a sync share the next one. */
  sync(): Promise<void> {
    if (!this.#currentSync) {
      this.#currentSync = this.#syncNow().finally(() => {
        this.#currentSync = undefined;
      });
      return this.#currentSync;
    }
    this.#acquire ??= this.#currentSync
      .catch(() => {})
      .then(() => {
        this.#acquire = undefined;
        return this.sync();
      });
    return this.#acquire;
  }

  async #syncNow(): Promise<void> {
    // The file exists from the first write on, and stays the same file while the database is open.
    this.#file ??= open(this.#path, 'r+');
    const file = this.#file;
    try {
      await (await file).datasync();
    } catch (cause) {
      this.#file = undefined;
      await file.then((opened) => opened.close()).catch(() => {});
      throw new OutcomeUnknown('the disk may have lost what was written', { cause });
    }
  }

  async close(): Promise<void> {
    await this.#acquire?.catch(() => {});
    await this.#currentSync?.catch(() => {});
    await (await this.#file?.catch(() => {}))?.close();
  }
}

/**
 * SQLite has one writer at a time, and its busy timeout would block the event loop. So a writer that finds the database locked retries
 * asynchronously. Reads have their own connection: in WAL mode they see the last commit, however long a write waits.
 */
class RetryingSqliteDriver implements Driver {
  readonly #files: Files;
  readonly #writeMutex = new Mutex();
  #checkpointTimer: NodeJS.Timeout | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#files, this.#writeMutex, () => this.#scheduleCheckpoint());
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    clearTimeout(this.#checkpointTimer);
    await this.#files.log.close();
    this.#files.reader.close();
    this.#files.writer.close();
  }

  /** Truncates the log, because it still contains old versions of pages. */
  #scheduleCheckpoint(): void {
    this.#checkpointTimer ??= setTimeout(async () => {
      this.#checkpointTimer = undefined;
      const release = await this.#writeMutex.acquire();
      try {
        if (this.#files.writer.open) this.#files.writer.prepare('pragma wal_checkpoint(truncate)').all();
      } catch {
        // Another process is reading or writing; the next write tries again.
      } finally {
        release();
      }
    }, this.#files.checkpointDelayMs).unref();
  }
}

/**
 * Each write takes SQLite's lock at its start (`begin immediate`), because a transaction that has only read fails at its
 * first write if another process wrote meanwhile. It uses `exec`, because a prepared statement that failed stays half open
 * in libsql until it is garbage-collected, and keeps the connection at an old snapshot.
 */
class SqliteConnection implements DatabaseConnection {
  readonly #files: Files;
  readonly #writeMutex: Mutex;
  readonly #onWritten: () => void;
  /** Set while this connection holds the write mutex. */
  #release: (() => void) | undefined;

  constructor(files: Files, writeMutex: Mutex, onWritten: () => void) {
    this.#files = files;
    this.#writeMutex = writeMutex;
    this.#onWritten = onWritten;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#release) return withTranslatedErrors(() => run(this.#files.writer, query));
    if (isRead(query)) return withTranslatedErrors(() => run(this.#files.reader, query));
    await this.begin();
    try {
      const result = withTranslatedErrors(() => run<R>(this.#files.writer, query));
      await this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: read a page at a time.');
  }

  async begin(): Promise<void> {
    const release = await this.#writeMutex.acquire();
    try {
      await retryOnBusy(() => this.#files.writer.exec('begin immediate'));
      this.#release = release;
    } catch (error) {
      release();
      throw translateError(error);
    }
  }

  /**
   * Other writers may proceed during the sync; the writer of this transaction waits for it. If it fails, `rollback` must still
   * be called.
   * @throws {OutcomeUnknown} committed, but perhaps not on the disk
   */
  async commit(): Promise<void> {
    withTranslatedErrors(() => this.#files.writer.exec('commit'));
    this.#onWritten();
    this.#end();
    await this.#files.log.sync();
  }

  rollback(): void {
    // The transaction is committed, and another connection may be writing by now.
    if (!this.#release) return;
    try {
      if (this.#files.writer.inTransaction) this.#files.writer.exec('rollback');
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** Full or failing disk, or a lock timeout: nothing was stored. */
const NOTHING_STORED = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN)/;

function translateError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return NOTHING_STORED.test(code)
    ? new DatabaseUnavailable('SQLite could not write: full disk, I/O error or locked', { cause: error })
    : error;
}

function withTranslatedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateError(error);
  }
}

const MIN_FREE_BYTES = 16 * 2 ** 20;

/** Rejects if the disk of `dataDir` is almost full, although reads still succeed. */
export async function requireDiskSpace(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`the disk of ${dataDir} is full`);
}

/** Retries while another process holds the lock, without blocking this one. */
async function retryOnBusy(work: () => void): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > deadline) throw error;
      await pause(Math.random() * PAUSE_MS);
    }
  }
}

function run<R>(file: Libsql.Database, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = file.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) as R[] };
  return { numAffectedRows: BigInt(statement.run(parameters).changes), rows: [] };
}

/** Whether a statement only reads. Raw statements are classified by their first word; the reader rejects writes anyway. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql));
}

/** A mutex with a FIFO queue. */
class Mutex {
  #last: Promise<void> = Promise.resolve();

  async acquire(): Promise<() => void> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }
}
