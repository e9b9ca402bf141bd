import type { Account } from '#contract/account';
import type { SignedIn } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { type AnyTransaction, withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import {
  emailTaken,
  lastSignIn,
  linkSpent,
  signInRequired,
  tooManyMails,
  wrongCredentials,
  wrongUsername,
} from './accounts.errors.ts';
import {
  accountDeletedMail,
  emailChangedMail,
  type MailTemplateContext,
  passwordAndKeysChangedMail,
  passwordChangedMail,
  passwordResetMail,
  verificationMail,
} from './accounts.mails.ts';
import { type Database, type Transaction, withAccountsTables } from './accounts.tables.ts';
import type { MailRequests } from './mail-requests.ts';
import { findMailToken, issueMailToken, redeemMailToken, revokeMailTokens } from './mail-tokens.ts';
import {
  type PasswordCheck,
  type PasswordConfirmation,
  type PasswordHasher,
  refuseWeakPassword,
} from './password.ts';
import type { PersonalDataSource } from './personal-data.ts';
import { endSessions, renewSession } from './sessions.ts';
import { HOUR_MS, MINUTE_MS, mailLimits, type RateLimit, type Throttle } from './throttle.ts';
import { emailKey, usernameKey } from './username.ts';
import {
  type Accounts,
  changeEmail,
  deleteUser,
  isEmailTaken,
  lockUser,
  type User,
} from './users.repository.ts';

interface AccountsServiceDependencies {
  database: Database;
  accounts: Accounts;
  throttle: Throttle;
  hasher: PasswordHasher;
  checkPassword: PasswordCheck;
  confirmPassword: PasswordConfirmation;
  mails: MailQueue;
  mailRequests: Pick<MailRequests, 'store'>;
  mailContext: MailTemplateContext;
  clock: Clock;
  personalDataSources: readonly PersonalDataSource[];
}

/** The throttle key of a login, normalized so that spellings of one name share a limit. */
const loginKey = (login: string) =>
  `login:name:${login.includes('@') ? emailKey(login) : usernameKey(login)}`;

/**
 * `address`: the caller's hashed network address. Guesses are limited per login name and per network address; a success is
 * not counted. A user's name and email address are counted separately, because a shared limit would reveal that they
 * belong together.
 */
const limits = {
  login: (login: string, ipHash: string): RateLimit[] => [
    { key: loginKey(login), limit: 10, windowMs: 15 * MINUTE_MS },
    { key: `login:address:${ipHash}`, limit: 50, windowMs: 15 * MINUTE_MS },
  ],
  mail: (ipHash: string): RateLimit[] => [{ key: `mail:address:${ipHash}`, limit: 30, windowMs: HOUR_MS }],
  /** Limit over all addresses that a user wants to confirm, because they may belong to others. */
  verification: (userId: string): RateLimit[] => [
    { key: `verify:user:${userId}:hour`, limit: 5, windowMs: HOUR_MS },
    { key: `verify:user:${userId}:day`, limit: 10, windowMs: 24 * HOUR_MS },
  ],
};

export class AccountsService {
  readonly #deps: AccountsServiceDependencies;

  constructor(deps: AccountsServiceDependencies) {
    this.#deps = deps;
  }

  /** Locks and returns the user's row. @throws {AppError} 401 if the account was deleted since the session started. */
  async #lockOwnUser(transaction: Transaction, { userId }: SignedIn): Promise<User> {
    const user = await lockUser(transaction, userId);
    if (!user) throw signInRequired();
    return user;
  }

  /** Limits mails to unconfirmed addresses. @throws {AppError} 429. */
  async #countVerification({ userId }: SignedIn, email: string, ipHash: string): Promise<void> {
    await this.#deps.throttle.countOrThrow(limits.mail(ipHash));
    const wait = await this.#deps.throttle.tryConsume([
      ...limits.verification(userId),
      ...mailLimits(email, 'verify'),
    ]);
    if (wait !== undefined) throw tooManyMails(wait);
  }

  /** Mails a link that confirms the address. It works only for this user, signed in. */
  async #mailVerification(transaction: Transaction, user: User, email: string): Promise<void> {
    const link = { purpose: 'verify', email } as const;
    const token = await issueMailToken(transaction, { userId: user.id }, link, this.#deps.clock.now());
    await this.#deps.mails.enqueue(
      transaction,
      verificationMail(this.#deps.mailContext.mailFields(user, email), token),
    );
  }

  /** @throws {AppError} 401, the same for a wrong password and an unknown name; 429. */
  async login(login: string, password: string, ipHash: string): Promise<User> {
    const user = await this.#deps.accounts.findByLogin(login);
    const isCorrect = await this.#deps.checkPassword(
      limits.login(login, ipHash),
      user?.password_hash ?? null,
      password,
    );
    if (!isCorrect || !user) throw wrongCredentials();
    return user;
  }

  async account({ userId }: SignedIn): Promise<Account> {
    const user = await this.#deps.accounts.find(userId);
    if (!user) throw signInRequired();
    return {
      username: user.username,
      email: user.email,
      emailVerified: user.email_verified_at !== null,
      pendingEmail: user.pending_email,
      hasPassword: user.password_hash !== null,
      createdAt: user.created_at,
      identities: await this.#deps.accounts.identities(userId),
    };
  }

  async requestVerification(person: SignedIn, ipHash: string): Promise<void> {
    const known = await this.#deps.accounts.find(person.userId);
    if (!known) throw signInRequired();
    if (known.pending_email === null && known.email_verified_at !== null) return;
    const email = known.pending_email ?? known.email;
    await this.#countVerification(person, email, ipHash);
    await withTransaction(this.#deps.database, async (transaction) => {
      const user = await this.#lockOwnUser(transaction, person);
      // The user confirmed or changed the address meanwhile.
      if ((user.pending_email ?? user.email) !== email) return;
      if (user.pending_email === null && user.email_verified_at !== null) return;
      await this.#mailVerification(transaction, user, email);
    });
    this.#deps.mails.wake();
  }

  /**
   * Confirms the address to which the link was mailed. Requires that the user is signed in: otherwise the owner of a
   * mistyped address could confirm it with a click.
   */
  async verifyEmail(person: SignedIn, token: string): Promise<void> {
    await withTransaction(this.#deps.database, async (transaction) => {
      const now = this.#deps.clock.now();
      const user = await this.#lockOwnUser(transaction, person);
      const link = await redeemMailToken(transaction, 'verify', token, now);
      if (!link || link.user_id !== user.id) throw linkSpent();
      const current = emailKey(link.email) === user.email_key;
      if (!current && link.email !== user.pending_email) throw linkSpent();
      await changeEmail(transaction, user, link.email, now);
      if (!current) {
        for (const to of [user.email, link.email]) {
          await this.#deps.mails.enqueue(
            transaction,
            emailChangedMail(this.#deps.mailContext.notice(user, to)),
          );
        }
      }
    });
    this.#deps.mails.wake();
  }

  async changeEmail(person: SignedIn, email: string, password: string | undefined, ipHash: string) {
    await this.#deps.confirmPassword(person, password);
    await this.#countVerification(person, email, ipHash);
    await withTransaction(this.#deps.database, async (transaction) => {
      const user = await this.#lockOwnUser(transaction, person);
      if (emailKey(email) !== user.email_key && (await isEmailTaken(transaction, emailKey(email)))) {
        throw emailTaken();
      }
      await transaction
        .updateTable('users')
        .set({ pending_email: email })
        .where('id', '=', user.id)
        .execute();
      await this.#mailVerification(transaction, user, email);
    });
    this.#deps.mails.wake();
  }

  /**
   * Signs all other devices out. Returns a new token for this device, so that copies of old sessions and mailed links are
   * invalid.
   */
  async changePassword(person: SignedIn, current: string | undefined, next: string): Promise<string> {
    refuseWeakPassword(next, person);
    await this.#deps.confirmPassword(person, current);
    const password_hash = await this.#deps.hasher.hash(next);
    const token = await withTransaction(this.#deps.database, async (transaction) => {
      const user = await this.#lockOwnUser(transaction, person);
      await transaction.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
      await endSessions(transaction, user.id, person.sessionId);
      const renewed = await renewSession(transaction, person);
      if (renewed === undefined) throw signInRequired();
      await revokeMailTokens(transaction, { userId: user.id }, 'reset');
      await this.#deps.mails.enqueue(transaction, passwordChangedMail(this.#deps.mailContext.notice(user)));
      return renewed;
    });
    this.#deps.mails.wake();
    return token;
  }

  /**
   * Mails a link if the address has an account. Answers before the lookup, so that neither the answer nor its timing reveals
   * whether there is an account. The answer does not reveal the mail limit of the mailbox either.
   */
  async forgotPassword(email: string, ipHash: string): Promise<void> {
    await this.#deps.throttle.countOrThrow(limits.mail(ipHash));
    const wait = await this.#deps.throttle.tryConsume(mailLimits(email, 'reset'));
    if (wait === undefined) await this.#deps.mailRequests.store('reset', email);
  }

  /**
   * Sets a new password for the reader of the account's mailbox, and signs all devices out. If the address was never
   * confirmed, another person may have registered it, so linked sign-in providers are removed too.
   * @param reset.revokeKeys whether to revoke API keys too
   */
  async resetPassword(
    { token, password, revokeKeys }: { token: string; password: string; revokeKeys: boolean },
    ipHash: string,
  ): Promise<void> {
    // Tokens cannot be guessed, so unknown ones need no limit.
    const link = await findMailToken(this.#deps.database, 'reset', token, this.#deps.clock.now());
    const owner = link?.user_id ? await this.#deps.accounts.find(link.user_id) : undefined;
    if (!owner) throw linkSpent();
    await this.#deps.throttle.countOrThrow(limits.mail(ipHash));
    refuseWeakPassword(password, owner);
    const password_hash = await this.#deps.hasher.hash(password);
    const { username, email } = await withTransaction(this.#deps.database, async (transaction) => {
      const now = this.#deps.clock.now();
      const link = await redeemMailToken(transaction, 'reset', token, now);
      const user = link?.user_id ? await lockUser(transaction, link.user_id) : undefined;
      if (!link || !user || emailKey(link.email) !== user.email_key) throw linkSpent();
      if (user.email_verified_at === null) {
        await transaction.deleteFrom('identities').where('user_id', '=', user.id).execute();
      }
      await transaction
        .updateTable('users')
        .set({
          password_hash,
          pending_email: null,
          email_verified_at: user.email_verified_at ?? now.toISOString(),
        })
        .where('id', '=', user.id)
        .execute();
      await endSessions(transaction, user.id);
      await transaction.deleteFrom('known_devices').where('user_id', '=', user.id).execute();
      await revokeMailTokens(transaction, { userId: user.id });
      if (revokeKeys)
        for (const source of this.#deps.personalDataSources) await source.revokeKeys?.(transaction, user.id);
      const mail = revokeKeys ? passwordAndKeysChangedMail : passwordChangedMail;
      await this.#deps.mails.enqueue(transaction, mail(this.#deps.mailContext.notice(user)));
      return user;
    });
    // Earlier guesses were at the old password, so the owner need not wait.
    await this.#deps.throttle.clear([loginKey(username), loginKey(email)]);
    this.#deps.mails.wake();
  }

  async unlinkIdentity(person: SignedIn, provider: string): Promise<void> {
    const user = await this.#deps.accounts.find(person.userId);
    if (!user) throw signInRequired();
    if (user.password_hash === null) throw lastSignIn();
    await this.#deps.accounts.unlink(user.id, provider);
  }

  async deleteAccount(person: SignedIn, username: string, password: string | undefined): Promise<void> {
    if (usernameKey(username) !== usernameKey(person.username)) throw wrongUsername();
    await this.#deps.confirmPassword(person, password);
    await this.deleteAccountOf(person.userId);
  }

  /** Deletes an account. Called for the user, after re-authentication, and for the operator. */
  async deleteAccountOf(userId: string): Promise<void> {
    for (const source of this.#deps.personalDataSources) await source.prepareDelete?.(userId);
    await withTransaction(this.#deps.database, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (!user) return;
      await deleteUser(transaction, user);
      for (const source of this.#deps.personalDataSources) await source.delete?.(transaction, user);
      await this.#deps.mails.forget(transaction, [
        user.email,
        ...(user.pending_email === null ? [] : [user.pending_email]),
      ]);
      await this.#deps.mails.enqueue(
        transaction,
        accountDeletedMail(this.#deps.mailContext.mailFields(user)),
      );
    });
    this.#deps.mails.wake();
  }
}

export function createResetMailer({
  mails,
  mailContext,
  clock,
}: Pick<AccountsServiceDependencies, 'mails' | 'mailContext' | 'clock'>) {
  return async (transaction: AnyTransaction, email: string): Promise<void> => {
    const user = await withAccountsTables(transaction)
      .selectFrom('users')
      .selectAll()
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst();
    if (!user) return;
    const link = { purpose: 'reset', email: user.email } as const;
    const token = await issueMailToken(transaction, { userId: user.id }, link, clock.now());
    await mails.enqueue(transaction, passwordResetMail(mailContext.mailFields(user), token));
  };
}
