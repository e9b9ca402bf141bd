import type { Account } from '#contract/account';
import { type Database, type Transaction, withTransaction } from '../database/database.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import {
  emailTaken,
  lastSignIn,
  linkSpent,
  signInRequired,
  wrongCredentials,
  wrongPassword,
  wrongUsername,
} from './errors.ts';
import { issueMailToken, redeemMailToken } from './mail-tokens.ts';
import {
  accountDeletedMail,
  emailChangedMail,
  passwordChangedMail,
  passwordResetMail,
  verificationMail,
} from './mails.ts';
import { type PasswordHasher, refuseCommonPassword } from './password.ts';
import { isEmailTaken, type Registration, type Registrations } from './registrations.ts';
import { type Accounts, changeEmail, deleteUser, lockUser, type User } from './repository.ts';
import { endSessions, type SignedIn } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';
import { emailKey, usernameKey } from './username.ts';

export interface AccountsServiceDependencies {
  database: Database;
  accounts: Accounts;
  registrations: Registrations;
  throttle: Throttle;
  hasher: PasswordHasher;
  mails: MailQueue;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
  supportEmail: string;
  /** Settles what other features keep of a person before the account goes; they cannot be asked afterwards. */
  beforeDeletion: (userId: string) => Promise<void>;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const loginKey = (account: string) => `login:account:${account}`;

/**
 * `account`: the id, or what was typed where there is none. `address`: the caller's hashed network address. Guessing is slowed per account, whatever it is called, and per
 * address, whichever accounts it tries; what succeeds is not counted.
 */
const attempts = {
  login: (account: string, address: string): Attempt[] => [
    { key: loginKey(account), limit: 10, windowMs: 15 * MINUTE_MS },
    { key: `login:address:${address}`, limit: 50, windowMs: 15 * MINUTE_MS },
  ],
  register: (address: string): Attempt[] => [
    { key: `register:address:${address}`, limit: 120, windowMs: HOUR_MS },
  ],
  reset: (email: string): Attempt[] => [
    { key: `reset:mailbox:${emailKey(email)}`, limit: 3, windowMs: HOUR_MS },
  ],
  mail: (address: string): Attempt[] => [{ key: `mail:address:${address}`, limit: 30, windowMs: HOUR_MS }],
  password: (userId: string): Attempt[] => [
    { key: `password:user:${userId}`, limit: 10, windowMs: 15 * MINUTE_MS },
  ],
};

export function createAccountsService(dependencies: AccountsServiceDependencies) {
  const { database, accounts, registrations, throttle, hasher, mails, clock, logger, publicUrl } =
    dependencies;
  const letter = (user: Pick<User, 'email' | 'username'>, to = user.email) => ({
    to,
    username: user.username,
    publicUrl,
  });

  /** The person's row, held; their session may be older than the account's end. */
  async function ownRow(transaction: Transaction, { userId }: SignedIn): Promise<User> {
    const user = await lockUser(transaction, userId);
    if (!user) throw signInRequired();
    return user;
  }

  /** Before anything that somebody at an unlocked screen should not do. A person without a password needs none. */
  async function confirmPassword({ userId }: SignedIn, password: string | undefined): Promise<void> {
    const user = await accounts.find(userId);
    if (!user) throw signInRequired();
    if (user.password_hash === null) return;
    const tried = attempts.password(userId);
    await throttle.take(tried);
    if (!(await hasher.matches(user.password_hash, password ?? ''))) throw wrongPassword();
    await throttle.giveBack(tried);
  }

  return {
    /**
     * Keeps a registration until it is paid for. `own`: the registration that this browser has already.
     * @throws {AppError} 400 for a common password, 409 for a taken name or address, 429.
     */
    async register(
      input: { username: string; email: string; password: string },
      own: string | undefined,
      address: string,
    ): Promise<Registration> {
      refuseCommonPassword(input.password);
      await throttle.take(attempts.register(address));
      const passwordHash = await hasher.hash(input.password);
      return registrations.keep({ ...input, passwordHash, identity: null }, own);
    },

    /** @throws {AppError} 401 for a wrong password and an unknown name alike, 429. */
    async login(login: string, password: string, address: string): Promise<User> {
      const user = await accounts.findByLogin(login);
      const tried = attempts.login(user?.id ?? usernameKey(login), address);
      await throttle.take(tried);
      if (!(await hasher.matches(user?.password_hash ?? null, password)) || !user) throw wrongCredentials();
      await throttle.giveBack(tried);
      return user;
    },

    async account({ userId }: SignedIn): Promise<Account> {
      const user = await accounts.find(userId);
      if (!user) throw signInRequired();
      return {
        username: user.username,
        email: user.email,
        emailVerified: user.email_verified_at !== null,
        pendingEmail: user.pending_email,
        hasPassword: user.password_hash !== null,
        createdAt: user.created_at,
        identities: await accounts.identities(userId),
      };
    },

    async requestVerification(person: SignedIn, address: string): Promise<void> {
      await throttle.take(attempts.mail(address));
      await withTransaction(database, async (transaction) => {
        const user = await ownRow(transaction, person);
        const email = user.pending_email ?? user.email;
        if (user.pending_email === null && user.email_verified_at !== null) return;
        const token = await issueMailToken(
          transaction,
          { purpose: 'verify', userId: user.id, email },
          clock.now(),
        );
        await mails.enqueue(transaction, verificationMail(letter(user, email), token));
      });
      mails.wake();
    },

    /**
     * Confirms the address that the link was mailed to. Only its own person may, signed in: else somebody who typed a
     * stranger's address could have the stranger confirm it by a click.
     */
    async verifyEmail(person: SignedIn, token: string): Promise<void> {
      await withTransaction(database, async (transaction) => {
        const now = clock.now();
        const user = await ownRow(transaction, person);
        const link = await redeemMailToken(transaction, 'verify', token, now);
        if (!link || link.user_id !== user.id) throw linkSpent();
        const current = emailKey(link.email) === user.email_key;
        if (!current && link.email !== user.pending_email) throw linkSpent();
        await changeEmail(transaction, user, link.email, now);
        if (!current) {
          await mails.enqueue(transaction, emailChangedMail(letter(user), dependencies.supportEmail));
        }
      });
      mails.wake();
    },

    async changeEmail(person: SignedIn, email: string, password: string | undefined, address: string) {
      await confirmPassword(person, password);
      await throttle.take(attempts.mail(address));
      await withTransaction(database, async (transaction) => {
        const user = await ownRow(transaction, person);
        if (emailKey(email) !== user.email_key && (await isEmailTaken(transaction, emailKey(email)))) {
          throw emailTaken();
        }
        await transaction
          .updateTable('users')
          .set({ pending_email: email })
          .where('id', '=', user.id)
          .execute();
        const token = await issueMailToken(
          transaction,
          { purpose: 'verify', userId: user.id, email },
          clock.now(),
        );
        await mails.enqueue(transaction, verificationMail(letter(user, email), token));
      });
      mails.wake();
    },

    /** Signs every other device out. */
    async changePassword(person: SignedIn, current: string | undefined, next: string): Promise<void> {
      refuseCommonPassword(next);
      await confirmPassword(person, current);
      const password_hash = await hasher.hash(next);
      await withTransaction(database, async (transaction) => {
        const user = await ownRow(transaction, person);
        await transaction.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
        await endSessions(transaction, user.id, person.sessionId);
        await mails.enqueue(transaction, passwordChangedMail(letter(user), dependencies.supportEmail));
      });
      mails.wake();
    },

    /**
     * Mails a link if the address has an account. Answers before it looks, so that neither the answer nor its time
     * tells whether it has.
     */
    async forgotPassword(email: string, address: string): Promise<void> {
      await throttle.take(attempts.mail(address));
      const mailIt = async () => {
        await throttle.take(attempts.reset(email));
        const user = await accounts.findByEmail(email);
        if (!user) return;
        await withTransaction(database, async (transaction) => {
          const subject = { purpose: 'reset', userId: user.id, email: user.email } as const;
          const token = await issueMailToken(transaction, subject, clock.now());
          await mails.enqueue(transaction, passwordResetMail(letter(user), token));
        });
        mails.wake();
      };
      setImmediate(() => {
        mailIt().catch((error) => logger.info({ err: error }, 'a password reset was not mailed'));
      });
    },

    /**
     * Sets a new password for whoever can read the account's mail, and signs every device out. If nobody had confirmed
     * the address before, it may have been typed by a stranger: their linked sign-in goes as well.
     */
    async resetPassword(token: string, password: string, address: string): Promise<void> {
      refuseCommonPassword(password);
      await throttle.take(attempts.mail(address));
      const password_hash = await hasher.hash(password);
      const userId = await withTransaction(database, async (transaction) => {
        const now = clock.now();
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
        await transaction.deleteFrom('mail_tokens').where('user_id', '=', user.id).execute();
        await mails.enqueue(transaction, passwordChangedMail(letter(user), dependencies.supportEmail));
        return user.id;
      });
      // Whoever guessed before guessed another password: its owner need not wait for them.
      await throttle.clear([loginKey(userId)]);
      mails.wake();
    },

    async unlinkIdentity(person: SignedIn, provider: string): Promise<void> {
      const user = await accounts.find(person.userId);
      if (!user) throw signInRequired();
      if (user.password_hash === null) throw lastSignIn();
      await accounts.unlink(user.id, provider);
    },

    async deleteAccount(person: SignedIn, username: string, password: string | undefined): Promise<void> {
      if (usernameKey(username) !== usernameKey(person.username)) throw wrongUsername();
      await confirmPassword(person, password);
      await this.deletePerson(person.userId);
    },

    /** For the person themselves, once they have proven who they are, and for the operator. */
    async deletePerson(userId: string): Promise<void> {
      await dependencies.beforeDeletion(userId);
      await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        if (!user) return;
        await deleteUser(transaction, user);
        await mails.enqueue(transaction, accountDeletedMail(letter(user)));
      });
      mails.wake();
    },

    /** Whether a name could be registered now; for proposing one, not for promising it. */
    async isNameFree(username: string): Promise<boolean> {
      const holder = await database
        .selectFrom('names')
        .select('name_key')
        .where('name_key', '=', usernameKey(username))
        .executeTakeFirst();
      return holder === undefined;
    },
  };
}
