import { emailTaken } from '../accounts/accounts.errors.ts';
import { findMailToken, redeemMailToken } from '../accounts/mail-tokens.ts';
import { type PasswordHasher, refuseWeakPassword } from '../accounts/password.ts';
import { HOUR_MS, type Throttle } from '../accounts/throttle.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { usernameTaken } from '../registration/registration.errors.ts';
import type { NameConflict, Registration, Registrations } from '../registration/registration.repository.ts';
import { nothingToClaim } from './billing.errors.ts';
import type { Database, Transaction } from './billing.tables.ts';
import type { Fulfillment } from './fulfillment.ts';

export interface RegistrationClaimsDependencies {
  database: Database;
  registrations: Registrations;
  fulfillment: Fulfillment;
  mails: MailQueue;
  throttle: Throttle;
  hasher: PasswordHasher;
  clock: Clock;
}

/** Paid registrations whose name or address was taken by another account meanwhile. */
export interface RegistrationClaims {
  preview(token: string): Promise<NameConflict & { needsPassword: boolean }>;
  /** Finishes a paid registration under another name or address. `address`: the caller's hashed network address. */
  claim(
    token: string,
    choice: { username?: string | undefined; email?: string | undefined; password?: string | undefined },
    address: string,
  ): Promise<void>;
}

export function createRegistrationClaims(dependencies: RegistrationClaimsDependencies): RegistrationClaims {
  const { database, registrations, fulfillment, mails, throttle, hasher, clock } = dependencies;

  async function claimOf(transaction: Transaction, token: string, now: Date) {
    const link = await findMailToken(transaction, 'claim', token, now);
    const payment = await transaction
      .updateTable('payments')
      .set({ status: 'paid' })
      .where('id', '=', link?.payment_id ?? '')
      .where('status', '=', 'paid')
      .returningAll()
      .executeTakeFirst();
    const registration = await registrations.find(payment?.registration_id ?? '', transaction);
    if (!payment || !registration) throw nothingToClaim();
    return { payment, registration };
  }

  /** The registration of a link. An unknown link locks nothing. */
  async function registrationOf(token: string): Promise<Registration> {
    if (!(await findMailToken(database, 'claim', token, clock.now()))) throw nothingToClaim();
    return withTransaction(database, async (transaction) => {
      const { registration } = await claimOf(transaction, token, clock.now());
      return registration;
    });
  }

  return {
    async preview(token) {
      const registration = await registrationOf(token);
      return {
        ...(await registrations.nameConflictOf(registration)),
        needsPassword: registration.password_hash === null && registration.provider === null,
      };
    },

    async claim(token, choice, address) {
      const { username, email } = await registrationOf(token);
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
        const changes = {
          username: choice.username ?? registration.username,
          email: choice.email ?? registration.email,
          passwordHash: passwordHash ?? registration.password_hash,
        };
        if (!(await registrations.update(transaction, registration, changes))) throw usernameTaken();
        const completed = await fulfillment.claim(transaction, payment);
        if ('taken' in completed) throw completed.taken === 'email' ? emailTaken() : usernameTaken();
        if (!('user' in completed)) throw nothingToClaim();
      });
      mails.wake();
    },
  };
}
