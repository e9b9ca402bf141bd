import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { BRAND } from '#contract/product';
import type { SecondFactorProof, SecondFactorSecret, SecondFactorStatus } from '#contract/second-factor';
import type { SignedIn } from '../../http/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { withTransaction } from '../../platform/database.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MailQueue } from '../../platform/mail-queue.ts';
import type { Mail } from '../../platform/mailer.ts';
import { signInRequired } from '../accounts.errors.ts';
import type { MailTemplateContext, Notice } from '../accounts.mails.ts';
import type { Database, Transaction } from '../accounts.tables.ts';
import type { PasswordConfirmation } from '../password.ts';
import { endSessions } from '../sessions.ts';
import { HOUR_MS, MINUTE_MS, type RateLimit, type Throttle } from '../throttle.ts';
import { lockUser } from '../users.repository.ts';
import {
  alreadyOn,
  notStarted,
  secondFactorOff,
  unreadableSecret,
  wrongCode,
  wrongRecoveryCode,
} from './second-factor.errors.ts';
import {
  codesGuessedMail,
  codesRenewedMail,
  recoveryCodeUsedMail,
  turnedOffMail,
  turnedOnMail,
} from './second-factor.mails.ts';
import {
  changeSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  saveSecret,
  spendRecoveryCode,
} from './second-factor.repository.ts';

interface SecondFactorDependencies {
  database: Database;
  keyring: Keyring;
  throttle: Throttle;
  mails: MailQueue;
  clock: Clock;
  mailContext: MailTemplateContext;
  logger: Logger;
  /** Re-authentication before sensitive changes. */
  confirmPassword: PasswordConfirmation;
}

const DAY_MS = 24 * HOUR_MS;
/** Expiry of an unconfirmed secret. */
const CONFIRM_WITHIN_MS = 60 * MINUTE_MS;
const BATCH = 100;

/** Three codes are valid at any moment, so guesses are also limited per day. Recovery codes bypass this limit. */
const limits = {
  code: (userId: string): RateLimit[] => [
    { key: `second-factor:code:${userId}`, limit: 5, windowMs: 15 * MINUTE_MS },
    { key: `second-factor:codes-of-day:${userId}`, limit: 50, windowMs: DAY_MS },
  ],
  recoveryCode: (userId: string): RateLimit[] => [
    { key: `second-factor:recovery-code:${userId}`, limit: 10, windowMs: 15 * MINUTE_MS },
  ],
  warning: (userId: string): RateLimit[] => [
    { key: `second-factor:warning:${userId}`, limit: 1, windowMs: DAY_MS },
  ],
};

/** Time-based codes of an authenticator app (RFC 6238), and recovery codes for a lost app. */
export class SecondFactorService {
  readonly #deps: SecondFactorDependencies;

  constructor(deps: SecondFactorDependencies) {
    this.#deps = deps;
  }

