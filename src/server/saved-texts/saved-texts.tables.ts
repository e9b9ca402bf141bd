import type { ColumnDefinitionBuilder, Generated } from 'kysely';
import type * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

export interface SavedTextsTable {
  id: string;
  user_id: string;
  name: string;
  text: string;
  /** Deprecated: name and text in lower case. Still read by the previous release in a rolling upgrade; to be dropped. */
  folded: string;
  bytes: number;
  language: string;
  created_at: string;
  /** Incremented with every change of the text. */
  version: Generated<number>;
  /** The extraction and its edits, as JSON; null for a text without an extraction. */
  extraction: string | null;
  work: string | null;
  /** Size of `extraction` and `work`, which is not part of `bytes`. */
  reading_bytes: Generated<number>;
  /** Number of remaining doubtful words; null if unknown. */
  doubtful: number | null;
}

export interface SavedTextsTables {
  saved_texts: SavedTextsTable;
}

export type Database = platform.Database<SavedTextsTables>;
export type Transaction = platform.Transaction<SavedTextsTables>;

const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.id').onDelete('cascade');

export const savedTextsMigrations: Migrations = {
  async '0004-saved-texts'({ schema }) {
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
  async '0011-saved-texts-search'({ schema }) {
    await schema
      .alterTable('saved_texts')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
    // A covering index, so that a search can sum sizes without reading texts.
    await schema
      .createIndex('saved_texts_by_age_with_size')
      .on('saved_texts')
      .columns(['user_id', 'created_at', 'id', 'bytes'])
      .execute();
  },
  async '0014-saved-readings'({ schema }) {
    await schema.alterTable('saved_texts').addColumn('extraction', 'text').execute();
    await schema.alterTable('saved_texts').addColumn('work', 'text').execute();
    await schema
      .alterTable('saved_texts')
      .addColumn('reading_bytes', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
  // Texts saved before are counted with their next change: the page that shows them knows how.
  async '0017-saved-text-doubts'({ schema }) {
    await schema.alterTable('saved_texts').addColumn('doubtful', 'integer').execute();
  },
};
