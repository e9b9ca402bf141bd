import type { AccountsTables } from '../accounts/accounts.tables.ts';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/** An unpaid registration. It belongs to the browser that has its id in a signed cookie. */
export interface RegistrationsTable {
  id: string;
  username: string;
  email: string;
  email_key: string;
  password_hash: string | null;
  /** Identity of a third-party sign-in. */
  provider: string | null;
  subject: string | null;
  /** 1 if the provider has verified the address. */
  email_verified: number;
  created_at: string;
  /** End of the name's reservation; extended while a payment is open. */
  expires_at: string;
  user_id: string | null;
  /** Hash of the sender's network address, different every day; null once it is paid. */
  address: string | null;
}

/** A finished third-party sign-in. Its state works once; the same browser may repeat the request for a minute. */
export interface FinishedSignInsTable {
  /** Hash of the state, which is only in the browser's cookie and in the callback URL. */
  state_hash: string;
  /** The encrypted outcome; null before it is known and after a minute. */
  found: string | null;
  found_until: string | null;
  /** The state counts as used until this time. */
  expires_at: string;
}

export interface RegistrationTables {
  registrations: RegistrationsTable;
  finished_sign_ins: FinishedSignInsTable;
}

/** The tables of this slice, and the table of names, which belongs to accounts. */
type VisibleTables = RegistrationTables & Pick<AccountsTables, 'names'>;

export type Database = platform.Database<VisibleTables>;
export type Transaction = platform.Transaction<VisibleTables>;

/** Types another slice's database or transaction as having the tables of this slice. */
export const withRegistrationTables = platform.withTables<VisibleTables>();

export const registrationMigrations: Migrations = {
  async '0002-accounts'({ schema }) {
    await schema
      .createTable('registrations')
      .addColumn('id', 'text', key)
      .addColumn('username', 'text', required)
      .addColumn('email', 'text', required)
      .addColumn('email_key', 'text', required)
      .addColumn('password_hash', 'text')
      .addColumn('provider', 'text')
      .addColumn('subject', 'text')
      .addColumn('email_verified', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .addColumn('user_id', 'text')
      .execute();
    await schema.createIndex('registrations_by_end').on('registrations').column('expires_at').execute();
  },

  async '0013-finished-sign-ins'({ schema }) {
    await schema.alterTable('registrations').addColumn('address', 'text').execute();
    await schema.createIndex('registrations_by_address').on('registrations').column('address').execute();
    await schema
      .createTable('finished_sign_ins')
      .addColumn('state_hash', 'text', key)
      .addColumn('found', 'text')
      .addColumn('found_until', 'text')
      .addColumn('expires_at', 'text', required)
      .execute();
    await schema
      .createIndex('finished_sign_ins_by_end')
      .on('finished_sign_ins')
      .column('expires_at')
      .execute();
  },
};
