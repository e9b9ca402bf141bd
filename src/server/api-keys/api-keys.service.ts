import { randomUUID } from 'node:crypto';
import { type ApiKey, apiKeySchema } from '#contract/api-key';
import { type ApiScope, isPageOrigin, MAX_API_KEYS } from '#contract/api-key-rules';
import { PAGES } from '#contract/paths';
import { signInRequired } from '../accounts/accounts.errors.ts';
import { type MailTemplateContext, type Notice, noticeMail } from '../accounts/accounts.mails.ts';
import type { PasswordConfirmation } from '../accounts/password.ts';
import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { MINUTE_MS, type RateLimit, type Throttle } from '../accounts/throttle.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { ApiKeyCaller, SignedIn } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import { hashToken } from '../platform/keyring.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import type { Mail } from '../platform/mailer.ts';
import { outOfScope, premiumOver, premiumRequired, tooManyKeys, unknownKey } from './api-keys.errors.ts';
import { type ApiKeysTable, type Database, withApiKeysTables } from './api-keys.tables.ts';
import { createApiKey, ENDING_LENGTH, looksLikeApiKey } from './key.ts';

export interface NewApiKey {
  name: string;
  scopes: readonly ApiScope[];
  /** Origins of web pages that may use the key. */
  origins?: readonly string[] | undefined;
  currentPassword?: string | undefined;
}

export interface ApiKeys {
  list(userId: string): Promise<ApiKey[]>;
  /** `secret`: the key itself, which is not stored. @throws {AppError} */
  make(person: SignedIn, wanted: NewApiKey): Promise<{ key: ApiKey; secret: string }>;
  /** Takes effect at once in all processes. False if the user has no such key. */
  revoke(person: SignedIn, id: string): Promise<boolean>;
  /**
   * The caller with this key, for a call that requires `scope`. Not cached, so that a revoked key is rejected everywhere at
   * once.
   * @param ipHash the caller's network address, hashed
   * @throws {AppError} 401, 403, or 429 for an address that tries many
   */
  authenticate(key: string, scope: ApiScope, ipHash: string): Promise<ApiKeyCaller>;
  /** Whether a page of this origin may use the key. `keyId`: if left out, whether it may use any key. */
  allowsOrigin(origin: string, keyId?: string): Promise<boolean>;
  personalData: PersonalDataSource;
}

interface ApiKeysDependencies {
  database: Database;
  throttle: Throttle;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
  isPremium: (userId: string) => Promise<boolean>;
  confirmPassword: PasswordConfirmation;
}

const USED_EVERY_MS = MINUTE_MS;

/** Keys cannot be guessed, but the limit saves a database query per attempt. */
const failures = (ipHash: string): RateLimit[] => [
  { key: `api-key:address:${ipHash}`, limit: 50, windowMs: 15 * MINUTE_MS },
];

