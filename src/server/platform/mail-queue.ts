import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import { type AnyTransaction, type Database, withTables } from './database.ts';
import type { Logger } from './logger.ts';
import type { Mail, Mailer } from './mailer.ts';
import { type Metrics, NO_METRICS } from './metrics.ts';
import { key, type Migrations, required } from './migrate.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** Outbox of mails, written in the transaction that causes them. */
interface OutgoingMailsTable {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  unsubscribe_url: string | null;
  created_at: string;
  attempts: number;
  next_attempt_at: string;
}

export interface MailTables {
  outgoing_mails: OutgoingMailsTable;
}

/**
 * Outbox of mails. A mail is written in the transaction that causes it, so that both happen or neither does, and deleted
 * once it is sent.
 */
export interface MailQueue {
  enqueue(transaction: AnyTransaction, mail: Mail): Promise<void>;
  forget(transaction: AnyTransaction, recipients: readonly string[]): Promise<void>;
  /** Sends due mails, after the current delivery. Failed mails are retried later. */
  deliver(): Promise<void>;
  waiting(): Promise<number>;
  /** Starts a delivery in the background, for use after a transaction that enqueued. */
  wake(): void;
  /** Delivers periodically until `stop`. */
  start(): void;
  /** Starts no further mail and waits for the current one, with a timeout; other mails are sent after the next start. */
  stop(): Promise<void>;
}

interface MailQueueDependencies {
  database: Database<MailTables>;
  mailer: Mailer;
  clock: Clock;
  logger: Logger;
  metrics?: Metrics | undefined;
  /** Timeout of `stop` for the current mail, because a mail server may hang. Milliseconds. */
  timeoutMs?: number;
}

const POLL_MS = 15_000;
/** Lease of the server that sends a mail. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 60 * 60 * 1000;
/** Attempts within about three days. */
const MAX_ATTEMPTS = 20;

export function createMailQueue(dependencies: MailQueueDependencies): MailQueue {
  const { database, mailer, clock, logger, timeoutMs } = dependencies;
  const outbox: Outbox = createOutbox<OutgoingMailsTable>({
    logger,
    failure: 'mails could not be delivered',
    pollMs: POLL_MS,
    timeoutMs,
    due: (limit) =>
      database
        .selectFrom('outgoing_mails')
        .selectAll()
        .where('next_attempt_at', '<=', clock.now().toISOString())
        .orderBy('created_at')
        .limit(limit)
        .execute(),
    handle: (mail) => sendMail(dependencies, mail, () => outbox.stopping),
  });

  return {
    async enqueue(transaction, mail) {
      const now = clock.now().toISOString();
      await withMailTables(transaction)
        .insertInto('outgoing_mails')
        .values({
          id: randomUUID(),
          recipient: mail.to,
          subject: mail.subject,
          body: mail.text,
          unsubscribe_url: mail.unsubscribeUrl ?? null,
          created_at: now,
          attempts: 0,
          next_attempt_at: now,
        })
        .execute();
    },
    async forget(transaction, recipients) {
      await withMailTables(transaction)
        .deleteFrom('outgoing_mails')
        .where('recipient', 'in', recipients)
        .execute();
    },
    deliver: outbox.deliver,
    async waiting() {
      const { count } = await database
        .selectFrom('outgoing_mails')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    wake: outbox.wake,
    start: outbox.start,
    async stop() {
      await outbox.stop();
      mailer.close();
    },
  };
}

async function sendMail(
  { database, mailer, clock, logger, metrics = NO_METRICS }: MailQueueDependencies,
  mail: OutgoingMailsTable,
  isStopping: () => boolean,
): Promise<void> {
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const attempt = mail.attempts + 1;
  const leased = await database
    .updateTable('outgoing_mails')
    .set({ next_attempt_at: at(LEASE_MS), attempts: attempt })
    .where('id', '=', mail.id)
    .where('next_attempt_at', '=', mail.next_attempt_at)
    .executeTakeFirst();
  if (leased.numUpdatedRows === 0n) return;
  const { recipient: to, subject, body: text, unsubscribe_url: unsubscribeUrl } = mail;
  try {
    await mailer.send({ to, subject, text, ...(unsubscribeUrl !== null && { unsubscribeUrl }) }, mail.id);
    metrics.add('glyphlift_mails_total', { outcome: 'sent' });
  } catch (error) {
    // The database may be closed already; the lease expires.
    if (isStopping()) return;
    if (attempt < MAX_ATTEMPTS) {
      metrics.add('glyphlift_mails_total', { outcome: 'delayed' });
      logger.warn({ err: error, mail: mail.id, attempt }, 'a mail could not be sent yet');
      await database
        .updateTable('outgoing_mails')
        .set({ next_attempt_at: at(Math.min(FIRST_RETRY_MS * 2 ** mail.attempts, MAX_RETRY_MS)) })
        .where('id', '=', mail.id)
        .execute();
      return;
    }
    metrics.add('glyphlift_mails_total', { outcome: 'given_up' });
    logger.error({ err: error, mail: mail.id }, 'a mail could not be sent and is given up');
  }
  await database.deleteFrom('outgoing_mails').where('id', '=', mail.id).execute();
}

const withMailTables = withTables<MailTables>();

export const mailMigrations: Migrations = {
  async '0002-accounts'({ schema }) {
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
  },
};
