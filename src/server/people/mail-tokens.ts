import type { MailTokensTable } from '../database/people-tables.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { createToken, hashToken } from '../platform/token.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long a mailed link works. */
const LIFETIME_MS: Readonly<Record<MailTokensTable['purpose'], number>> = {
  verify: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  claim: 30 * 24 * HOUR_MS,
};

interface TokenSubject {
  purpose: MailTokensTable['purpose'];
  userId?: string;
  paymentId?: string;
  email: string;
}

/** A token for a mailed link. It replaces the earlier ones of the same purpose. */
export async function issueMailToken(
  transaction: Transaction,
  { purpose, userId, paymentId, email }: TokenSubject,
  now: Date,
): Promise<string> {
  let earlier = transaction.deleteFrom('mail_tokens').where('purpose', '=', purpose);
  if (userId !== undefined) earlier = earlier.where('user_id', '=', userId);
  if (paymentId !== undefined) earlier = earlier.where('payment_id', '=', paymentId);
  if (userId !== undefined || paymentId !== undefined) await earlier.execute();
  const token = createToken();
  await transaction
    .insertInto('mail_tokens')
    .values({
      token_hash: hashToken(token),
      purpose,
      user_id: userId ?? null,
      payment_id: paymentId ?? null,
      email,
      expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]).toISOString(),
    })
    .execute();
  return token;
}

type MailToken = Pick<MailTokensTable, 'user_id' | 'payment_id' | 'email'>;

/** What the token stands for, without using it up: to be asked before anything that costs. */
export async function findMailToken(
  database: Database | Transaction,
  purpose: MailTokensTable['purpose'],
  token: string,
  now: Date,
): Promise<MailToken | undefined> {
  return database
    .selectFrom('mail_tokens')
    .select(['user_id', 'payment_id', 'email'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
}

/** Uses the token up. Undefined when it is unknown, used, expired or made for something else. */
export async function redeemMailToken(
  transaction: Transaction,
  purpose: MailTokensTable['purpose'],
  token: string,
  now: Date,
): Promise<MailToken | undefined> {
  return transaction
    .deleteFrom('mail_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'payment_id', 'email'])
    .executeTakeFirst();
}
