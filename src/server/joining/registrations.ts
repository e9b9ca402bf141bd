import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { PaymentsTable, RegistrationsTable, UsersTable } from '../database/people-tables.ts';
import type { Schema } from '../database/schema.ts';
import { emailTaken, registrationPaid, usernameTaken } from '../people/errors.ts';
import { emailKey, usernameKey } from '../people/username.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Transaction, withTransaction } from '../platform/database.ts';

/** How long a registration waits for its payment to begin; a payment that is open keeps it longer. */
const RESERVED_MS = 24 * 60 * 60 * 1000;
/**
 * How long a registration is kept after its last payment was begun, though nobody brought it to an end: a payer may
 * approve late. A payment that comes later still is cancelled and refunded by hand.
 */
const KEPT_FOR_PAYMENT_MS = 7 * 24 * 60 * 60 * 1000;

const PAYMENT_STATUSES = [
  'started',
  'approval',
  'paid',
  'applied',
  'abandoned',
] as const satisfies readonly PaymentsTable['status'][];

export type Registration = RegistrationsTable;

export interface RegistrationInput {
  username: string;
  email: string;
  /** Null for a third-party sign-in. */
  passwordHash: string | null;
  identity: { provider: string; subject: string; emailVerified: boolean } | null;
}

/** Registrations that wait for their payment, each bound to one browser. */
export interface Registrations {
  /**
   * Keeps the registration and reserves its name. `own`: the id that this browser holds already; its registration is
   * replaced, unless somebody with another address has a payment under way in it. `resumed`: one of another browser, as
   * it was when somebody proved that it is theirs; it is let go in the same step, unless it has changed since.
   * @throws {AppError} `accounts.username_taken` or `accounts.email_taken`.
   */
  keep(
    input: RegistrationInput,
    own: string | undefined,
    resumed?: Registration | undefined,
  ): Promise<Registration>;
  /** Who holds the name without an account yet. */
  findByName(username: string): Promise<Registration | undefined>;
  /** What waits for this person of a sign-in provider. */
  findByIdentity(provider: string, subject: string): Promise<Registration | undefined>;
  /**
   * Frees its name. What could still be paid for is kept until that is decided, and then becomes an account after all.
   * @throws {AppError} `accounts.registration_paid` when money was taken for it.
   */
  drop(id: string): Promise<void>;
  /** Also finds one that has become an account. */
  find(id: string): Promise<Registration | undefined>;
  /** Forgets what nobody paid for, and frees its names. */
  forget(): Promise<void>;
}

