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
  ours,
  type RegistrationsTable,
  type RegistrationTables,
  type Transaction,
} from './registration.tables.ts';

/** How long a registration waits for its payment to begin; a payment that is open keeps it longer. */
const RESERVED_MS = 24 * 60 * 60 * 1000;
/**
 * How long a registration is kept after the start of its last payment, if it was not finished: a payer may approve
 * late. A payment that comes later still is cancelled and refunded by hand.
 */
const KEPT_FOR_PAYMENT_MS = 7 * 24 * 60 * 60 * 1000;

/** Of one network address, which may be that of a whole house. */
const MOST_UNPAID_NAMES = 20;

export type Registration = RegistrationsTable;

export interface RegistrationInput {
  username: string;
  email: string;
  /** Null for a third-party sign-in. */
  passwordHash: string | null;
  identity: { provider: string; subject: string; emailVerified: boolean } | null;
  address: string;
}

/** What registrations ask about their payments. */
export interface RegistrationPayments {
  /** An expression for a statement of this slice, in which `registration` is the id: whether it has an open payment. */
  isOpen(registration: Expression<string>): Expression<SqlBool>;
  /** Likewise: whether one was started since. */
  startedSince(registration: Expression<string>, since: Date): Expression<SqlBool>;
  /** `under-way`: it may still be paid; `taken`: it was, and the account is not made. Whether there is any, if left out. */
  has(
    transaction: AnyTransaction,
    registrationId: string,
    ...stages: ReadonlyArray<'under-way' | 'taken'>
  ): Promise<boolean>;
}

export interface Loss {
  username: string;
  email: string;
  usernameTaken: boolean;
  emailTaken: boolean;
}

/** `done`: it became an account before. */
export type Completed = { user: User } | { taken: 'username' | 'email' } | { done: true };

interface RegistrationsDependencies {
  database: Database;
  payments: RegistrationPayments;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
}

/** Registrations that wait for their payment, each bound to one browser. */
export class Registrations {
  readonly #deps: RegistrationsDependencies;

  constructor(deps: RegistrationsDependencies) {
    this.#deps = deps;
  }

