import type { AccountsTables } from '../accounts/accounts.tables.ts';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/** The secret that signs a user's webhooks. Signing needs the secret itself, so it is encrypted and not hashed. */
export interface WebhookSecretsTable {
  user_id: string;
  sealed: string;
  made_at: string;
  /** The previous secret, encrypted, which is still valid until `former_until`. */
  former_sealed: string | null;
  former_until: string | null;
}

/** A webhook delivery: created with the job, sent when the job ends, retried until acknowledged. */
export interface WebhookDeliveriesTable {
  /** The same for every attempt, so that receivers recognize retries. */
  id: string;
  user_id: string;
  url: string;
  /** Host of the URL, for the limit per host; null in rows of earlier versions. */
  host: string | null;
  /** Null before the event. */
  body: string | null;
  /** One of `DELIVERY_STATES`. */
  state: string;
  tries: number;
  last_try_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /** Null if no attempt is due. */
  next_try_at: string | null;
}

export interface WebhooksTables {
  webhook_secrets: WebhookSecretsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

export type Database = platform.Database<WebhooksTables & AccountsTables>;

export const withWebhooksTables = platform.withTables<WebhooksTables>();

export const webhooksMigrations: Migrations = {
  async '0010-jobs'({ schema }) {
    await schema
      .createTable('webhook_secrets')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealed', 'text', required)
      .addColumn('made_at', 'text', required)
      .addColumn('former_sealed', 'text')
      .addColumn('former_until', 'text')
      .execute();
    await schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('url', 'text', required)
      .addColumn('body', 'text')
      .addColumn('state', 'text', required)
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('last_try_at', 'text')
      .addColumn('last_status', 'integer')
      .addColumn('last_error', 'text')
      .addColumn('next_try_at', 'text')
      .execute();
    await schema
      .createIndex('webhook_deliveries_by_turn')
      .on('webhook_deliveries')
      .column('next_try_at')
      .execute();
    await schema
      .createIndex('webhook_deliveries_by_user')
      .on('webhook_deliveries')
      .column('user_id')
      .execute();
  },

  async '0012-jobs-of-keys'({ schema }) {
    await schema.alterTable('webhook_deliveries').addColumn('host', 'text').execute();
  },
};
