import { leaveWaitlist } from '#contract/calls/waitlist';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import type { MailRequests } from '../accounts/mail-requests.ts';
import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { HOUR_MS, mailLimits, type Throttle } from '../accounts/throttle.ts';
import { emailKey } from '../accounts/username.ts';
import { createError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { type AnyTransaction, withTransaction } from '../platform/database.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { type Database, withWaitlistTables } from './waitlist.tables.ts';

export interface WaitlistEntry {
  email: string;
  since: string;
}

interface WaitlistDependencies {
  database: Database;
  mailRequests: Pick<MailRequests, 'store' | 'withdraw'>;
  throttle: Throttle;
  keyring: Keyring;
}

export type WaitlistService = ReturnType<typeof createWaitlistService>;

const badLink = () =>
  createError(
    'waitlist.bad_link',
    'This link is not complete, or too old. Please open it from the mail again, or write to our support.',
  );

export function createWaitlistService(dependencies: WaitlistDependencies) {
  const { database, mailRequests, throttle, keyring } = dependencies;

  /** When this address joined; null if it is not on the list. */
  async function find(email: string): Promise<WaitlistEntry | null> {
    const row = await database
      .selectFrom('waitlist')
      .select(['email', 'created_at'])
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst();
    return row ? { email: row.email, since: row.created_at } : null;
  }

  return {
    personalData: {
      export: async ({ email }) => ({ waitlist: await find(email) }),
      async delete(transaction, { email_key }) {
        await withWaitlistTables(transaction)
          .deleteFrom('waitlist')
          .where('email_key', '=', email_key)
          .execute();
      },
    } satisfies PersonalDataSource,

    /** Does not reveal whether the address was already listed: only the owner of the mailbox gets a mail, once. */
    async join(email: string, ipHash: string): Promise<void> {
      await throttle.countOrThrow([{ key: `waitlist:address:${ipHash}`, limit: 30, windowMs: HOUR_MS }]);
      const wait = await throttle.tryConsume(mailLimits(email, 'waitlist'));
      if (wait === undefined) await mailRequests.store('waitlist', email);
    },

    /** Idempotent. @throws {AppError} 400 for an invalid link. */
    async leave(token: string): Promise<void> {
      const signed = keyring.verify('unsubscribe', token);
      if (!signed) throw badLink();
      await this.remove(Buffer.from(signed.text, 'base64url').toString());
    },

    async remove(email: string): Promise<boolean> {
      const key = emailKey(email);
      return withTransaction(database, async (transaction) => {
        const withdrawn = await mailRequests.withdraw(transaction, 'waitlist', email);
        const removed = await transaction
          .deleteFrom('waitlist')
          .where('email_key', '=', key)
          .executeTakeFirst();
        return withdrawn || removed.numDeletedRows > 0n;
      });
    },

    /** Oldest first. */
    async list(): Promise<WaitlistEntry[]> {
      const rows = await database
        .selectFrom('waitlist')
        .select(['email', 'created_at'])
        .orderBy('created_at')
        .orderBy('email_key')
        .execute();
      return rows.map(({ email, created_at }) => ({ email, since: created_at }));
    },
  };
}

/** Processes a request to join: stores the address once, and confirms it by mail the first time. */
export function createWaitlistJoin({
  mails,
  clock,
  keyring,
  publicUrl,
}: {
  mails: MailQueue;
  clock: Clock;
  keyring: Keyring;
  publicUrl: string;
}) {
  return async (transaction: AnyTransaction, email: string): Promise<void> => {
    const added = await withWaitlistTables(transaction)
      .insertInto('waitlist')
      .values({ email_key: emailKey(email), email, created_at: clock.now().toISOString() })
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('email_key')
      .executeTakeFirst();
    if (!added) return;
    const token = encodeURIComponent(
      keyring.sign('unsubscribe', Buffer.from(emailKey(email)).toString('base64url')),
    );
    await mails.enqueue(transaction, {
      to: email,
      subject: `You are on ${BRAND.name}’s premium list`,
      text: `Hello,\n\nthank you for your interest: we will write to this address once premium is available, and for nothing else.\n\nIf that was not you, or you have changed your mind, take the address off the list here:\n${publicUrl}${PAGES.unsubscribe}?token=${token}\n\n${BRAND.name}\n${publicUrl}\n`,
      unsubscribeUrl: `${publicUrl}${leaveWaitlist.path}?token=${token}`,
    });
  };
}