export function createRegistrations(database: Database, clock: Clock): Registrations {
  return {
    keep: (input, own, resumed) =>
      withTransaction(database, async (transaction) => {
        const now = clock.now();
        const email_key = emailKey(input.email);
        if (resumed) await resume(transaction, resumed, now);
        const known = own === undefined ? undefined : await lockPending(transaction, own);
        if (await isEmailTaken(transaction, email_key)) throw emailTaken();
        const replaces =
          known && (known.email_key === email_key || !(await isPaymentUnderWay(transaction, known.id)));
        const registration: Registration = {
          id: replaces ? known.id : randomUUID(),
          username: input.username,
          email: input.email,
          email_key,
          password_hash: input.passwordHash,
          provider: input.identity?.provider ?? null,
          subject: input.identity?.subject ?? null,
          email_verified: input.identity?.emailVerified ? 1 : 0,
          created_at: now.toISOString(),
          expires_at: new Date(now.getTime() + RESERVED_MS).toISOString(),
          user_id: null,
        };
        if (!(await reserveName(transaction, registration, now))) throw usernameTaken();
        const { id, ...columns } = registration;
        if (replaces)
          await transaction.updateTable('registrations').set(columns).where('id', '=', id).execute();
        else await transaction.insertInto('registrations').values(registration).execute();
        return registration;
      }),

    find: (id) => database.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirst(),

    findByName: (username) =>
      database
        .selectFrom('registrations')
        .innerJoin('names', 'names.registration_id', 'registrations.id')
        .selectAll('registrations')
        .where('names.name_key', '=', usernameKey(username))
        .where('registrations.user_id', 'is', null)
        .where((row) => row.not(isLapsed(clock.now())(row)))
        .executeTakeFirst(),

    findByIdentity: (provider, subject) =>
      database
        .selectFrom('registrations')
        .innerJoin('names', 'names.registration_id', 'registrations.id')
        .selectAll('registrations')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .where('registrations.user_id', 'is', null)
        .orderBy('created_at', 'desc')
        .executeTakeFirst(),

    drop: (id) =>
      withTransaction(database, async (transaction) => {
        const registration = await lockPending(transaction, id);
        if (!registration) return;
        if (await hasPayment(transaction, id, ['paid'])) throw registrationPaid();
        await letGo(transaction, registration, clock.now());
      }),

    forget: () =>
      withTransaction(database, async (transaction) => {
        const now = clock.now();
        await transaction
          .deleteFrom('names')
          .where('registration_id', 'in', (row) =>
            row.selectFrom('registrations').select('registrations.id').where(isLapsed(now)),
          )
          .execute();
        const longAgo = new Date(now.getTime() - KEPT_FOR_PAYMENT_MS).toISOString();
        const begunSince = (row: Row) =>
          row.exists(
            row
              .selectFrom('payments')
              .select('payments.id')
              .whereRef('payments.registration_id', '=', 'registrations.id')
              .where('payments.created_at', '>', longAgo),
          );
        await transaction
          .deleteFrom('registrations')
          .where((row) => row.and([isLapsed(now)(row), row.not(begunSince(row))]))
          .execute();
        // What became an account is known by that account; the browser that registered it has long been told.
        await transaction
          .deleteFrom('registrations')
          .where('user_id', 'is not', null)
          .where('expires_at', '<=', longAgo)
          .execute();
      }),
  };
}

