import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MIN_LENGTH } from '#contract/account-rules';
import { BRAND } from '#contract/product';
import type { SignedIn } from '../http/caller.ts';
import {
  commonPassword,
  passwordIsAddress,
  passwordIsBrand,
  passwordIsUsername,
  passwordsBusy,
  signInRequired,
  wrongPassword,
} from './accounts.errors.ts';
import { MINUTE_MS, type RateLimit, type Throttle } from './throttle.ts';
import type { Accounts } from './users.repository.ts';

const COMMON_COUNT = 3000;

/** The most common passwords of the minimum length, in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  (dictionary.passwords as string[])
    .filter((password) => password.length >= PASSWORD_MIN_LENGTH)
    .slice(0, COMMON_COUNT),
);

/** NFKC, because keyboards produce different Unicode sequences for the same text. */
const normalize = (text: string) => text.normalize('NFKC');
const foldCase = (text: string) => normalize(text).toLowerCase().trim();

/**
 * Rejects common passwords and those made of the user's name or address. Compares the normalized password without case.
 * The contract checks the length.
 * @throws {AppError} 400 with the reason.
 */
export function refuseWeakPassword(
  password: string,
  { username, email }: { username: string; email: string },
): void {
  const candidate = foldCase(password);
  if (candidate === foldCase(username)) throw passwordIsUsername();
  const address = foldCase(email);
  if (candidate === address || candidate === address.slice(0, address.lastIndexOf('@')))
    throw passwordIsAddress();
  if (candidate === foldCase(BRAND.name)) throw passwordIsBrand();
  if (COMMON.has(candidate)) throw commonPassword();
}

export interface PasswordHasher {
  /** @throws {AppError} 503 if the queue is full; so does `matches`. */
  hash(password: string): Promise<string>;
  /** `hash`: null for a missing account or one without a password; the check then takes as long as for a wrong password. */
  matches(hash: string | null, password: string): Promise<boolean>;
}

type Cost = Required<Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>>;

/** OWASP's recommendation: 19 MiB, two passes, one lane. */
const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Node's default thread pool size; the pool is shared by files, DNS and hashing. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** Hashing leaves at least half of the threads and of the processors to everything else. */
const LIMITS = {
  concurrency: Math.max(1, Math.floor(Math.min(THREADS, availableParallelism()) / 2)),
  maxQueued: 64,
};

/** Argon2id in PHC text form. */
export function createPasswordHasher(cost: Cost = COST, limits = LIMITS): PasswordHasher {
  const limited = createConcurrencyLimiter({ ...limits, queueFull: passwordsBusy });
  const decoy = decoyHash(cost);
  return {
    hash: (password) => limited(() => hash(normalize(password), cost)),
    async matches(storedHash, password) {
      const isCorrect = await limited(() => verify(storedHash ?? decoy, normalize(password)));
      return isCorrect && storedHash !== null;
    },
  };
}

/** A dummy hash, so that checking an unknown account takes as long as checking a wrong password. */
function decoyHash({ memoryCost, timeCost, parallelism }: Cost): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${text(16)}$${text(32)}`;
}

/**
 * Checks a password. A guess is counted before the comparison, so that parallel guesses are limited like sequential ones.
 * A correct password, or a failed comparison, is not counted.
 * @throws {AppError} 429, 503.
 */
export type PasswordCheck = (
  attempted: readonly RateLimit[],
  storedHash: string | null,
  password: string,
) => Promise<boolean>;

export function createPasswordCheck(hasher: PasswordHasher, throttle: Throttle): PasswordCheck {
  return async (attempted, storedHash, password) => {
    await throttle.countOrThrow(attempted);
    let wrong = false;
    try {
      wrong = !(await hasher.matches(storedHash, password));
      return !wrong;
    } finally {
      if (!wrong) await throttle.giveBack(attempted);
    }
  };
}

/**
 * Re-authentication before sensitive changes. A user without a password needs none.
 * @throws {AppError} 403 for a wrong password, 429, 503.
 */
export type PasswordConfirmation = (
  user: Pick<SignedIn, 'userId'>,
  password: string | undefined,
) => Promise<void>;

export function createPasswordConfirmation(
  accounts: Pick<Accounts, 'find'>,
  checkPassword: PasswordCheck,
): PasswordConfirmation {
  return async ({ userId }, password) => {
    const user = await accounts.find(userId);
    if (!user) throw signInRequired();
    if (user.password_hash === null) return;
    const guesses = [{ key: `password:user:${userId}`, limit: 10, windowMs: 15 * MINUTE_MS }];
    if (!(await checkPassword(guesses, user.password_hash, password ?? ''))) throw wrongPassword();
  };
}

interface ConcurrencyLimiterOptions {
  concurrency: number;
  maxQueued: number;
  /** Creates the error for a full queue. */
  queueFull: () => Error;
}

type ConcurrencyLimiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrent expensive work. */
export function createConcurrencyLimiter({
  concurrency,
  maxQueued,
  queueFull,
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  let running = 0;
  const queue: Array<() => void> = [];

  return async (work) => {
    if (running < concurrency) running++;
    else if (queue.length < maxQueued) await new Promise<void>((resolve) => queue.push(resolve));
    else throw queueFull();
    try {
      return await work();
    } finally {
      // The finished work hands its slot to the next in the queue.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
