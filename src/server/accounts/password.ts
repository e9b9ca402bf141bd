import { hash, type Options, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MIN_LENGTH } from '#contract/account';
import { commonPassword } from './errors.ts';

const COMMON_COUNT = 3000;

/** The most common ones of those that are long enough to be chosen here, in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  (dictionary.passwords as string[])
    .filter((password) => password.length >= PASSWORD_MIN_LENGTH)
    .slice(0, COMMON_COUNT),
);

/** @throws {AppError} `accounts.common_password`. Length is the contract's business. */
export function refuseCommonPassword(password: string): void {
  if (COMMON.has(password.toLowerCase())) throw commonPassword();
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long for an account without a password, or for none at all (`null`), as for a wrong one. */
  matches(hash: string | null, password: string): Promise<boolean>;
}

/** Argon2id in PHC text form. The default is OWASP's: 19 MiB, two passes, one lane. */
export function createPasswordHasher(
  cost: Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'> = {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  },
): PasswordHasher {
  // Unicode gives one password several spellings; NFKC makes them one, whatever keyboard it was typed on.
  const spelled = (password: string) => password.normalize('NFKC');
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => hash(spelled(password), cost),
    async matches(kept, password) {
      decoy ??= hash('nobody has this password', cost);
      const right = await verify(kept ?? (await decoy), spelled(password));
      return right && kept !== null;
    },
  };
}