export function createApiKeys(dependencies: ApiKeysDependencies): ApiKeys {
  const { database, throttle, mails, mailContext, clock, isPremium, confirmPassword } = dependencies;

  async function find(key: string) {
    if (!looksLikeApiKey(key)) return undefined;
    return database
      .selectFrom('api_keys')
      .select(['id', 'user_id', 'scopes', 'last_used_at'])
      .where('key_hash', '=', hashToken(key))
      .executeTakeFirst();
  }

  return {
    list: (userId) => keysOf(database, userId),

    async make(person, { name, scopes, origins: typed = [], currentPassword }) {
      if (!(await isPremium(person.userId))) throw premiumRequired();
      await confirmPassword(person, currentPassword);
      const secret = createApiKey();
      const origins = [...new Set(typed)].sort();
      const row: ApiKeysTable = {
        id: randomUUID(),
        user_id: person.userId,
        name,
        key_hash: hashToken(secret),
        ending: secret.slice(-ENDING_LENGTH),
        scopes: [...new Set(scopes)].sort().join(' '),
        created_at: clock.now().toISOString(),
        last_used_at: null,
      };
      await withTransaction(database, async (transaction) => {
        // Locks the user's row, so that parallel requests are counted one after the other.
        const user = await lockUser(transaction, person.userId);
        if (!user) throw signInRequired();
        const others = await transaction
          .selectFrom('api_keys')
          .select('id')
          .where('user_id', '=', person.userId)
          .execute();
        if (others.length >= MAX_API_KEYS) throw tooManyKeys();
        await transaction.insertInto('api_keys').values(row).execute();
        for (const origin of origins)
          await transaction.insertInto('api_key_origins').values({ key_id: row.id, origin }).execute();
        await mails.enqueue(transaction, keyMadeMail(mailContext.notice(user)));
      });
      mails.wake();
      return { key: toApiKey(row, origins), secret };
    },

    async revoke({ userId }, id) {
      const revoked = await database
        .deleteFrom('api_keys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return revoked.numDeletedRows > 0n;
    },

    async authenticate(key, scope, address) {
      const row = await find(key);
      if (!row) {
        await throttle.countOrThrow(failures(address));
        throw unknownKey();
      }
      if (!row.scopes.split(' ').includes(scope)) throw outOfScope(scope);
      if (!(await isPremium(row.user_id))) throw premiumOver();
      await storeUse(database, row, clock.now());
      return { userId: row.user_id, keyId: row.id };
    },

    async allowsOrigin(origin, keyId) {
      if (!isPageOrigin(origin)) return false;
      const originRows = database
        .selectFrom('api_key_origins')
        .select('key_id')
        .where('origin', '=', origin)
        .limit(1);
      const found = keyId === undefined ? originRows : originRows.where('key_id', '=', keyId);
      return (await found.executeTakeFirst()) !== undefined;
    },

    personalData: {
      export: async ({ id }) => ({ apiKeys: await keysOf(database, id) }),
      async revokeKeys(transaction, userId) {
        await withApiKeysTables(transaction).deleteFrom('api_keys').where('user_id', '=', userId).execute();
      },
    },
  };
}

async function keysOf(database: Database, userId: string): Promise<ApiKey[]> {
  const rows = await database
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const originRows = await database
    .selectFrom('api_key_origins')
    .innerJoin('api_keys', 'api_keys.id', 'key_id')
    .select(['key_id', 'origin'])
    .where('user_id', '=', userId)
    .orderBy('origin')
    .execute();
  return rows.map((row) =>
    toApiKey(
      row,
      originRows.filter(({ key_id }) => key_id === row.id).map(({ origin }) => origin),
    ),
  );
}

/** Stores the last use, at most once a minute; of many parallel calls only the first one writes. */
async function storeUse(
  database: Database,
  { id, last_used_at }: Pick<ApiKeysTable, 'id' | 'last_used_at'>,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - USED_EVERY_MS).toISOString();
  if (last_used_at !== null && last_used_at > before) return;
  await database
    .updateTable('api_keys')
    .set({ last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', before)]))
    .execute();
}

function toApiKey(
  { id, name, ending, scopes, created_at, last_used_at }: ApiKeysTable,
  origins: readonly string[],
): ApiKey {
  return apiKeySchema.parse({
    id,
    name,
    ending,
    scopes: scopes.split(' '),
    origins,
    createdAt: created_at,
    lastUsedAt: last_used_at,
  });
}

/** Omits the key's name: it is free text that an attacker at an unlocked screen may have typed. */
function keyMadeMail(notice: Notice): Mail {
  return noticeMail(notice, {
    subject: 'A new API key',
    event: 'an API key was made in your account',
    consequences:
      'With it a program reads pictures in your name and uses up your quota. It opens neither your account nor your texts nor payments.',
    advice: `If this was not you, revoke it on ${notice.publicUrl}${PAGES.account} and change your password, which signs every other device out. If you need help, write to {support}.`,
  });
}