  async #notify(transaction: Transaction, userId: string, mail: (notice: Notice) => Mail) {
    const user = await lockUser(transaction, userId);
    if (!user) throw signInRequired();
    await this.#deps.mails.enqueue(transaction, mail(this.#deps.mailContext.notice(user)));
  }

  #codesOf(secret: string, label = ''): TOTP {
    return new TOTP({ issuer: BRAND.name, label, secret: Secret.fromBase32(secret) });
  }

  /** True once per code, because the used time step is stored in the locked row. */
  async #spendCode(transaction: Transaction, factor: SecondFactor, code: string): Promise<boolean> {
    const totp = this.#codesOf(this.#open(factor));
    const timestamp = this.#deps.clock.now().getTime();
    // One time step of tolerance, for clock skew and slow typing.
    const delta = totp.validate({ token: code, timestamp, window: 1 });
    if (delta === null) return false;
    const step = totp.counter({ timestamp }) + delta;
    if (step <= factor.last_step) return false;
    await changeSecondFactor(transaction, factor.user_id, { last_step: step });
    return true;
  }

  #open({ sealed_secret, user_id }: SecondFactor): string {
    try {
      return this.#deps.keyring.unseal(sealed_secret, user_id);
    } catch (error) {
      throw unreadableSecret(error);
    }
  }

  async #spendProof(transaction: Transaction, factor: SecondFactor, proof: SecondFactorProof) {
    const userId = factor.user_id;
    if (proof.code !== undefined) return this.#spendCode(transaction, factor, proof.code);
    if (!(await spendRecoveryCode(transaction, userId, proof.recoveryCode ?? ''))) return false;
    const left = await countRecoveryCodes(transaction, userId);
    await this.#notify(transaction, userId, (to) => recoveryCodeUsedMail(to, left));
    return true;
  }

  /** Counts an attempt. After too many, the owner gets a mail. */
  async #count(userId: string, attempted: readonly RateLimit[]): Promise<void> {
    try {
      await this.#deps.throttle.countOrThrow(attempted);
    } catch (error) {
      if ((await this.#deps.throttle.tryConsume(limits.warning(userId))) === undefined) {
        await withTransaction(this.#deps.database, (transaction) =>
          this.#notify(transaction, userId, codesGuessedMail),
        );
        this.#deps.mails.wake();
      }
      throw error;
    }
  }

  /** Uses the code and runs `work` in one transaction, if the code is correct. */
  async #withProof<T>(
    userId: string,
    proof: SecondFactorProof,
    signingIn: boolean,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const byApp = proof.code !== undefined;
    const attempted = byApp ? limits.code(userId) : limits.recoveryCode(userId);
    await this.#count(userId, attempted);
    const done = await withTransaction(this.#deps.database, async (transaction) => {
      // Every transaction locks the user's row first: two transactions that each hold one of the rows would deadlock.
      await lockUser(transaction, userId);
      const factor = await lockSecondFactor(transaction, userId);
      if (!factor || factor.confirmed_at === null) throw secondFactorOff();
      if (!(await this.#spendProof(transaction, factor, proof))) return undefined;
      return { result: await work(transaction) };
    });
    if (!done) throw byApp ? wrongCode(signingIn) : wrongRecoveryCode(signingIn);
    await this.#deps.throttle.giveBack(attempted);
    this.#deps.mails.wake();
    return done.result;
  }

  async #resealRow({
    user_id,
    sealed_secret,
  }: Pick<SecondFactor, 'user_id' | 'sealed_secret'>): Promise<boolean> {
    let secret: string;
    try {
      secret = this.#deps.keyring.unseal(sealed_secret, user_id);
    } catch {
      return false;
    }
    await this.#deps.database
      .updateTable('second_factors')
      .set({ sealed_secret: this.#deps.keyring.seal(secret, user_id) })
      .where('user_id', '=', user_id)
      .where('sealed_secret', '=', sealed_secret)
      .execute();
    return true;
  }

  async isOn(userId: string): Promise<boolean> {
    return (await findSecondFactor(this.#deps.database, userId)) !== undefined;
  }

  async status(userId: string): Promise<SecondFactorStatus> {
    const factor = await findSecondFactor(this.#deps.database, userId);
    if (!factor?.confirmed_at) return null;
    return {
      since: factor.confirmed_at,
      recoveryCodesLeft: await countRecoveryCodes(this.#deps.database, userId),
    };
  }

  /** Creates a secret, which has no effect until a first code confirms it. */
  async start(person: SignedIn, password: string | undefined): Promise<SecondFactorSecret> {
    await this.#deps.confirmPassword(person, password);
    const secret = new Secret({ size: 20 }).base32;
    await withTransaction(this.#deps.database, async (transaction) => {
      if (!(await lockUser(transaction, person.userId))) throw signInRequired();
      const factor = await lockSecondFactor(transaction, person.userId);
      if (factor?.confirmed_at) throw alreadyOn();
      await saveSecret(
        transaction,
        person.userId,
        this.#deps.keyring.seal(secret, person.userId),
        this.#deps.clock.now(),
      );
    });
    return { secret, uri: this.#codesOf(secret, person.username).toString() };
  }

  /** Turns the second factor on, signs all other devices out, and returns the recovery codes. */
  async confirm(person: SignedIn, code: string): Promise<string[]> {
    const { userId } = person;
    const attempted = limits.code(userId);
    await this.#deps.throttle.countOrThrow(attempted);
    const codes = await withTransaction(this.#deps.database, async (transaction) => {
      await lockUser(transaction, userId);
      const factor = await lockSecondFactor(transaction, userId);
      const now = this.#deps.clock.now();
      if (!factor || now.getTime() - new Date(factor.created_at).getTime() > CONFIRM_WITHIN_MS)
        throw notStarted();
      if (factor.confirmed_at) throw alreadyOn();
      if (!(await this.#spendCode(transaction, factor, code))) return undefined;
      await changeSecondFactor(transaction, userId, { confirmed_at: now.toISOString() });
      await endSessions(transaction, userId, person.sessionId);
      await this.#notify(transaction, userId, turnedOnMail);
      return renewRecoveryCodes(transaction, userId);
    });
    if (!codes) throw wrongCode(false);
    await this.#deps.throttle.giveBack(attempted);
    this.#deps.mails.wake();
    return codes;
  }

  /** Accepts a code once. @throws {AppError} 401 for a wrong code, 409 without a second factor, 429. */
  async prove(userId: string, proof: SecondFactorProof): Promise<void> {
    await this.#withProof(userId, proof, true, async () => {});
  }

  async stop(person: SignedIn, password: string | undefined, proof: SecondFactorProof): Promise<void> {
    await this.#deps.confirmPassword(person, password);
    await this.#withProof(person.userId, proof, false, async (transaction) => {
      await deleteSecondFactor(transaction, person.userId);
      await this.#notify(transaction, person.userId, turnedOffMail);
    });
  }

  async renewCodes(person: SignedIn, password: string | undefined, proof: SecondFactorProof) {
    await this.#deps.confirmPassword(person, password);
    return this.#withProof(person.userId, proof, false, async (transaction) => {
      await this.#notify(transaction, person.userId, codesRenewedMail);
      return renewRecoveryCodes(transaction, person.userId);
    });
  }

  /** Turns the second factor off, for an operator whose user lost app and recovery codes. False if it was off. */
  async remove(userId: string): Promise<boolean> {
    const removed = await withTransaction(this.#deps.database, async (transaction) => {
      await lockUser(transaction, userId);
      const factor = await lockSecondFactor(transaction, userId);
      if (!factor?.confirmed_at) return false;
      await deleteSecondFactor(transaction, userId);
      await this.#notify(transaction, userId, turnedOffMail);
      return true;
    });
    this.#deps.mails.wake();
    return removed;
  }

  /** Re-encrypts secrets of older keys, so that these can be retired. */
  async reseal(): Promise<{ resealed: number; unreadable: number }> {
    const counts = { resealed: 0, unreadable: 0 };
    let last = '';
    for (;;) {
      const rows = await this.#deps.database
        .selectFrom('second_factors')
        .select(['user_id', 'sealed_secret'])
        .where('user_id', '>', last)
        .where(
          sql<boolean>`substr(sealed_secret, 1, ${this.#deps.keyring.sealPrefix.length}) <> ${this.#deps.keyring.sealPrefix}`,
        )
        .orderBy('user_id')
        .limit(BATCH)
        .execute();
      for (const row of rows) counts[(await this.#resealRow(row)) ? 'resealed' : 'unreadable'] += 1;
      last = rows.at(-1)?.user_id ?? last;
      if (rows.length < BATCH) return counts;
    }
  }

  /** Runs when the server starts, because operators rotate keys while it is stopped. */
  async resealAll(): Promise<void> {
    const { unreadable } = await this.reseal();
    if (unreadable > 0) {
      this.#deps.logger.error(
        { unreadable },
        'secrets of second factors cannot be opened: a key was retired or lost',
      );
    }
  }

  async deleteExpired(): Promise<void> {
    await this.#deps.database
      .deleteFrom('second_factors')
      .where('confirmed_at', 'is', null)
      .where('created_at', '<=', new Date(this.#deps.clock.now().getTime() - CONFIRM_WITHIN_MS).toISOString())
      .execute();
  }
}
