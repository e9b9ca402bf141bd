import { randomUUID } from 'node:crypto';
import { type Expression, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import {
  type AnyDatabase,
  type AnyTransaction,
  isUniqueViolation,
  withTransaction,
} from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { emailTaken } from './accounts.errors.ts';
import { linkedMail, type MailTemplateContext, unlinkedMail } from './accounts.mails.ts';
import { type Database, type Transaction, type UsersTable, withAccountsTables } from './accounts.tables.ts';
import { emailKey, usernameKey } from './username.ts';

export type User = UsersTable;

export interface Identity {
  provider: string;
  subject: string;
  email: string;
}

interface AccountsDependencies {
  database: Database;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
}

export interface Accounts {
  find(id: string): Promise<User | undefined>;
  /** Finds a user by username or address. A username contains no at sign. */
  findByLogin(login: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  findByIdentity(provider: string, subject: string): Promise<User | undefined>;
  /** Users whose username or address contains the text, oldest first. The case is ignored; `%` and `_` are literal. */
  search(text: string, limit: number): Promise<Pick<User, 'username' | 'email' | 'created_at'>[]>;
  identities(userId: string): Promise<Array<{ provider: string; email: string }>>;
  /** False if the identity belongs to another account, or the user already has one of this provider. */
  link(userId: string, identity: Identity): Promise<boolean>;
  unlink(userId: string, provider: string): Promise<void>;
}

/** Whether a column contains the text, in which `%` and `_` have no special meaning. */
const contains = (column: Expression<string | null>, text: string) =>
  sql<boolean>`${column} like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`;

export function createAccounts({ database, mails, mailContext, clock }: AccountsDependencies): Accounts {
  return {
    find: (id) => findUser(database, id),

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

    // Compares the lower-case keys, because `like` ignores the case of ASCII letters on SQLite and of none on PostgreSQL.
    search: (text, limit) =>
      database
        .selectFrom('users')
        .leftJoin('names', 'names.user_id', 'users.id')
        .select(['username', 'email', 'created_at'])
        .where((row) =>
          row.or([
            contains(row.ref('email_key'), emailKey(text)),
            contains(row.ref('name_key'), usernameKey(text)),
          ]),
        )
        .orderBy('created_at')
        .limit(limit)
        .execute(),

    identities: (userId) =>
      database
        .selectFrom('identities')
        .select(['provider', 'email'])
        .where('user_id', '=', userId)
        .orderBy('provider')
        .execute(),

    link: (userId, { provider, subject, email }) =>
      withTransaction(database, async (transaction) => {
        // Locks the user's row, so that two parallel links cannot both succeed.
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
        await mails.enqueue(transaction, linkedMail(mailContext.notice(user), provider));
        return true;
      }),

    async unlink(userId, provider) {
      await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        const deleted = await transaction
          .deleteFrom('identities')
          .where('user_id', '=', userId)
          .where('provider', '=', provider)
          .executeTakeFirst();
        if (!user || deleted.numDeletedRows === 0n) return;
        await mails.enqueue(transaction, unlinkedMail(mailContext.notice(user), provider));
      });
    },
  };
}

export function findUser(database: AnyDatabase, id: string): Promise<User | undefined> {
  return withAccountsTables(database).selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the user's row until the transaction ends; undefined if there is no such user. */
export function lockUser(transaction: AnyTransaction, id: string): Promise<User | undefined> {
  return withAccountsTables(transaction)
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
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
    // A check before the update would be a race between two users who confirm one address.
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

export async function isEmailTaken(database: AnyDatabase, key: string): Promise<boolean> {
  const user = await withAccountsTables(database)
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', key)
    .executeTakeFirst();
  return user !== undefined;
}

export interface NewUser {
  username: string;
  email: string;
  passwordHash: string | null;
  emailVerified: boolean;
  identity: Pick<Identity, 'provider' | 'subject'> | null;
}

/**
 * Creates an account. `reservation`: the registration that may hold its name. Changes nothing if the name, address or
 * identity is taken.
 */
export async function addUser(
  anyTransaction: AnyTransaction,
  { username, email, passwordHash, emailVerified, identity }: NewUser,
  reservation: string,
  now: Date,
): Promise<{ user: User } | { taken: 'username' | 'email' }> {
  const transaction = withAccountsTables(anyTransaction);
  const user: User = {
    id: randomUUID(),
    username,
    email,
    email_key: emailKey(email),
    email_verified_at: emailVerified ? now.toISOString() : null,
    pending_email: null,
    password_hash: passwordHash,
    storage_bytes: 0,
    created_at: now.toISOString(),
    signed_in_at: null,
  };
  if (identity && (await isIdentityKnown(transaction, identity))) return { taken: 'email' };
  const insertedUser = await transaction
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!insertedUser) return { taken: 'email' };
  const insertedName = await transaction
    .insertInto('names')
    .values({ name_key: usernameKey(username), user_id: user.id, registration_id: null })
    .onConflict((conflict) =>
      conflict
        .column('name_key')
        .doUpdateSet({ user_id: user.id, registration_id: null })
        .where('names.registration_id', '=', reservation),
    )
    .returning('name_key')
    .executeTakeFirst();
  if (!insertedName) {
    await transaction.deleteFrom('users').where('id', '=', user.id).execute();
    return { taken: 'username' };
  }
  if (identity) {
    const { provider, subject } = identity;
    await transaction
      .insertInto('identities')
      .values({ provider, subject, user_id: user.id, email, created_at: now.toISOString() })
      .execute();
  }
  return { user };
}

async function isIdentityKnown(
  transaction: Database,
  { provider, subject }: Pick<Identity, 'provider' | 'subject'>,
): Promise<boolean> {
  const identity = await transaction
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return identity !== undefined;
}

/**
 * Adds to the bytes of a user's texts; false if the sum would exceed the limit. Concurrent changes of one user are
 * serialized here.
 */
export async function addStorage(
  transaction: AnyTransaction,
  userId: string,
  bytes: number,
  limitBytes: number,
): Promise<boolean> {
  let query = withAccountsTables(transaction)
    .updateTable('users')
    .set((row) => ({ storage_bytes: row('storage_bytes', '+', bytes) }))
    .where('id', '=', userId);
  if (bytes > 0) query = query.where('storage_bytes', '<=', limitBytes - bytes);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}

/** Deletes the user with sessions, identities, mailed tokens and texts. Frees the name. */
export async function deleteUser(transaction: Transaction, { id, email_key }: User): Promise<void> {
  await transaction.deleteFrom('users').where('id', '=', id).execute();
  await transaction.deleteFrom('names').where('user_id', '=', id).execute();
  await transaction.deleteFrom('mail_requests').where('email_key', '=', email_key).execute();
}
