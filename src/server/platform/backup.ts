import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import type { AnyDatabase } from './database.ts';
import { SQLITE_FILE } from './sqlite.ts';

/**
 * A backup is one SQLite file with all tables, of a SQLite or PostgreSQL database. It can be restored into either, which also
 * moves an installation from one to the other.
 */

interface BackupOptions {
  /** The open database of the product. */
  database: AnyDatabase;
  /** Its `postgres://…` URL; SQLite in `dataDir` without one. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** Opens a SQLite database in a folder and applies its migrations. */
  openFile: (dataDir: string) => Promise<AnyDatabase & { destroy(): Promise<void> }>;
  file: string;
}

/** Rows by table. */
export type Counts = Record<string, number>;

/** Table of applied migrations, which are checked when a database is opened. */
const MIGRATIONS_TABLE = 'migrations';
const BATCH_ROWS = 200;

/**
 * Writes a consistent snapshot while servers continue to write. Only the owner can read the file, and it is created
 * atomically.
 * @throws {Error} if the file exists
 */
export async function backUp(options: BackupOptions): Promise<Counts> {
  const { database, databaseUrl, dataDir, openFile, file } = options;
  if (await stat(file).catch(() => undefined)) throw new Error(`${file} exists already`);
  return withTemporaryFolder(file, async (folder) => {
    const temporary = join(folder, 'whole');
    if (databaseUrl === undefined) await vacuum(join(dataDir, SQLITE_FILE), temporary);
    else {
      const copy = await openFile(folder);
      try {
        await copyOutOfPostgres(kysely(database), kysely(copy), join(folder, SQLITE_FILE));
      } finally {
        await copy.destroy();
      }
      await vacuum(join(folder, SQLITE_FILE), temporary);
    }
    const counts = withBackup(temporary, ({ tables }) => tables.counts());
    await rename(temporary, file);
    return counts;
  });
}

/**
 * Restores a backup into an empty database, all or nothing. A copy of an older backup is migrated first; the file itself
 * is not changed.
 * @throws {Error} if the database is not empty, or the backup is of a newer version
 */
export async function restore(options: Omit<BackupOptions, 'databaseUrl' | 'dataDir'>): Promise<Counts> {
  const { database, openFile, file } = options;
  if (!(await stat(file).catch(() => undefined))) throw new Error(`there is no file ${file}`);
  return withTemporaryFolder(file, async (folder) => {
    const copy = join(folder, SQLITE_FILE);
    await vacuum(file, copy);
    await (await openFile(folder)).destroy();
    return withBackup(copy, ({ backup, tables }) =>
      kysely(database)
        .transaction()
        .execute(async (target) => {
          const { rows: known } = await sql<{
            name: string;
          }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(target);
          const newer = tables.migrations().filter((step) => !known.some(({ name }) => name === step));
          if (newer.length > 0) throw new Error(`the backup is of a newer version (${newer.join(', ')})`);
          for (const table of tables.names) {
            const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target);
            if (rows.length > 0) throw new Error(`the database is not empty: there is something in ${table}`);
          }
          for (const table of tables.names) {
            const rows: Row[] = [];
            for (const row of backup.prepare(`select * from "${table}"`).iterate() as Iterable<Row>) {
              rows.push(row);
              if (rows.length === BATCH_ROWS) await insert(target, table, rows.splice(0));
            }
            await insert(target, table, rows);
          }
          return tables.counts();
        }),
    );
  });
}

/** Copies a SQLite database to one file without a write-ahead log. Other processes may write during the copy. */
async function vacuum(from: string, into: string): Promise<void> {
  // SQLite uses an existing empty file and keeps its permissions.
  await (await open(into, 'wx', 0o600)).close();
  const source = new Libsql(from);
  try {
    source.prepare('vacuum into ?').run(into);
  } finally {
    source.close();
  }
  const written = await open(into, 'r+');
  await written.sync();
  await written.close();
}

type Row = Record<string, unknown>;

/** Reads everything in one transaction with snapshot isolation. */
async function copyOutOfPostgres(source: Kysely<unknown>, copy: Kysely<unknown>, file: string) {
  const names = withBackup(file, ({ tables }) => tables.names);
  await source
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      await copy.transaction().execute(async (target) => {
        for (const table of names) {
          await sql`declare backup no scroll cursor for select * from ${sql.table(table)}`.execute(snapshot);
          for (;;) {
            const { rows } = await sql<Row>`fetch ${sql.lit(BATCH_ROWS)} from backup`.execute(snapshot);
            if (rows.length === 0) break;
            await insert(target, table, rows);
          }
          await sql`close backup`.execute(snapshot);
        }
      });
    });
}

async function insert(target: Kysely<unknown>, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(target);
}

interface Tables {
  /** Sorted so that referenced tables come first. */
  names: string[];
  migrations(): string[];
  counts(): Counts;
}

function withBackup<T>(file: string, work: (opened: { backup: Libsql.Database; tables: Tables }) => T): T {
  const backup = new Libsql(file);
  const close = () => void backup.close();
  const names = namesIn(backup);
  const tables: Tables = {
    names,
    migrations: () => column(backup, `select name from ${MIGRATIONS_TABLE}`),
    counts: () => {
      const count = (name: string) =>
        (backup.prepare(`select count(*) as n from "${name}"`).get() as { n: number }).n;
      return Object.fromEntries(names.map((name) => [name, count(name)]));
    },
  };
  try {
    const done = work({ backup, tables });
    if (done instanceof Promise) return done.finally(close) as T;
    close();
    return done;
  } catch (error) {
    close();
    throw error;
  }
}

function namesIn(backup: Libsql.Database): string[] {
  const all = column(
    backup,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> '${MIGRATIONS_TABLE}'`,
  );
  const sorted = new Set<string>();
  const visit = (name: string) => {
    if (sorted.has(name)) return;
    for (const other of column(backup, `select "table" from pragma_foreign_key_list('${name}')`)) {
      if (other !== name) visit(other);
    }
    sorted.add(name);
  };
  for (const name of all) visit(name);
  return [...sorted];
}

function column(backup: Libsql.Database, query: string): string[] {
  return backup
    .prepare(query)
    .raw(true)
    .all()
    .map((row) => String((row as unknown[])[0]));
}

/** Runs `work` with a private folder on the same disk as `file`, so that a result can be moved there atomically. */
async function withTemporaryFolder<T>(file: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(`${file}.`);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function kysely(database: AnyDatabase): Kysely<unknown> {
  return database as Kysely<unknown>;
}
