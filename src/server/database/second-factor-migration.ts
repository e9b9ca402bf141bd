import type { ColumnDefinitionBuilder } from 'kysely';
import type { Migration } from './migrations.ts';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export const SECOND_FACTOR_MIGRATION: Migration = {
  name: '0007-second-factor',
  async up({ schema }) {
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
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .execute();
    await schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute();
    await schema
      .createTable('known_devices')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('device', 'text', required)
      .addColumn('last_seen_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await schema.createIndex('known_devices_by_user').on('known_devices').column('user_id').execute();
    await schema.createIndex('known_devices_by_end').on('known_devices').column('expires_at').execute();
    await schema.alterTable('users').addColumn('signed_in_at', 'text').execute();
  },
};
