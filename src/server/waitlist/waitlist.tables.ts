import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

export interface WaitlistTable {
  email_key: string;
  email: string;
  created_at: string;
}

export interface WaitlistTables {
  waitlist: WaitlistTable;
}

export type Database = platform.Database<WaitlistTables>;

/** Types another slice's database or transaction as having the tables of this slice. */
export const withWaitlistTables = platform.withTables<WaitlistTables>();

export const waitlistMigrations: Migrations = {
  async '0005-waitlist'({ schema }) {
    await schema
      .createTable('waitlist')
      .addColumn('email_key', 'text', key)
      .addColumn('email', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
  },
};
