import type { Kysely } from 'kysely';
import { ACCOUNT_HARDENING_MIGRATION } from './migration-0006.ts';
import {
  ACCOUNTS_MIGRATION,
  BILLING_MIGRATION,
  SAVED_TEXTS_MIGRATION,
  WAITLIST_MIGRATION,
} from './people-migrations.ts';
import { SECOND_FACTOR_MIGRATION } from './second-factor-migration.ts';

/** One step in the life of the tables. Steps are only ever added; one that has been released never changes. */
export interface Migration {
  name: string;
  up(database: Kysely<unknown>): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-quota',
    async up(database) {
      await database.schema
        .createTable('quota_holders')
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('period', 'text', (column) => column.notNull())
        .addColumn('period_ends', 'text', (column) => column.notNull())
        .addColumn('unpaid_ms', 'integer', (column) => column.notNull().defaultTo(0))
        .addPrimaryKeyConstraint('quota_holders_key', ['holder', 'period'])
        .execute();
      await database.schema
        .createIndex('quota_holders_by_end')
        .on('quota_holders')
        .column('period_ends')
        .execute();
      await database.schema
        .createTable('quota_entries')
        .addColumn('reservation', 'text', (column) => column.notNull())
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('period', 'text', (column) => column.notNull())
        .addColumn('expires', 'text', (column) => column.notNull())
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
      await database.schema
        .createIndex('quota_entries_by_holder')
        .on('quota_entries')
        .columns(['holder', 'period'])
        .execute();
    },
  },
  ACCOUNTS_MIGRATION,
  BILLING_MIGRATION,
  SAVED_TEXTS_MIGRATION,
  WAITLIST_MIGRATION,
  ACCOUNT_HARDENING_MIGRATION,
  SECOND_FACTOR_MIGRATION,
];
