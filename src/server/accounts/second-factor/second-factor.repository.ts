import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/second-factor';
import { hashToken } from '../../platform/keyring.ts';
import type { Database, SecondFactorsTable, Transaction } from '../accounts.tables.ts';

export type SecondFactor = SecondFactorsTable;

/** Locks the row until the transaction ends; the row may be unconfirmed. */
export function lockSecondFactor(
  transaction: Transaction,
  userId: string,
): Promise<SecondFactor | undefined> {
  return transaction
    .updateTable('second_factors')
    .set({ user_id: userId })
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Finds a confirmed second factor. */
export function findSecondFactor(database: Database, userId: string): Promise<SecondFactor | undefined> {
  return database
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Stores an unconfirmed secret, which replaces an earlier unconfirmed one. */
export async function saveSecret(
  transaction: Transaction,
  userId: string,
  sealedSecret: string,
  now: Date,
): Promise<void> {
  const unconfirmed = {
    sealed_secret: sealedSecret,
    created_at: now.toISOString(),
    confirmed_at: null,
    last_step: 0,
  };
  await transaction
    .insertInto('second_factors')
    .values({ user_id: userId, ...unconfirmed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(unconfirmed))
    .execute();
}

export async function changeSecondFactor(
  transaction: Transaction,
  userId: string,
  change: Partial<Pick<SecondFactor, 'last_step' | 'confirmed_at'>>,
): Promise<void> {
  await transaction.updateTable('second_factors').set(change).where('user_id', '=', userId).execute();
}

export async function deleteSecondFactor(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

export async function countRecoveryCodes(database: Database | Transaction, userId: string): Promise<number> {
  const row = await database
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Replaces all codes. They are returned once and stored as hashes. */
export async function renewRecoveryCodes(transaction: Transaction, userId: string): Promise<string[]> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  await transaction
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ code_hash: hashRecoveryCode(userId, code), user_id: userId })))
    .execute();
  return codes.map((code) => (code.match(/.{1,4}/g) ?? []).join('-'));
}

/** False if the user has no such code or it was used before. */
export async function spendRecoveryCode(
  transaction: Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const spent = await transaction
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hashRecoveryCode(userId, code))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return spent.numDeletedRows > 0n;
}

/** Crockford's Base32 digits, which are hard to confuse. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 random bits: too many to be guessed, even from its hash. */
function createRecoveryCode(): string {
  return Array.from(randomBytes(16), (byte) => DIGITS[byte % DIGITS.length]).join('');
}

function hashRecoveryCode(userId: string, code: string): string {
  return hashToken(`${userId} ${code}`);
}
