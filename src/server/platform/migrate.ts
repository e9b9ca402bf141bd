import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

/**
 * The migrations of one slice by name: `0001-quota`. A released one never changes. A migration only adds tables or nullable
 * columns, so that the previous release still works. One that removes or requires something comes a release later, and its
 * name ends in `BREAKING`.
 */
export type Migrations = Readonly<Record<string, (database: Kysely<unknown>) => Promise<void>>>;

/** Common column definitions, for `addColumn`. */
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey();
export const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** Suffix of migrations after which older versions cannot use the database. */
export const BREAKING = '-breaking';

/** Arbitrary, but the same in all servers of this product. */
const POSTGRES_LOCK = 7_041_961;

/**
 * Applies missing migrations in the order of their names, all or none, one process at a time. A migration may have parts in
 * several slices, which are applied in the order of `slices`.
 * @returns unknown, non-breaking migrations of a newer version
 * @throws {Error} for a breaking migration of a newer version
 */
export async function migrate<T>(
  database: Kysely<T>,
  dialect: 'sqlite' | 'postgres',
  slices: readonly Migrations[],
): Promise<string[]> {
  const names = [...new Set(slices.flatMap((migrations) => Object.keys(migrations)))].sort();
  return database.transaction().execute(async (transaction) => {
    // On SQLite the transaction already holds the only write lock.
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction);
    await transaction.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied', 'text', (column) => column.notNull())
      .execute();

    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction);
    const applied = new Set(rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !names.includes(name));
    const final = unknown.filter((name) => name.endsWith(BREAKING));
    if (final.length > 0) {
      throw new Error(`The database belongs to a newer version of Glyphlift (it has ${final.join(', ')}).`);
    }
    for (const name of names.filter((one) => !applied.has(one))) {
      for (const migrations of slices) await migrations[name]?.(transaction as unknown as Kysely<unknown>);
      await sql`insert into migrations (name, applied) values (${name}, ${new Date().toISOString()})`.execute(
        transaction,
      );
    }
    return unknown;
  });
}
