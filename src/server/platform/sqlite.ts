import { chmod, mkdir, open, statfs } from 'node:fs/promises';
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
import { DatabaseAway } from './database-errors.ts';

/** How long a write waits for other processes that write, and how long between two tries. Milliseconds. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;
/** How long after a write the log of writes is emptied, so that what was deleted does not stand there for ever. */
const TIDY_AFTER_MS = 30_000;

interface SqliteOptions {
  dataDir: string;
  tidyAfterMs?: number;
}

/** SQLite in `dataDir/glyphlift.db`, which only its owner may read. */
export async function sqlite({ dataDir, tidyAfterMs = TIDY_AFTER_MS }: SqliteOptions): Promise<Dialect> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'glyphlift.db');
  // SQLite gives its log and its index of the log the rights of the file that they belong to.
  await (await open(path, 'a', 0o600)).close();
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await chmod(file, 0o600).catch(ignoreMissing);

  const [writer, reader] = [new Libsql(path, { timeout: PAUSE_MS }), new Libsql(path, { timeout: PAUSE_MS })];
  // Somebody else may be opening the same new file. `secure_delete`: what is deleted is overwritten, not only marked as free.
  await patiently(() =>
    writer.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on',
    ),
  );
  reader.exec('pragma query_only = on');
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new PatientSqliteDriver({ writer, reader, tidyAfterMs }),
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
  tidyAfterMs: number;
}

/**
 * SQLite has one writer at a time, and its own way of waiting for another process stops this one altogether. Here
 * whoever meets the lock tries again while everything else goes on. Reads have a connection of their own: in SQLite's
 * log mode they see what was last committed, however long a write waits.
 */
class PatientSqliteDriver implements Driver {
  readonly #files: Files;
  readonly #turns = new Turns();
  #tidying: NodeJS.Timeout | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#files, this.#turns, () => this.#tidyLater());
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    clearTimeout(this.#tidying);
    this.#files.reader.close();
    this.#files.writer.close();
  }

  /** A page that was written stands in the log, with all that stood on it before, until the log is cut off. */
  #tidyLater(): void {
    this.#tidying ??= setTimeout(async () => {
      this.#tidying = undefined;
      const release = await this.#turns.next();
      try {
        if (this.#files.writer.open) this.#files.writer.prepare('pragma wal_checkpoint(truncate)').all();
      } catch {
        // Somebody else is reading or writing; the next write asks again.
      } finally {
        release();
      }
    }, this.#files.tidyAfterMs).unref();
  }
}

/**
 * Each write takes SQLite's lock at its start: had a transaction only read before another process wrote, SQLite would
 * fail it at its first write instead of letting it wait. And it takes it with `exec`: a prepared statement that was
 * refused stays half open in libsql until it is collected, and keeps the connection in the past until then.
 */
class SqliteConnection implements DatabaseConnection {
  readonly #files: Files;
  readonly #turns: Turns;
  readonly #onWritten: () => void;
  /** Set while this connection has its turn to write. */
  #release: (() => void) | undefined;

  constructor(files: Files, turns: Turns, onWritten: () => void) {
    this.#files = files;
    this.#turns = turns;
    this.#onWritten = onWritten;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#release) return meant(() => run(this.#files.writer, query));
    if (isRead(query)) return meant(() => run(this.#files.reader, query));
    await this.begin();
    try {
      const result = meant(() => run<R>(this.#files.writer, query));
      this.commit();
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
    const release = await this.#turns.next();
    try {
      await patiently(() => this.#files.writer.exec('begin immediate'));
      this.#release = release;
    } catch (error) {
      release();
      throw meaningOf(error);
    }
  }

  /** When it fails, `rollback` is still to be called. */
  commit(): void {
    meant(() => this.#files.writer.exec('commit'));
    this.#onWritten();
    this.#end();
  }

  rollback(): void {
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

/** A full disk, one that fails, or another process that has held the lock too long: nothing was kept. */
const GAVE_UP = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN)/;

function meaningOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return GAVE_UP.test(code) ? new DatabaseAway('the database file gave up', { cause: error }) : error;
}

function meant<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw meaningOf(error);
  }
}

/** Less than this, and what is written soon will not fit. */
const LEAST_ROOM_BYTES = 16 * 2 ** 20;

/** Rejects where a full disk will soon refuse what is written into `dataDir`: reading goes on, and would not tell. */
export async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < LEAST_ROOM_BYTES) throw new Error(`the disk of ${dataDir} is full`);
}

/** Tries again while another process holds the lock; everything else of this one goes on meanwhile. */
async function patiently(work: () => void): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
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

/** What was written by hand counts by its first word; the reader itself refuses to change anything. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql));
}

/** Lets one after the other in, in the order in which they came. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn, with what ends it. */
  async next(): Promise<() => void> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }
}
