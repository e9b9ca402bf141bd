import type { ColumnDefinitionBuilder } from 'kysely';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

export interface NamesTable {
  /** Lower case. */
  name_key: string;
  user_id: string | null;
  registration_id: string | null;
}

export interface UsersTable {
  id: string;
  username: string;
  email: string;
  email_key: string;
  email_verified_at: string | null;
  /** A new address until its mailed link is opened. */
  pending_email: string | null;
  /** Null for users without a password, who sign in with a provider. */
  password_hash: string | null;
  /** Bytes of saved texts, names included. */
  storage_bytes: number;
  created_at: string;
  /** Last use; null before the first. */
  signed_in_at: string | null;
}

export interface IdentitiesTable {
  provider: string;
  /** The provider's id of the user. */
  subject: string;
  user_id: string;
  email: string;
  created_at: string;
}

export interface SessionsTable {
  /** The token itself is in the browser's cookie only. */
  token_hash: string;
  /** Public id of the session, shown to its owner. */
  id: string;
  user_id: string;
  device: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export interface KnownDevicesTable {
  /** The token itself is in the browser's cookie only. */
  token_hash: string;
  user_id: string;
  device: string;
  last_seen_at: string;
  expires_at: string;
}

export interface SecondFactorsTable {
  user_id: string;
  sealed_secret: string;
  created_at: string;
  /** Null until a first correct code confirms the setup. */
  confirmed_at: string | null;
  /** Time step of the last used code: by RFC 6238 each works once. */
  last_step: number;
}

/** Deleted on use. */
export interface RecoveryCodesTable {
  code_hash: string;
  user_id: string;
}

export interface MailTokensTable {
  token_hash: string;
  purpose: 'verify' | 'reset' | 'claim';
  user_id: string | null;
  payment_id: string | null;
  /** The address that the link was mailed to. */
  email: string;
  expires_at: string;
}

export interface MailRequestsTable {
  id: string;
  purpose: 'reset' | 'waitlist';
  email: string;
  email_key: string;
  created_at: string;
}

export interface ThrottlesTable {
  key: string;
  attempts: number;
  window_ends: string;
}

export interface AccountsTables {
  names: NamesTable;
  users: UsersTable;
  identities: IdentitiesTable;
  sessions: SessionsTable;
  known_devices: KnownDevicesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  mail_tokens: MailTokensTable;
  mail_requests: MailRequestsTable;
  throttles: ThrottlesTable;
}

export type Database = platform.Database<AccountsTables>;
export type Transaction = platform.Transaction<AccountsTables>;

/** Types another slice's database or transaction as having the tables of this slice. */
export const withAccountsTables = platform.withTables<AccountsTables>();

const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.id').onDelete('cascade');

export const accountsMigrations: Migrations = {
  async '0002-accounts'({ schema }) {
    await schema
      .createTable('names')
      .addColumn('name_key', 'text', key)
      .addColumn('user_id', 'text')
      .addColumn('registration_id', 'text')
      .execute();
    await schema
      .createTable('users')
      .addColumn('id', 'text', key)
      .addColumn('username', 'text', required)
      .addColumn('email', 'text', required)
      .addColumn('email_key', 'text', (column) => column.notNull().unique())
      .addColumn('email_verified_at', 'text')
      .addColumn('pending_email', 'text')
      .addColumn('password_hash', 'text')
      .addColumn('storage_bytes', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'text', required)
      .execute();
    await schema
      .createTable('identities')
      .addColumn('provider', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('user_id', 'text', ofUser)
      .addColumn('email', 'text', required)
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('identities_key', ['provider', 'subject'])
      .execute();
    await schema.createIndex('identities_by_user').on('identities').column('user_id').execute();
    await schema
      .createTable('sessions')
      .addColumn('token_hash', 'text', key)
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('user_id', 'text', ofUser)
      .addColumn('device', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('last_seen_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
    await schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();
    await schema
      .createTable('mail_tokens')
      .addColumn('token_hash', 'text', key)
      .addColumn('purpose', 'text', required)
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('payment_id', 'text')
      .addColumn('email', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await schema
      .createTable('throttles')
      .addColumn('key', 'text', key)
      .addColumn('attempts', 'integer', required)
      .addColumn('window_ends', 'text', required)
      .execute();
  },
  async '0006-account-hardening'({ schema }) {
    await schema
      .createTable('mail_requests')
      .addColumn('id', 'text', key)
      .addColumn('purpose', 'text', required)
      .addColumn('email', 'text', required)
      .addColumn('email_key', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
  },
  async '0007-second-factor'({ schema }) {
    await schema
      .createTable('second_factors')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('confirmed_at', 'text')
      .addColumn('last_step', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('recovery_codes')
      .addColumn('code_hash', 'text', key)
      .addColumn('user_id', 'text', ofUser)
      .execute();
    await schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute();
    await schema
      .createTable('known_devices')
      .addColumn('token_hash', 'text', key)
      .addColumn('user_id', 'text', ofUser)
      .addColumn('device', 'text', required)
      .addColumn('last_seen_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await schema.createIndex('known_devices_by_user').on('known_devices').column('user_id').execute();
    await schema.createIndex('known_devices_by_end').on('known_devices').column('expires_at').execute();
    await schema.alterTable('users').addColumn('signed_in_at', 'text').execute();
  },
};
