import { type AccountsTables, accountsMigrations } from './accounts/accounts.tables.ts';
import { type ApiKeysTables, apiKeysMigrations } from './api-keys/api-keys.tables.ts';
import { type BillingTables, billingMigrations } from './billing/billing.tables.ts';
import { type JobsTables, jobsMigrations } from './jobs/jobs.tables.ts';
import * as platform from './platform/database.ts';
import { type MailTables, mailMigrations } from './platform/mail-queue.ts';
import { type RecognitionTables, recognitionMigrations } from './recognition/recognition.tables.ts';
import { type RegistrationTables, registrationMigrations } from './registration/registration.tables.ts';
import { type SavedTextsTables, savedTextsMigrations } from './saved-texts/saved-texts.tables.ts';
import { type WaitlistTables, waitlistMigrations } from './waitlist/waitlist.tables.ts';
import { type WebhooksTables, webhooksMigrations } from './webhooks/webhooks.tables.ts';

/** The tables and migrations of all slices, for opening the database. */

interface Schema
  extends MailTables,
    AccountsTables,
    RegistrationTables,
    BillingTables,
    RecognitionTables,
    SavedTextsTables,
    ApiKeysTables,
    WebhooksTables,
    JobsTables,
    WaitlistTables {}

export type Database = platform.Database<Schema>;

export const SLICES = [
  mailMigrations,
  accountsMigrations,
  registrationMigrations,
  billingMigrations,
  recognitionMigrations,
  savedTextsMigrations,
  apiKeysMigrations,
  webhooksMigrations,
  jobsMigrations,
  waitlistMigrations,
];

export const openDatabase = (options: platform.DatabaseOptions): Promise<Database> =>
  platform.openDatabase<Schema>(options, SLICES);
