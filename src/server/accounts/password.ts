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
import { MINUTE_MS, type Throttle, type ThrottleAttempt } from './throttle.ts';
import type { Accounts } from './users.repository.ts';

const COMMON_COUNT = 3000;

/** The most common ones of those that are long enough to be chosen here, in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  (dictionary.passwords as string[])
    .filter((password) => password.length >= PASSWORD_MIN_LENGTH)
    .slice(0, COMMON_COUNT),
);

/** Unicode has several spellings of one text; NFKC unifies them, whatever keyboard was used. */
const spelled = (text: string) => text.normalize('NFKC');
const folded = (text: string) => spelled(text).toLowerCase().trim();

/**
 * Refuses what is guessed first: common passwords, and public facts of a user. Compared as it is hashed, and without
 * case. The contract checks the length.
 * @throws {AppError} 400, which says what is wrong.
 */
export function refuseWeakPassword(
  password: string,
  { username, email }: { username: string; email: string },
): void {
  const tried = folded(password);
  if (tried === folded(username)) throw passwordIsUsername();
  const address = folded(email);
  if (tried === address || tried === address.slice(0, address.lastIndexOf('@'))) throw passwordIsAddress();
  if (tried === folded(BRAND.name)) throw passwordIsBrand();
  if (COMMON.has(tried)) throw commonPassword();
}

export interface PasswordHasher {
  /** @throws {AppError} 503 when too many wait already; so does `matches`. */
  hash(password: string): Promise<string>;
  /** Takes as long for an account without a password, or for none at all (`null`), as for a wrong one. */
  matches(hash: string | null, password: string): Promise<boolean>;
}

type Cost = Required<Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>>;

/** OWASP's: 19 MiB, two passes, one lane. */
const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Threads that Node has for files, names and hashing together, unless UV_THREADPOOL_SIZE says otherwise. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** Hashing leaves at least half of the threads and of the processors to everything else. */
const LIMITS = {
  atOnce: Math.max(1, Math.floor(Math.min(THREADS, availableParallelism()) / 2)),
  waiting: 64,
};

/** Argon2id in PHC text form. */
export function createPasswordHasher(cost: Cost = COST, limits = LIMITS): PasswordHasher {
  const gate = createGate({ ...limits, full: passwordsBusy });
  const decoy = decoyHash(cost);
  return {
    hash: (password) => gate(() => hash(spelled(password), cost)),
    async matches(kept, password) {
      const right = await gate(() => verify(kept ?? decoy, spelled(password)));
      return right && kept !== null;
    },
  };
}

/** Looks like a hash and is none: comparing with it is the same work from the first time on. */
function decoyHash({ memoryCost, timeCost, parallelism }: Cost): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${text(16)}$${text(32)}`;
}

/**
 * Checks a password. Counts a guess before the comparison, so that parallel guesses get no further than sequential
 * ones. A right password, or one that could not be compared, is not counted.
 * @throws {AppError} 429, 503.
 */
export type PasswordCheck = (
  tried: readonly ThrottleAttempt[],
  kept: string | null,
  password: string,
) => Promise<boolean>;

export function createPasswordCheck(hasher: PasswordHasher, throttle: Throttle): PasswordCheck {
  return async (tried, kept, password) => {
    await throttle.take(tried);
    let wrong = false;
    try {
      wrong = !(await hasher.matches(kept, password));
      return !wrong;
    } finally {
      if (!wrong) await throttle.giveBack(tried);
    }
  };
}

/**
 * Asked before changes that an unlocked screen alone should not allow. A user without a password needs none.
 * @throws {AppError} 403 for a wrong password, 429, 503.
 */
export type PasswordConfirmation = (
  user: Pick<SignedIn, 'userId'>,
  password: string | undefined,
) => Promise<void>;

export function createPasswordConfirmation(
  accounts: Pick<Accounts, 'find'>,
  isRight: PasswordCheck,
): PasswordConfirmation {
  return async ({ userId }, password) => {
    const user = await accounts.find(userId);
    if (!user) throw signInRequired();
    if (user.password_hash === null) return;
    const guesses = [{ key: `password:user:${userId}`, limit: 10, windowMs: 15 * MINUTE_MS }];
    if (!(await isRight(guesses, user.password_hash, password ?? ''))) throw wrongPassword();
  };
}

interface GateOptions {
  atOnce: number;
  waiting: number;
  /** The error where no place is left to wait. */
  full: () => Error;
}

type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Bounds concurrent work that would otherwise take the whole machine. */
export function createGate({ atOnce, waiting, full }: GateOptions): Gate {
  let running = 0;
  const queue: Array<() => void> = [];

  return async (work) => {
    if (running < atOnce) running++;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw full();
    try {
      return await work();
    } finally {
      // The next in the queue takes over the place.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
