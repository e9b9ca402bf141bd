import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { type AnyTransaction, withTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { createOutbox } from '../platform/outbox.ts';
import { type Database, type MailRequestsTable, withAccountsTables } from './accounts.tables.ts';
import { emailKey } from './username.ts';

type MailRequestPurpose = MailRequestsTable['purpose'];

/**
 * Outbox of mail requests. A call stores its request without looking up the address, which is the same work for every
 * address. The outbox processes the request after a random delay, so that response times do not reveal whether an account
 * exists. Stored requests survive a restart.
 */
export interface MailRequests {
  store(purpose: MailRequestPurpose, email: string): Promise<void>;
  withdraw(transaction: AnyTransaction, purpose: MailRequestPurpose, email: string): Promise<boolean>;
  processDue(): Promise<void>;
  /** Deletes requests that failed for a day. */
  deleteExpired(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface MailRequestsDependencies {
  database: Database;
  mails: MailQueue;
  clock: Clock;
  logger: Logger;
  handlers: Record<MailRequestPurpose, (transaction: AnyTransaction, email: string) => Promise<void>>;
  /** The longest random delay of a request. Milliseconds. */
  maxDelayMs?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DELAY_MS = 4_000;
const POLL_MS = 15_000;

export function createMailRequests(dependencies: MailRequestsDependencies): MailRequests {
  const { database, mails, clock, logger, handlers, maxDelayMs = MAX_DELAY_MS } = dependencies;
  const outbox = createOutbox<Pick<MailRequestsTable, 'id'>>({
    logger,
    failure: 'mail requests could not be processed',
    pollMs: POLL_MS,
    due: (limit, last) =>
      database
        .selectFrom('mail_requests')
        .select('id')
        .where('id', '>', last?.id ?? '')
        .orderBy('id')
        .limit(limit)
        .execute(),
    handle: ({ id }) =>
      processOne(id).catch((error) => logger.error({ err: error }, 'a request for a mail failed')),
    onDelivered: mails.wake,
  });
  let wakeTimer: NodeJS.Timeout | undefined;

  const processOne = (id: string) =>
    withTransaction(database, async (transaction) => {
      const request = await transaction
        .deleteFrom('mail_requests')
        .where('id', '=', id)
        .returning(['purpose', 'email'])
        .executeTakeFirst();
      if (request) await handlers[request.purpose](transaction, request.email);
    });

  return {
    async store(purpose, email) {
      await database
        .insertInto('mail_requests')
        .values({
          id: randomUUID(),
          purpose,
          email,
          email_key: emailKey(email),
          created_at: clock.now().toISOString(),
        })
        .execute();
      if (wakeTimer || outbox.stopping) return;
      wakeTimer = setTimeout(() => {
        wakeTimer = undefined;
        outbox.wake();
      }, Math.random() * maxDelayMs).unref();
    },

    async withdraw(transaction, purpose, email) {
      const withdrawn = await withAccountsTables(transaction)
        .deleteFrom('mail_requests')
        .where('purpose', '=', purpose)
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst();
      return withdrawn.numDeletedRows > 0n;
    },

    processDue: outbox.deliver,

    async deleteExpired() {
      const dayAgo = new Date(clock.now().getTime() - DAY_MS).toISOString();
      await database.deleteFrom('mail_requests').where('created_at', '<=', dayAgo).execute();
    },

    start: outbox.start,

    async stop() {
      clearTimeout(wakeTimer);
      await outbox.stop();
    },
  };
}
