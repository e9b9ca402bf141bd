import { isEmailTaken, type Registration, reviseRegistration } from '../joining/registrations.ts';
import { emailTaken, usernameTaken } from '../people/errors.ts';
import { findMailToken, redeemMailToken } from '../people/mail-tokens.ts';
import { type PasswordHasher, refuseWeakPassword } from '../people/password.ts';
import type { Throttle } from '../people/throttle.ts';
import { usernameKey } from '../people/username.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Transaction, withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { nothingToClaim } from './errors.ts';
import type { Settlement } from './settlement.ts';

interface ClaimsDependencies {
  database: Database;
  settlement: Settlement;
  mails: MailQueue;
  throttle: Throttle;
  hasher: PasswordHasher;
  clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;

/** Payments that were taken while their registration's name or address went to somebody else. */
export function createClaims(dependencies: ClaimsDependencies) {
  const { database, settlement, mails, throttle, hasher, clock } = dependencies;

  /** The registration that a link stands for; no lock is taken for a link that stands for none. */
  async function linked(token: string): Promise<Registration> {
    if (!(await findMailToken(database, 'claim', token, clock.now()))) throw nothingToClaim();
    return withTransaction(database, async (transaction) => {
      const { registration } = await claimOf(transaction, token, clock.now());
      return registration;
    });
  }

  return {
    /** What a mailed claim link stands for. */
    async previewClaim(token: string) {
      const registration = await linked(token);
      return {
        ...(await lossOf(database, registration)),
        needsPassword: registration.password_hash === null && registration.provider === null,
      };
    },

    /** Finishes a registration whose payment was taken, under another name or address. `address`: the caller's, hashed. */
    async claim(
      token: string,
      choice: { username?: string | undefined; email?: string | undefined; password?: string | undefined },
      address: string,
    ): Promise<void> {
      const { username, email } = await linked(token);
      await throttle.take([{ key: `claim:address:${address}`, limit: 60, windowMs: HOUR_MS }]);
      const { password } = choice;
      if (password !== undefined) {
        refuseWeakPassword(password, { username: choice.username ?? username, email: choice.email ?? email });
      }
      const passwordHash = password === undefined ? null : await hasher.hash(password);
      await withTransaction(database, async (transaction) => {
        const now = clock.now();
        const { payment, registration } = await claimOf(transaction, token, now);
        await redeemMailToken(transaction, 'claim', token, now);
        const revised = {
          username: choice.username ?? registration.username,
          email: choice.email ?? registration.email,
          passwordHash: passwordHash ?? registration.password_hash,
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
  const link = await findMailToken(transaction, 'claim', token, now);
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
