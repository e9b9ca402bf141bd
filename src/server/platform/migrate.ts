import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

/** What one slice does to the tables in each step of their life, by the step's name: `0001-quota`. */
export type Steps = Readonly<Record<string, (database: Kysely<unknown>) => Promise<void>>>;

/** What most columns are, for `addColumn`. */
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey();
export const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** Any number will do, as long as every server of this product takes the same one. */
const POSTGRES_LOCK = 7_041_961;

/**
 * Applies the steps that are missing, in the order of their names, all or none of them, one process at a time. Slices may
 * have parts of one step: those are applied in the order of `slices`.
 * @throws {Error} when the database was already changed by a newer version of the product.
 */
export async function migrate<T>(
  database: Kysely<T>,
  dialect: 'sqlite' | 'postgres',
  slices: readonly Steps[],
): Promise<void> {
  const names = [...new Set(slices.flatMap((steps) => Object.keys(steps)))].sort();
  await database.transaction().execute(async (transaction) => {
    // On SQLite the transaction itself already holds the only write lock.
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
    if (unknown.length > 0) {
      throw new Error(`The database belongs to a newer version of Glyphlift (it has ${unknown.join(', ')}).`);
    }
    for (const name of names.filter((one) => !applied.has(one))) {
      for (const steps of slices) await steps[name]?.(transaction as unknown as Kysely<unknown>);
      await sql`insert into migrations (name, applied) values (${name}, ${new Date().toISOString()})`.execute(
        transaction,
      );
    }
  });
}
