import type { ColumnDefinitionBuilder } from 'kysely';
import type { Migration } from './migrations.ts';

const key = (column: ColumnDefinitionBuilder) => column.primaryKey();
const required = (column: ColumnDefinitionBuilder) => column.notNull();
const unique = (column: ColumnDefinitionBuilder) => column.unique();
const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.id').onDelete('cascade');

export const ACCOUNTS_MIGRATION: Migration = {
  name: '0002-accounts',
  async up({ schema }) {
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
      .createTable('outgoing_mails')
      .addColumn('id', 'text', key)
      .addColumn('recipient', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('body', 'text', required)
      .addColumn('unsubscribe_url', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('attempts', 'integer', required)
      .addColumn('next_attempt_at', 'text', required)
      .execute();
    await schema
      .createTable('throttles')
      .addColumn('key', 'text', key)
      .addColumn('attempts', 'integer', required)
      .addColumn('window_ends', 'text', required)
      .execute();
  },
};

export const BILLING_MIGRATION: Migration = {
  name: '0003-billing',
  async up({ schema }) {
    await schema
      .createTable('payments')
      .addColumn('id', 'text', key)
      .addColumn('registration_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('provider', 'text', required)
      .addColumn('reference', 'text', unique)
      .addColumn('open_key', 'text', unique)
      .addColumn('status', 'text', required)
      .addColumn('approval_url', 'text')
      .addColumn('amount', 'text', required)
      .addColumn('currency', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('next_check_at', 'text', required)
      .execute();
    await schema.createIndex('payments_by_registration').on('payments').column('registration_id').execute();
    await schema
      .createIndex('payments_by_check')
      .on('payments')
      .columns(['status', 'next_check_at'])
      .execute();
    await schema
      .createTable('subscriptions')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text')
      .addColumn('provider', 'text', required)
      .addColumn('reference', 'text', required)
      .addColumn('status', 'text', required)
      .addColumn('started_at', 'text', required)
      .addColumn('period_end', 'text', required)
      .addColumn('refunded_at', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('next_check_at', 'text', required)
      .addUniqueConstraint('subscriptions_reference', ['provider', 'reference'])
      .execute();
    await schema.createIndex('subscriptions_by_user').on('subscriptions').column('user_id').execute();
    await schema
      .createTable('payment_events')
      .addColumn('provider', 'text', required)
      .addColumn('event_id', 'text', required)
      .addColumn('type', 'text', required)
      .addColumn('applied_at', 'text', required)
      .addPrimaryKeyConstraint('payment_events_key', ['provider', 'event_id'])
      .execute();
    await schema
      .createTable('sales')
      .addColumn('provider', 'text', required)
      .addColumn('sale_id', 'text', required)
      .addColumn('reference', 'text', required)
      .addColumn('amount', 'text', required)
      .addColumn('currency', 'text', required)
      .addColumn('paid_at', 'text', required)
      .addPrimaryKeyConstraint('sales_key', ['provider', 'sale_id'])
      .execute();
  },
};

export const SAVED_TEXTS_MIGRATION: Migration = {
  name: '0004-saved-texts',
  async up({ schema }) {
    await schema
      .createTable('saved_texts')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text', ofUser)
      .addColumn('name', 'text', required)
      .addColumn('text', 'text', required)
      .addColumn('folded', 'text', required)
      .addColumn('bytes', 'integer', required)
      .addColumn('language', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
    await schema
      .createIndex('saved_texts_by_age')
      .on('saved_texts')
      .columns(['user_id', 'created_at', 'id'])
      .execute();
  },
};

export const WAITLIST_MIGRATION: Migration = {
  name: '0005-waitlist',
  async up({ schema }) {
    await schema
      .createTable('waitlist')
      .addColumn('email_key', 'text', key)
      .addColumn('email', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
  },
};
