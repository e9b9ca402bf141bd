import type { AnyDatabase, AnyTransaction } from '../platform/database.ts';
import { createToken, hashToken } from '../platform/keyring.ts';
import { type Database, type MailTokensTable, withAccountsTables } from './accounts.tables.ts';

const HOUR_MS = 60 * 60 * 1000;

const LIFETIME_MS: Readonly<Record<MailTokensTable['purpose'], number>> = {
  verify: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  claim: 30 * 24 * HOUR_MS,
};

/** The owner of a token: a user, or a payment without one. */
type TokenOwner = { userId: string } | { paymentId: string };

/** Creates a token for a mailed link, which replaces earlier ones of the same owner and purpose. `email`: the recipient. */
export async function issueMailToken(
  transaction: AnyTransaction,
  owner: TokenOwner,
  { purpose, email }: Pick<MailTokensTable, 'purpose' | 'email'>,
  now: Date,
): Promise<string> {
  await revokeMailTokens(transaction, owner, purpose);
  const token = createToken();
  await withAccountsTables(transaction)
    .insertInto('mail_tokens')
    .values({
      token_hash: hashToken(token),
      purpose,
      user_id: 'userId' in owner ? owner.userId : null,
      payment_id: 'paymentId' in owner ? owner.paymentId : null,
      email,
      expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]).toISOString(),
    })
    .execute();
  return token;
}

/** Revokes mailed links that are no longer needed. */
export async function revokeMailTokens(
  transaction: AnyTransaction,
  owner: TokenOwner,
  purpose?: MailTokensTable['purpose'],
): Promise<void> {
  let query = withAccountsTables(transaction).deleteFrom('mail_tokens');
  if (purpose !== undefined) query = query.where('purpose', '=', purpose);
  await ('userId' in owner
    ? query.where('user_id', '=', owner.userId)
    : query.where('payment_id', '=', owner.paymentId)
  ).execute();
}

type MailToken = Pick<MailTokensTable, 'user_id' | 'payment_id' | 'email'>;

/** Reads a token without using it up: for checks before expensive work. */
export async function findMailToken(
  database: AnyDatabase,
  purpose: MailTokensTable['purpose'],
  token: string,
  now: Date,
): Promise<MailToken | undefined> {
  return withAccountsTables(database)
    .selectFrom('mail_tokens')
    .select(['user_id', 'payment_id', 'email'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
}

/** Uses the token up. Undefined if it is unknown, used, expired or for another purpose. */
export async function redeemMailToken(
  transaction: AnyTransaction,
  purpose: MailTokensTable['purpose'],
  token: string,
  now: Date,
): Promise<MailToken | undefined> {
  return withAccountsTables(transaction)
    .deleteFrom('mail_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'payment_id', 'email'])
    .executeTakeFirst();
}

export async function forgetMailTokens(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('mail_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