  /** Whether a registration's time is over and no payment is open. */
  #isLapsed(row: Row) {
    return row.and([
      row('registrations.user_id', 'is', null),
      row('registrations.expires_at', '<=', this.#deps.clock.now().toISOString()),
      row.not(this.#deps.payments.isOpen(row.ref('registrations.id'))),
    ]);
  }

  /** False when another account or registration has the name. Whatever else the registration had reserved is free again. */
  async #reserveName(
    transaction: Transaction,
    { id, username }: Pick<Registration, 'id' | 'username'>,
  ): Promise<boolean> {
    const name_key = usernameKey(username);
    await transaction
      .deleteFrom('names')
      .where('name_key', '=', name_key)
      .where('registration_id', 'in', (row) =>
        row
          .selectFrom('registrations')
          .select('registrations.id')
          .where((row) => this.#isLapsed(row)),
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

  /** A name costs nothing before it is paid for, so one address may reserve only so many. */
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
      .where((row) => row.not(this.#isLapsed(row)))
      .orderBy('registrations.expires_at')
      .execute();
    if (others.length < MOST_UNPAID_NAMES) return;
    const left = new Date(others[0]?.expires_at ?? 0).getTime() - this.#deps.clock.now().getTime();
    throw tooManyAttempts(Math.max(60, left / 1000));
  }

  /** Its owner continues in another browser. Nothing happens when it was changed first. */
  async #resume(transaction: Transaction, resumed: Registration): Promise<void> {
    const held = await lockPending(transaction, resumed.id);
    if (!held || held.password_hash !== resumed.password_hash || held.subject !== resumed.subject) return;
    if (await this.#deps.payments.has(transaction, held.id, 'under-way', 'taken')) return;
    await this.#discard(transaction, held);
  }

  /** One that a payment was ever started for stays without its name, in case that payment arrives after all. */
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

  async #welcome(transaction: Transaction, user: User): Promise<void> {
    const { id, email, email_verified_at } = user;
    const link = { purpose: 'verify', email } as const;
    const token =
      email_verified_at === null
        ? await issueMailToken(transaction, { userId: id }, link, this.#deps.clock.now())
        : null;
    await this.#deps.mails.enqueue(transaction, welcomeMail(this.#deps.mailContext.letter(user), token));
  }

  /**
   * Stores the registration and reserves its name. `own`: the id that this browser holds already; its registration is
   * replaced, unless one with another address has an open payment. `resumed`: one of another browser, as it was when
   * the caller proved that it is theirs; it is deleted in the same step, unless it has changed since.
   * @throws {AppError} `accounts.username_taken`, `accounts.email_taken`, or `accounts.too_many_attempts` where its
   * address reserves many unpaid names already.
   */
  keep(
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
        (known.email_key === email_key ||
          !(await this.#deps.payments.has(transaction, known.id, 'under-way')));
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

  /** Also finds one that has become an account. */
  find(id: string, transaction?: AnyTransaction): Promise<Registration | undefined> {
    return (transaction ? ours(transaction) : this.#deps.database)
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
      .where((row) => row.not(this.#isLapsed(row)))
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
   * Frees its name. A registration with an open payment is kept until that is decided, and may still become an account.
   * @throws {AppError} `accounts.registration_paid` when money was taken for it.
   */
  drop(id: string): Promise<void> {
    return withTransaction(this.#deps.database, async (transaction) => {
      const registration = await lockPending(transaction, id);
      if (!registration) return;
      if (await this.#deps.payments.has(transaction, id, 'taken')) throw registrationPaid();
      await this.#discard(transaction, registration);
    });
  }

  forget(): Promise<void> {
    return withTransaction(this.#deps.database, async (transaction) => {
      await transaction
        .deleteFrom('names')
        .where('registration_id', 'in', (row) =>
          row
            .selectFrom('registrations')
            .select('registrations.id')
            .where((row) => this.#isLapsed(row)),
        )
        .execute();
      const longAgo = new Date(this.#deps.clock.now().getTime() - KEPT_FOR_PAYMENT_MS);
      await transaction
        .deleteFrom('registrations')
        .where((row) =>
          row.and([
            this.#isLapsed(row),
            row.not(this.#deps.payments.startedSince(row.ref('registrations.id'), longAgo)),
          ]),
        )
        .execute();
      // A registration that became an account is known by that account; its browser was informed long ago.
      await transaction
        .deleteFrom('registrations')
        .where('user_id', 'is not', null)
        .where('expires_at', '<=', longAgo.toISOString())
        .execute();
    });
  }

  /** Changes its name, address or password. False when the name is taken. */
  async revise(
    given: AnyTransaction,
    { id }: Registration,
    { username, email, passwordHash }: Pick<RegistrationInput, 'username' | 'email' | 'passwordHash'>,
  ): Promise<boolean> {
    const transaction = ours(given);
    if (!(await this.#reserveName(transaction, { id, username }))) return false;
    await transaction
      .updateTable('registrations')
      .set({ username, email, email_key: emailKey(email), password_hash: passwordHash })
      .where('id', '=', id)
      .execute();
    return true;
  }

  /** Whether it could become an account now; it is then kept for another day. */
  async extend(transaction: AnyTransaction, registration: Registration): Promise<boolean> {
    const kept = await ours(transaction)
      .updateTable('registrations')
      .set({ expires_at: new Date(this.#deps.clock.now().getTime() + RESERVED_MS).toISOString() })
      .where('id', '=', registration.id)
      .where('user_id', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const loss = await this.lossOf(registration, transaction);
    return kept !== undefined && !loss.usernameTaken && !loss.emailTaken;
  }

  /** What others have taken of it. */
  async lossOf(
    { id, username, email, email_key }: Registration,
    transaction?: AnyTransaction,
  ): Promise<Loss> {
    const holder = await (transaction ? ours(transaction) : this.#deps.database)
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
   * Makes the account of a paid registration, and mails a welcome. Nothing is changed when its name or address was taken.
   */
  async complete(given: AnyTransaction, id: string): Promise<Completed> {
    const transaction = ours(given);
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
      await this.#welcome(transaction, added.user);
    }
    return added;
  }

  /** Forgets what a person registered as. */
  async deleteOf(transaction: AnyTransaction, { id }: Pick<User, 'id'>): Promise<void> {
    await ours(transaction).deleteFrom('registrations').where('user_id', '=', id).execute();
  }
}

type Row = ExpressionBuilder<RegistrationTables, 'registrations'>;

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
