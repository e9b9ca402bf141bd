import type { AccountsTables } from '../accounts/accounts.tables.ts';
import type * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/** State of a job. Never contains images, texts or file names. */
export interface JobsTable {
  id: string;
  user_id: string;
  /** The API key that created the job; null for sessions and in rows of earlier versions. */
  key_id: string | null;
  state: string;
  error: string | null;
  created_at: string;
  ended_at: string | null;
  /** Expiry of the result; null if there is none (yet). */
  result_until: string | null;
  files: number;
  /** Language codes separated by +, the main language first. */
  languages: string;
  /** 1 with Smart Text Filtering. */
  filtering: number;
  /** Page ranges of the documents; null for all pages. */
  page_range: string | null;
  /** Hashes of the Idempotency-Key and of the request; null without a key. */
  attempt: string | null;
  fingerprint: string | null;
  /** The process that runs the job. */
  runner: string | null;
  /** The end of the process' lease; null once the job has ended. */
  lease_until: string | null;
  /** Id of its webhook delivery; null without one. */
  delivery: string | null;
}

export interface JobPagesTable {
  job_id: string;
  number: number;
  file: number;
  page: number;
  state: string;
  error: string | null;
}

/** Recognized pages of jobs of a stopped server, until a server continues them. */
export interface JobTextsTable {
  job_id: string;
  kept_until: string;
  /** Encrypted. */
  texts: string;
}

export interface JobsTables {
  jobs: JobsTable;
  job_pages: JobPagesTable;
  job_texts: JobTextsTable;
}

export type Database = platform.Database<JobsTables & AccountsTables>;
export type Transaction = platform.Transaction<JobsTables & AccountsTables>;

export const jobsMigrations: Migrations = {
  async '0010-jobs'({ schema }) {
    await schema
      .createTable('jobs')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('state', 'text', required)
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('ended_at', 'text')
      .addColumn('result_until', 'text')
      .addColumn('files', 'integer', required)
      .addColumn('languages', 'text', required)
      .addColumn('filtering', 'integer', required)
      .addColumn('page_range', 'text')
      .addColumn('attempt', 'text')
      .addColumn('fingerprint', 'text')
      .addColumn('runner', 'text')
      .addColumn('lease_until', 'text')
      .addColumn('delivery', 'text')
      .execute();
    await schema.createIndex('jobs_by_age').on('jobs').columns(['user_id', 'created_at', 'id']).execute();
    await schema.createIndex('jobs_by_attempt').on('jobs').columns(['user_id', 'attempt']).unique().execute();
    await schema.createIndex('jobs_by_lease').on('jobs').column('lease_until').execute();
    await schema.createIndex('jobs_by_end').on('jobs').column('ended_at').execute();
    await schema
      .createTable('job_pages')
      .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
      .addColumn('number', 'integer', required)
      .addColumn('file', 'integer', required)
      .addColumn('page', 'integer', required)
      .addColumn('state', 'text', required)
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('job_pages_key', ['job_id', 'number'])
      .execute();
  },

  async '0012-jobs-of-keys'({ schema }) {
    await schema.alterTable('jobs').addColumn('key_id', 'text').execute();
  },

  async '0015-job-texts'({ schema }) {
    await schema
      .createTable('job_texts')
      .addColumn('job_id', 'text', (column) => column.primaryKey().references('jobs.id').onDelete('cascade'))
      .addColumn('kept_until', 'text', required)
      .addColumn('texts', 'text', required)
      .execute();
  },
};
