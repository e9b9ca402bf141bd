import type { UsersTable } from '../database/people-tables.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation, type Transaction, withTransaction } from '../platform/database.ts';
import { emailTaken } from './errors.ts';
import { emailKey, usernameKey } from './username.ts';

export type User = UsersTable;

export interface Identity {
  provider: string;
  subject: string;
  email: string;
}

/** People who have an account, and the sign-in providers linked to them. */
export interface Accounts {
  find(id: string): Promise<User | undefined>;
  /** By username or by address: a username holds no at sign. */
  findByLogin(login: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  findByIdentity(provider: string, subject: string): Promise<User | undefined>;
  identities(userId: string): Promise<Array<{ provider: string; email: string }>>;
  /** False when the identity belongs to somebody, or the person has another one of this provider. */
  link(userId: string, identity: Identity): Promise<boolean>;
  unlink(userId: string, provider: string): Promise<void>;
}

/** What is to be done in the transaction of a change, so that its person hears of it. */
export interface IdentityChanges {
  linked(transaction: Transaction, user: User, provider: string): Promise<void>;
  unlinked(transaction: Transaction, user: User, provider: string): Promise<void>;
}

export function createAccounts(database: Database, clock: Clock, changes: IdentityChanges): Accounts {
  return {
    find: (id) => database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

    async findByLogin(login) {
      if (login.includes('@')) return this.findByEmail(login);
      return database
        .selectFrom('names')
        .innerJoin('users', 'users.id', 'names.user_id')
        .selectAll('users')
        .where('name_key', '=', usernameKey(login))
        .executeTakeFirst();
    },

    findByEmail: (email) =>
      database.selectFrom('users').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst(),

    findByIdentity: (provider, subject) =>
      database
        .selectFrom('identities')
        .innerJoin('users', 'users.id', 'identities.user_id')
        .selectAll('users')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    identities: (userId) =>
      database
        .selectFrom('identities')
        .select(['provider', 'email'])
        .where('user_id', '=', userId)
        .orderBy('provider')
        .execute(),

    link: (userId, { provider, subject, email }) =>
      withTransaction(database, async (transaction) => {
        // Holds the person's row, so that two parallel links cannot both find none.
        const user = await lockUser(transaction, userId);
        const other = await transaction
          .selectFrom('identities')
          .select('subject')
          .where('user_id', '=', userId)
          .where('provider', '=', provider)
          .executeTakeFirst();
        if (other) return other.subject === subject;
        const linked = await transaction
          .insertInto('identities')
          .values({ provider, subject, user_id: userId, email, created_at: clock.now().toISOString() })
          .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
          .returning('subject')
          .executeTakeFirst();
        if (!linked || !user) return false;
        await changes.linked(transaction, user, provider);
        return true;
      }),

    async unlink(userId, provider) {
      await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        const gone = await transaction
          .deleteFrom('identities')
          .where('user_id', '=', userId)
          .where('provider', '=', provider)
          .executeTakeFirst();
        if (user && gone.numDeletedRows > 0n) await changes.unlinked(transaction, user, provider);
      });
    },
  };
}

/** Holds the person's row until the transaction ends; undefined when there is no such person. */
export function lockUser(transaction: Transaction, id: string): Promise<User | undefined> {
  return transaction.updateTable('users').set({ id }).where('id', '=', id).returningAll().executeTakeFirst();
}

/** @throws {AppError} `accounts.email_taken` when another account has the address. */
export async function changeEmail(
  transaction: Transaction,
  user: User,
  email: string,
  now: Date,
): Promise<void> {
  try {
    await transaction
      .updateTable('users')
      .set({
        email,
        email_key: emailKey(email),
        email_verified_at: now.toISOString(),
        pending_email: null,
      })
      .where('id', '=', user.id)
      .execute();
  } catch (error) {
    // Asking first would not do: two people may confirm one address at the same moment.
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

/** Deletes the person and everything that hangs on them; the name is free again. */
export async function deleteUser(transaction: Transaction, user: User): Promise<void> {
  // Sessions, identities, mailed tokens and saved texts go with the row.
  await transaction.deleteFrom('users').where('id', '=', user.id).execute();
  await transaction.deleteFrom('names').where('user_id', '=', user.id).execute();
  await transaction.deleteFrom('registrations').where('user_id', '=', user.id).execute();
  await transaction.deleteFrom('waitlist').where('email_key', '=', user.email_key).execute();
  await transaction.deleteFrom('mail_requests').where('email_key', '=', user.email_key).execute();
  const mailboxes = [user.email, ...(user.pending_email === null ? [] : [user.pending_email])];
  await transaction.deleteFrom('outgoing_mails').where('recipient', 'in', mailboxes).execute();
}