/** Holds the registration's row until the transaction ends; undefined once it has become an account. */
function lockPending(transaction: Transaction, id: string): Promise<Registration | undefined> {
  return transaction
    .updateTable('registrations')
    .set({ id })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function isEmailTaken(transaction: Database | Transaction, key: string): Promise<boolean> {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', key)
    .executeTakeFirst();
  return user !== undefined;
}

const isPaymentUnderWay = (transaction: Transaction, registrationId: string) =>
  hasPayment(transaction, registrationId, ['started', 'approval']);

async function hasPayment(
  transaction: Transaction,
  registrationId: string,
  statuses: readonly PaymentsTable['status'][] = PAYMENT_STATUSES,
): Promise<boolean> {
  const payment = await transaction
    .selectFrom('payments')
    .select('id')
    .where('registration_id', '=', registrationId)
    .where('status', 'in', statuses)
    .executeTakeFirst();
  return payment !== undefined;
}

/** Its owner goes on with it elsewhere. Nothing happens when somebody was faster. */
async function resume(transaction: Transaction, resumed: Registration, now: Date): Promise<void> {
  const held = await lockPending(transaction, resumed.id);
  if (!held || held.password_hash !== resumed.password_hash || held.subject !== resumed.subject) return;
  if (await hasPayment(transaction, held.id, ['started', 'approval', 'paid'])) return;
  await letGo(transaction, held, now);
}

/** One that a payment was ever started for stays without its name, in case that payment arrives after all. */
async function letGo(transaction: Transaction, { id }: Registration, now: Date): Promise<void> {
  await transaction.deleteFrom('names').where('registration_id', '=', id).execute();
  if (await hasPayment(transaction, id)) {
    await transaction
      .updateTable('registrations')
      .set({ expires_at: now.toISOString() })
      .where('id', '=', id)
      .execute();
  } else await transaction.deleteFrom('registrations').where('id', '=', id).execute();
}

type Row = ExpressionBuilder<Schema, 'registrations'>;

/** Of a registration's row: nobody pays for it any more, and its time is over. */
function isLapsed(now: Date): (row: Row) => Expression<SqlBool> {
  return (row) =>
    row.and([
      row('registrations.user_id', 'is', null),
      row('registrations.expires_at', '<=', now.toISOString()),
      row.not(
        row.exists(
          row
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.registration_id', '=', 'registrations.id')
            .where('payments.open_key', 'is not', null),
        ),
      ),
    ]);
}

/** False when somebody else has the name. Whatever else the registration had reserved is free again. */
async function reserveName(
  transaction: Transaction,
  { id, username }: Pick<Registration, 'id' | 'username'>,
  now: Date,
): Promise<boolean> {
  const name_key = usernameKey(username);
  await transaction
    .deleteFrom('names')
    .where('name_key', '=', name_key)
    .where('registration_id', 'in', (row) =>
      row.selectFrom('registrations').select('registrations.id').where(isLapsed(now)),
    )
    .execute();
  const reserved = await transaction
    .insertInto('names')
    .values({ name_key, user_id: null, registration_id: id })
    .onConflict((conflict) =>
      conflict
        .column('name_key')
        .doUpdateSet({ registration_id: id })
        .where('names.registration_id', '=', id),
    )
    .returning('name_key')
    .executeTakeFirst();
  if (!reserved) return false;
  await transaction
    .deleteFrom('names')
    .where('registration_id', '=', id)
    .where('name_key', '<>', name_key)
    .execute();
  return true;
}

/** Gives a registration another name, address or password. False when somebody else has the name. */
export async function reviseRegistration(
  transaction: Transaction,
  { id }: Registration,
  { username, email, passwordHash }: Pick<RegistrationInput, 'username' | 'email' | 'passwordHash'>,
  now: Date,
): Promise<boolean> {
  if (!(await reserveName(transaction, { id, username }, now))) return false;
  await transaction
    .updateTable('registrations')
    .set({ username, email, email_key: emailKey(email), password_hash: passwordHash })
    .where('id', '=', id)
    .execute();
  return true;
}

/** `done`: it became an account before. */
export type Completed = { user: UsersTable } | { taken: 'username' | 'email' } | { done: true };

/**
 * Makes the account of a registration that was paid for. Nothing is changed when its name or address was lost meanwhile.
 */
export async function completeRegistration(
  transaction: Transaction,
  id: string,
  now: Date,
): Promise<Completed> {
  const registration = await lockPending(transaction, id);
  if (!registration) return { done: true };
  const { username, email, email_key, provider, subject } = registration;
  const user: UsersTable = {
    id: randomUUID(),
    username,
    email,
    email_key,
    email_verified_at: registration.email_verified ? now.toISOString() : null,
    pending_email: null,
    password_hash: registration.password_hash,
    storage_bytes: 0,
    created_at: now.toISOString(),
    signed_in_at: null,
  };
  if (provider !== null && subject !== null && (await isIdentityKnown(transaction, provider, subject)))
    return { taken: 'email' };
  const made = await transaction
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return { taken: 'email' };
  const named = await transaction
    .insertInto('names')
    .values({ name_key: usernameKey(username), user_id: user.id, registration_id: null })
    .onConflict((conflict) =>
      conflict
        .column('name_key')
        .doUpdateSet({ user_id: user.id, registration_id: null })
        .where('names.registration_id', '=', id),
    )
    .returning('name_key')
    .executeTakeFirst();
  if (!named) {
    await transaction.deleteFrom('users').where('id', '=', user.id).execute();
    return { taken: 'username' };
  }
  if (provider !== null && subject !== null) {
    await transaction
      .insertInto('identities')
      .values({ provider, subject, user_id: user.id, email, created_at: now.toISOString() })
      .execute();
  }
  await transaction
    .updateTable('registrations')
    .set({ user_id: user.id, password_hash: null })
    .where('id', '=', id)
    .execute();
  return { user };
}

async function isIdentityKnown(
  transaction: Transaction,
  provider: string,
  subject: string,
): Promise<boolean> {
  const identity = await transaction
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return identity !== undefined;
}
