import { emailTaken, usernameTaken } from '../accounts/errors.ts';
import { redeemMailToken } from '../accounts/mail-tokens.ts';
import { isEmailTaken, type Registration, reviseRegistration } from '../accounts/registrations.ts';
import { usernameKey } from '../accounts/username.ts';
import { type Database, type Transaction, withTransaction } from '../database/database.ts';
import type { Clock } from '../platform/clock.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { hashToken } from '../platform/token.ts';
import { nothingToClaim } from './errors.ts';
import type { Settlement } from './settlement.ts';

interface ClaimsDependencies {
  database: Database;
  settlement: Settlement;
  mails: MailQueue;
  clock: Clock;
}

/** Payments that were taken while their registration's name or address went to somebody else. */
export function createClaims({ database, settlement, mails, clock }: ClaimsDependencies) {
  return {
    /** What a mailed claim link stands for. */
    async previewClaim(token: string) {
      return withTransaction(database, async (transaction) => {
        const { registration } = await claimOf(transaction, token, clock.now());
        return {
          ...(await lossOf(transaction, registration)),
          needsPassword: registration.password_hash === null && registration.provider === null,
        };
      });
    },

    /** Finishes a registration whose payment was taken, under another name or address. */
    async claim(
      token: string,
      choice: { username?: string | undefined; email?: string | undefined; passwordHash: string | null },
    ): Promise<void> {
      await withTransaction(database, async (transaction) => {
        const now = clock.now();
        const { payment, registration } = await claimOf(transaction, token, now);
        await redeemMailToken(transaction, 'claim', token, now);
        const revised = {
          username: choice.username ?? registration.username,
          email: choice.email ?? registration.email,
          passwordHash: choice.passwordHash ?? registration.password_hash,
        };
        if (!(await reviseRegistration(transaction, registration, revised, now))) throw usernameTaken();
        const completed = await settlement.claim(transaction, payment);
        if ('taken' in completed) throw completed.taken === 'email' ? emailTaken() : usernameTaken();
        if (!('user' in completed)) throw nothingToClaim();
      });
      mails.wake();
    },
  };
}

/** What a registration has lost to others meanwhile. */
export async function lossOf(transaction: Database | Transaction, registration: Registration) {
  const holder = await transaction
    .selectFrom('names')
    .select('registration_id')
    .where('name_key', '=', usernameKey(registration.username))
    .executeTakeFirst();
  return {
    username: registration.username,
    email: registration.email,
    usernameTaken: holder !== undefined && holder.registration_id !== registration.id,
    emailTaken: await isEmailTaken(transaction, registration.email_key),
  };
}

async function claimOf(transaction: Transaction, token: string, now: Date) {
  const link = await transaction
    .selectFrom('mail_tokens')
    .select('payment_id')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', 'claim')
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  const payment = await transaction
    .updateTable('payments')
    .set({ status: 'paid' })
    .where('id', '=', link?.payment_id ?? '')
    .where('status', '=', 'paid')
    .returningAll()
    .executeTakeFirst();
  const registration = await transaction
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', payment?.registration_id ?? '')
    .executeTakeFirst();
  if (!payment || !registration) throw nothingToClaim();
  return { payment, registration };
}
