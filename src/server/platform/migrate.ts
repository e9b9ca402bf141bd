import { type Kysely, sql } from 'kysely';
import { MIGRATIONS } from '../database/migrations.ts';

/** Any number will do, as long as every server of this product takes the same one. */
const POSTGRES_LOCK = 7_041_961;

/**
 * Applies the migrations that are missing, all or none of them, one process at a time.
 * @throws {Error} when the database was already changed by a newer version of the product.
 */
export async function migrate<T>(database: Kysely<T>, dialect: 'sqlite' | 'postgres'): Promise<void> {
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
    const unknown = [...applied].filter((name) => !MIGRATIONS.some((migration) => migration.name === name));
    if (unknown.length > 0) {
      throw new Error(`The database belongs to a newer version of Glyphlift (it has ${unknown.join(', ')}).`);
    }
    for (const { name, up } of MIGRATIONS) {
      if (applied.has(name)) continue;
      await up(transaction as unknown as Kysely<unknown>);
      await sql`insert into migrations (name, applied) values (${name}, ${new Date().toISOString()})`.execute(
        transaction,
      );
    }
  });
}
