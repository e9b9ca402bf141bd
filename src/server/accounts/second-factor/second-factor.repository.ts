import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/second-factor';
import { hashToken } from '../../platform/token.ts';
import type { Database, SecondFactorsTable, Transaction } from '../accounts.tables.ts';

export type SecondFactor = SecondFactorsTable;

/** Holds the row until the transaction ends, confirmed or not. */
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

/** Only one that was confirmed counts. */
export function findSecondFactor(database: Database, userId: string): Promise<SecondFactor | undefined> {
  return database
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** A secret that waits for its first code; it takes the place of one that has waited before. */
export async function keepSecret(
  transaction: Transaction,
  userId: string,
  sealedSecret: string,
  now: Date,
): Promise<void> {
  const fresh = {
    sealed_secret: sealedSecret,
    created_at: now.toISOString(),
    confirmed_at: null,
    last_step: 0,
  };
  await transaction
    .insertInto('second_factors')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
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

/** New codes in the place of all earlier ones. They are returned this once and kept as hashes. */
export async function renewRecoveryCodes(transaction: Transaction, userId: string): Promise<string[]> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  await transaction
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ code_hash: hashRecoveryCode(userId, code), user_id: userId })))
    .execute();
  return codes.map((code) => (code.match(/.{1,4}/g) ?? []).join('-'));
}

/** False when the person has no such code, or used it before. */
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

/** Crockford's digits: none of them is easily taken for another. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 random bits: too many to be guessed, even from its hash. */
function createRecoveryCode(): string {
  return Array.from(randomBytes(16), (byte) => DIGITS[byte % DIGITS.length]).join('');
}

function hashRecoveryCode(userId: string, code: string): string {
  return hashToken(`${userId} ${code}`);
}
