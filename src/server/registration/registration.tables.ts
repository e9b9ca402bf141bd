import type { AccountsTables } from '../accounts/accounts.tables.ts';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/** A registration that waits for its payment. It belongs to the browser that holds its id in a signed cookie. */
export interface RegistrationsTable {
  id: string;
  username: string;
  email: string;
  email_key: string;
  password_hash: string | null;
  /** Of a third-party sign-in. */
  provider: string | null;
  subject: string | null;
  /** 1 when the provider vouches for the address. */
  email_verified: number;
  created_at: string;
  /** Until then the name is reserved; longer while a payment is open. */
  expires_at: string;
  user_id: string | null;
  /** Hash of the network address that it came from, another one each day; null once it is paid for. */
  address: string | null;
}

/** A third-party sign-in that was finished. Its state works once; the same browser may ask again for a minute. */
export interface FinishedSignInsTable {
  /** The state itself is in the browser's cookie and in the address only. */
  state_hash: string;
  /** The result, sealed; null while it is awaited, and once it may no longer be asked for. */
  found: string | null;
  found_until: string | null;
  /** Until then the state is known as used. */
  expires_at: string;
}

export interface RegistrationTables {
  registrations: RegistrationsTable;
  finished_sign_ins: FinishedSignInsTable;
}

/** A name is reserved in the table of names, which is people's. */
type Seen = RegistrationTables & Pick<AccountsTables, 'names'>;

export type Database = platform.Database<Seen>;
export type Transaction = platform.Transaction<Seen>;

/** This slice's tables in what another one hands it, such as the transaction that it began. */
export const ours = platform.viewOf<Seen>();

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
