import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { emailTaken, tooManyAttempts } from '../accounts/accounts.errors.ts';
import { type MailTemplateContext, welcomeMail } from '../accounts/accounts.mails.ts';
import { issueMailToken } from '../accounts/mail-tokens.ts';
import { emailKey, usernameKey } from '../accounts/username.ts';
import { addUser, isEmailTaken, type User } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { type AnyTransaction, withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { registrationPaid, usernameTaken } from './registration.errors.ts';
import {
  type Database,
  type RegistrationsTable,
  type RegistrationTables,
  type Transaction,
  withRegistrationTables,
} from './registration.tables.ts';

/** Lifetime of a registration without a payment; an open payment extends it. */
const RESERVED_MS = 24 * 60 * 60 * 1000;
/**
 * An unfinished registration is kept this long after the start of its last payment, because a payer may approve late. A later
 * payment is cancelled, and the operator refunds it.
 */
const KEPT_FOR_PAYMENT_MS = 7 * 24 * 60 * 60 * 1000;

/** Limit per network address, which may be shared. */
const MAX_UNPAID_NAMES = 20;

export type Registration = RegistrationsTable;

export interface RegistrationInput {
  username: string;
  email: string;
  /** Null for a third-party sign-in. */
  passwordHash: string | null;
  identity: { provider: string; subject: string; emailVerified: boolean } | null;
  address: string;
}

/** Queries about the payments of registrations. */
export interface RegistrationPayments {
  /** SQL expression for statements of this slice: whether the registration with the id `registration` has an open payment. */
  isOpen(registration: Expression<string>): Expression<SqlBool>;
  /** SQL expression: whether a payment was started since this time. */
  startedSince(registration: Expression<string>, since: Date): Expression<SqlBool>;
  /** `open`: the payer may still pay; `paid`: paid, but without an account yet. If left out, any payment counts. */
  has(
    transaction: AnyTransaction,
    registrationId: string,
    ...stages: ReadonlyArray<'open' | 'paid'>
  ): Promise<boolean>;
}

export interface NameConflict {
  username: string;
  email: string;
  usernameTaken: boolean;
  emailTaken: boolean;
}

/** `done`: the registration is already an account. */
export type Completed = { user: User } | { taken: 'username' | 'email' } | { done: true };

interface RegistrationsDependencies {
  database: Database;
  payments: RegistrationPayments;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
}

/** Unpaid registrations, each bound to one browser. */
export class Registrations {
  readonly #deps: RegistrationsDependencies;

  constructor(deps: RegistrationsDependencies) {
    this.#deps = deps;
  }

  /** A statement that deletes the names that expired registrations reserve. */
  #deleteExpiredNames(transaction: Transaction) {
    return transaction.deleteFrom('names').where('registration_id', 'in', (row) =>
      row
        .selectFrom('registrations')
        .select('registrations.id')
        .where((row) => this.#isExpired(row)),
    );
  }

  /** Whether a registration has expired and has no open payment. */
  #isExpired(row: Row) {
    return row.and([
      row('registrations.user_id', 'is', null),
      row('registrations.expires_at', '<=', this.#deps.clock.now().toISOString()),
      row.not(this.#deps.payments.isOpen(row.ref('registrations.id'))),
    ]);
  }

  /** Reserves a name. False if another account or registration has it. Frees the registration's other name. */
  async #reserveName(
    transaction: Transaction,
    { id, username }: Pick<Registration, 'id' | 'username'>,
  ): Promise<boolean> {
    const name_key = usernameKey(username);
    await this.#deleteExpiredNames(transaction).where('name_key', '=', name_key).execute();
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

  /** Limits reserved names per address, because unpaid names are free. */
  async #refuseTooManyNames(
    transaction: Transaction,
    { id, address }: Pick<Registration, 'id' | 'address'>,
  ): Promise<void> {
    const others = await transaction
      .selectFrom('registrations')
      .innerJoin('names', 'names.registration_id', 'registrations.id')
      .select('registrations.expires_at')
      .where('registrations.address', '=', address)
      .where('registrations.user_id', 'is', null)
      .where('registrations.id', '<>', id)
      .where((row) => row.not(this.#isExpired(row)))
      .orderBy('registrations.expires_at')
      .execute();
    if (others.length < MAX_UNPAID_NAMES) return;
    const left = new Date(others[0]?.expires_at ?? 0).getTime() - this.#deps.clock.now().getTime();
    throw tooManyAttempts(Math.max(60, left / 1000));
  }

  /** Deletes a registration whose owner continues in another browser. No effect if it has changed meanwhile. */
  async #resume(transaction: Transaction, resumed: Registration): Promise<void> {
    const current = await lockPending(transaction, resumed.id);
    if (!current || current.password_hash !== resumed.password_hash || current.subject !== resumed.subject)
      return;
    if (await this.#deps.payments.has(transaction, current.id, 'open', 'paid')) return;
    await this.#discard(transaction, current);
  }

  /** Deletes a registration. One with a started payment stays without its name, because the payment may arrive late. */
  async #discard(transaction: Transaction, { id }: Registration): Promise<void> {
    await transaction.deleteFrom('names').where('registration_id', '=', id).execute();
    if (await this.#deps.payments.has(transaction, id)) {
      await transaction
        .updateTable('registrations')
        .set({ expires_at: this.#deps.clock.now().toISOString() })
        .where('id', '=', id)
        .execute();
    } else await transaction.deleteFrom('registrations').where('id', '=', id).execute();
  }

  async #sendWelcomeMail(transaction: Transaction, user: User): Promise<void> {
    const { id, email, email_verified_at } = user;
    const link = { purpose: 'verify', email } as const;
    const token =
      email_verified_at === null
        ? await issueMailToken(transaction, { userId: id }, link, this.#deps.clock.now())
        : null;
    await this.#deps.mails.enqueue(transaction, welcomeMail(this.#deps.mailContext.mailFields(user), token));
  }

  /**
   * Stores the registration and reserves its name. `own`: the id of this browser's registration, which is replaced unless it
   * has another address and an open payment. `resumed`: a registration of another browser, as it was when the caller proved to
   * be its owner; it is deleted in the same transaction, unless it has changed since.
   * @throws {AppError} `accounts.username_taken`, `accounts.email_taken`, or `accounts.too_many_attempts` if its network
   * address already reserves many unpaid names.
   */
  save(
    input: RegistrationInput,
    own: string | undefined,
    resumed?: Registration | undefined,
  ): Promise<Registration> {
    return withTransaction(this.#deps.database, async (transaction) => {
      const now = this.#deps.clock.now();
      const email_key = emailKey(input.email);
      if (resumed) await this.#resume(transaction, resumed);
      const known = own === undefined ? undefined : await lockPending(transaction, own);
      if (await isEmailTaken(transaction, email_key)) throw emailTaken();
      const replaces =
        known &&
        (known.email_key === email_key || !(await this.#deps.payments.has(transaction, known.id, 'open')));
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
        address: input.address,
      };
      await this.#refuseTooManyNames(transaction, registration);
      if (!(await this.#reserveName(transaction, registration))) throw usernameTaken();
      const { id, ...columns } = registration;
      if (replaces)
        await transaction.updateTable('registrations').set(columns).where('id', '=', id).execute();
      else await transaction.insertInto('registrations').values(registration).execute();
      return registration;
    });
  }

  /** Also finds registrations that have become accounts. */
  find(id: string, transaction?: AnyTransaction): Promise<Registration | undefined> {
    return (transaction ? withRegistrationTables(transaction) : this.#deps.database)
      .selectFrom('registrations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  findByName(username: string): Promise<Registration | undefined> {
    return this.#deps.database
      .selectFrom('registrations')
      .innerJoin('names', 'names.registration_id', 'registrations.id')
      .selectAll('registrations')
      .where('names.name_key', '=', usernameKey(username))
      .where('registrations.user_id', 'is', null)
      .where((row) => row.not(this.#isExpired(row)))
      .executeTakeFirst();
  }

  /** The registration of this identity of a sign-in provider. */
  findByIdentity(provider: string, subject: string): Promise<Registration | undefined> {
    return this.#deps.database
      .selectFrom('registrations')
      .innerJoin('names', 'names.registration_id', 'registrations.id')
      .selectAll('registrations')
      .where('provider', '=', provider)
      .where('subject', '=', subject)
      .where('registrations.user_id', 'is', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
  }

  /**
   * Drops a registration and frees its name. With an open payment the registration stays until the payment is decided, and
   * may still become an account.
   * @throws {AppError} `accounts.registration_paid` if it was paid.
   */
  drop(id: string): Promise<void> {
    return withTransaction(this.#deps.database, async (transaction) => {
      const registration = await lockPending(transaction, id);
      if (!registration) return;
      if (await this.#deps.payments.has(transaction, id, 'paid')) throw registrationPaid();
      await this.#discard(transaction, registration);
    });
  }

  deleteExpired(): Promise<void> {
    return withTransaction(this.#deps.database, async (transaction) => {
      await this.#deleteExpiredNames(transaction).execute();
      const longAgo = new Date(this.#deps.clock.now().getTime() - KEPT_FOR_PAYMENT_MS);
      await transaction
        .deleteFrom('registrations')
        .where((row) =>
          row.and([
            this.#isExpired(row),
            row.not(this.#deps.payments.startedSince(row.ref('registrations.id'), longAgo)),
          ]),
        )
        .execute();
      // Deletes registrations that became accounts: their browsers have seen the outcome.
      await transaction
        .deleteFrom('registrations')
        .where('user_id', 'is not', null)
        .where('expires_at', '<=', longAgo.toISOString())
        .execute();
    });
  }

  /** Changes name, address or password. False if the name is taken. */
  async update(
    anyTransaction: AnyTransaction,
    { id }: Registration,
    { username, email, passwordHash }: Pick<RegistrationInput, 'username' | 'email' | 'passwordHash'>,
  ): Promise<boolean> {
    const transaction = withRegistrationTables(anyTransaction);
    if (!(await this.#reserveName(transaction, { id, username }))) return false;
    await transaction
      .updateTable('registrations')
      .set({ username, email, email_key: emailKey(email), password_hash: passwordHash })
      .where('id', '=', id)
      .execute();
    return true;
  }

  /** Extends the lifetime by a day. Returns whether the registration could become an account; roll back if not. */
  async extend(transaction: AnyTransaction, registration: Registration): Promise<boolean> {
    const extended = await withRegistrationTables(transaction)
      .updateTable('registrations')
      .set({ expires_at: new Date(this.#deps.clock.now().getTime() + RESERVED_MS).toISOString() })
      .where('id', '=', registration.id)
      .where('user_id', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const conflict = await this.nameConflictOf(registration, transaction);
    return extended !== undefined && !conflict.usernameTaken && !conflict.emailTaken;
  }

  /** Whether the name or the address now belongs to another account or registration. */
  async nameConflictOf(
    { id, username, email, email_key }: Registration,
    transaction?: AnyTransaction,
  ): Promise<NameConflict> {
    const holder = await (transaction ? withRegistrationTables(transaction) : this.#deps.database)
      .selectFrom('names')
      .select('registration_id')
      .where('name_key', '=', usernameKey(username))
      .executeTakeFirst();
    return {
      username,
      email,
      usernameTaken: holder !== undefined && holder.registration_id !== id,
      emailTaken: await isEmailTaken(transaction ?? this.#deps.database, email_key),
    };
  }

  /**
   * Creates the account of a paid registration, and mails a welcome. Changes nothing if its name or address was taken.
   */
  async complete(anyTransaction: AnyTransaction, id: string): Promise<Completed> {
    const transaction = withRegistrationTables(anyTransaction);
    const registration = await lockPending(transaction, id);
    if (!registration) return { done: true };
    const { username, email, password_hash, email_verified, provider, subject } = registration;
    const person = {
      username,
      email,
      passwordHash: password_hash,
      emailVerified: email_verified === 1,
      identity: provider !== null && subject !== null ? { provider, subject } : null,
    };
    const added = await addUser(transaction, person, id, this.#deps.clock.now());
    if ('user' in added) {
      await transaction
        .updateTable('registrations')
        .set({ user_id: added.user.id, password_hash: null, address: null })
        .where('id', '=', id)
        .execute();
      await this.#sendWelcomeMail(transaction, added.user);
    }
    return added;
  }

  /** Deletes the registrations of a user. */
  async deleteOf(transaction: AnyTransaction, { id }: Pick<User, 'id'>): Promise<void> {
    await withRegistrationTables(transaction).deleteFrom('registrations').where('user_id', '=', id).execute();
  }
}

type Row = ExpressionBuilder<RegistrationTables, 'registrations'>;

/** Locks the registration's row until the transaction ends; undefined once it has become an account. */
function lockPending(transaction: Transaction, id: string): Promise<Registration | undefined> {
  return transaction
    .updateTable('registrations')
    .set({ id })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
