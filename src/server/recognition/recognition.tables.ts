import type { Generated } from 'kysely';
import type * as platform from '../platform/database.ts';
import { type Migrations, required } from '../platform/migrate.ts';

/** A holder's quota in one period: the row that is locked while its extractions are counted. */
export interface QuotaHoldersTable {
  holder: string;
  period: string;
  period_ends: string;
  /** Uncharged recognition time in this period. Milliseconds. */
  unpaid_ms: number;
}

/** One extraction in the quota of one holder: a lease until it is committed. */
export interface QuotaEntriesTable {
  /** Shared by the rows of one extraction. */
  reservation: string;
  holder: string;
  period: string;
  /** When the lease ends, unless it is committed before. */
  expires: string;
  committed: string | null;
  /** HMAC of the image, in the row of its sender; null in the other rows, and in rows of earlier versions. */
  picture: string | null;
  /** Free repeats used for this image. */
  repeats: Generated<number>;
}

export interface RecognitionTables {
  quota_holders: QuotaHoldersTable;
  quota_entries: QuotaEntriesTable;
}

export type Database = platform.Database<RecognitionTables>;
export type Transaction = platform.Transaction<RecognitionTables>;

export const recognitionMigrations: Migrations = {
  async '0001-quota'({ schema }) {
    await schema
      .createTable('quota_holders')
      .addColumn('holder', 'text', required)
      .addColumn('period', 'text', required)
      .addColumn('period_ends', 'text', required)
      .addColumn('unpaid_ms', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('quota_holders_key', ['holder', 'period'])
      .execute();
    await schema.createIndex('quota_holders_by_end').on('quota_holders').column('period_ends').execute();
    await schema
      .createTable('quota_entries')
      .addColumn('reservation', 'text', required)
      .addColumn('holder', 'text', required)
      .addColumn('period', 'text', required)
      .addColumn('expires', 'text', required)
      .addColumn('committed', 'text')
      .addPrimaryKeyConstraint('quota_entries_key', ['reservation', 'holder'])
      .addForeignKeyConstraint(
        'quota_entries_holder',
        ['holder', 'period'],
        'quota_holders',
        ['holder', 'period'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await schema
      .createIndex('quota_entries_by_holder')
      .on('quota_entries')
      .columns(['holder', 'period'])
      .execute();
  },

  async '0008-same-pictures'({ schema }) {
    await schema.alterTable('quota_entries').addColumn('picture', 'text').execute();
    await schema
      .alterTable('quota_entries')
      .addColumn('repeats', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
