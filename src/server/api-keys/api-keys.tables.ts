import type { AccountsTables } from '../accounts/accounts.tables.ts';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/** A key of an API client that acts for a user. Revoked keys are deleted. */
export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  /** The key itself was shown once and is not stored. */
  key_hash: string;
  ending: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: string;
  /** Null before its first use. */
  last_used_at: string | null;
}

/** A web page that may use a key. */
export interface ApiKeyOriginsTable {
  key_id: string;
  /** In the form of the Origin header. */
  origin: string;
}

export interface ApiKeysTables {
  api_keys: ApiKeysTable;
  api_key_origins: ApiKeyOriginsTable;
}

/** A view with the tables of accounts, because the user is checked and notified in the same transaction. */
export type Database = platform.Database<ApiKeysTables & AccountsTables>;

export const withApiKeysTables = platform.withTables<ApiKeysTables>();

export const apiKeysMigrations: Migrations = {
  async '0009-api-keys'({ schema }) {
    await schema
      .createTable('api_keys')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', required)
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('ending', 'text', required)
      .addColumn('scopes', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('last_used_at', 'text')
      .execute();
    await schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute();
  },
  async '0016-origins-of-keys'({ schema }) {
    await schema
      .createTable('api_key_origins')
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id').onDelete('cascade'))
      .addColumn('origin', 'text', required)
      .addPrimaryKeyConstraint('api_key_origins_key', ['key_id', 'origin'])
      .execute();
    await schema.createIndex('api_key_origins_by_origin').on('api_key_origins').column('origin').execute();
  },
};
