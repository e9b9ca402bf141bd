import { type ApiKeysTables, apiKeysSteps } from './api-keys/tables.ts';
import { type JobsTables, jobsSteps } from './jobs/tables.ts';
import { type JoiningTables, joiningSteps } from './joining/tables.ts';
import { type PayingTables, payingSteps } from './paying/tables.ts';
import { type PeopleTables, peopleSteps } from './people/tables.ts';
import * as platform from './platform/database.ts';
import { type MailTables, mailSteps } from './platform/mail-queue.ts';
import { type RecognitionTables, recognitionSteps } from './recognition/tables.ts';
import { type SavedTextsTables, savedTextsSteps } from './saved-texts/tables.ts';
import { type WaitlistTables, waitlistSteps } from './waitlist/tables.ts';
import { type WebhooksTables, webhooksSteps } from './webhooks/tables.ts';

/** Every slice's tables, put together for whoever opens the one database that holds them. */

interface Schema
  extends MailTables,
    PeopleTables,
    JoiningTables,
    PayingTables,
    RecognitionTables,
    SavedTextsTables,
    ApiKeysTables,
    WebhooksTables,
    JobsTables,
    WaitlistTables {}

export type Database = platform.Database<Schema>;

export const SLICES = [
  mailSteps,
  peopleSteps,
  joiningSteps,
  payingSteps,
  recognitionSteps,
  savedTextsSteps,
  apiKeysSteps,
  webhooksSteps,
  jobsSteps,
  waitlistSteps,
];

/** Opens the database and brings its tables up to date. */
export const openDatabase = (options: platform.DatabaseOptions): Promise<Database> =>
  platform.openDatabase<Schema>(options, SLICES);
