import type { Migration } from './migrations.ts';

export const ACCOUNT_HARDENING_MIGRATION: Migration = {
  name: '0006-account-hardening',
  async up({ schema }) {
    await schema
      .createTable('mail_requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
  },
};
