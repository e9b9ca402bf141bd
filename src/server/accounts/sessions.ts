import { randomUUID } from 'node:crypto';
import type { SessionsResponse } from '#contract/account';
import type { SignedIn } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { createToken, hashToken } from '../platform/keyring.ts';
import type { Database, Transaction } from './accounts.tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session expires this long after its last use. */
const IDLE_MS = 30 * DAY_MS;
/** Absolute lifetime of a session, so that a stolen token expires. */
const LIFETIME_MS = 90 * DAY_MS;
export const SESSION_SECONDS = LIFETIME_MS / 1000;
/** Sessions per user; beyond that, the least recently used ones end. */
const MAX_SESSIONS = 50;
/** How often the last use of a session is stored. */
const SEEN_EVERY_MS = 10 * 60 * 1000;

export interface Sessions {
  /** Starts a session. Only a hash of the returned token is stored. `previous`: a session to end. */
  open(
    transaction: Transaction,
    userId: string,
    userAgent: string | undefined,
    previous: string | undefined,
  ): Promise<string>;
  authenticate(token: string): Promise<SignedIn | null>;
  close(token: string): Promise<void>;
  list(person: Pick<SignedIn, 'userId' | 'sessionId'>): Promise<SessionsResponse['sessions']>;
  end(person: SignedIn, sessionId: string): Promise<boolean>;
  endOthers(person: SignedIn): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createSessions(database: Database, clock: Clock): Sessions {
  const expiry = (now: Date, since: Date) =>
    new Date(Math.min(now.getTime() + IDLE_MS, since.getTime() + LIFETIME_MS)).toISOString();
  return {
    async open(transaction, userId, userAgent, previous) {
      const token = createToken();
      const now = clock.now();
      if (previous) {
        await transaction.deleteFrom('sessions').where('token_hash', '=', hashToken(previous)).execute();
      }
      await transaction
        .insertInto('sessions')
        .values({
          token_hash: hashToken(token),
          id: randomUUID(),
          user_id: userId,
          device: describeDevice(userAgent),
          created_at: now.toISOString(),
          last_seen_at: now.toISOString(),
          expires_at: expiry(now, now),
        })
        .execute();
      await endOldest(transaction, userId);
      return token;
    },

    async authenticate(token) {
      const now = clock.now();
      const hash = hashToken(token);
      const row = await database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id', 'sessions.created_at', 'last_seen_at', 'user_id', 'username', 'email'])
        .where('token_hash', '=', hash)
        .where('expires_at', '>', now.toISOString())
        // `expires_at` of rows from earlier versions ignores the absolute lifetime.
        .where('sessions.created_at', '>', new Date(now.getTime() - LIFETIME_MS).toISOString())
        .executeTakeFirst();
      if (!row) return null;
      if (now.getTime() - new Date(row.last_seen_at).getTime() > SEEN_EVERY_MS) {
        await database
          .updateTable('sessions')
          .set({ last_seen_at: now.toISOString(), expires_at: expiry(now, new Date(row.created_at)) })
          .where('token_hash', '=', hash)
          .execute();
      }
      const { id, user_id, username, email } = row;
      return { sessionId: id, userId: user_id, username, email } as SignedIn;
    },

    async close(token) {
      await database.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
    },

    async list({ userId, sessionId }) {
      const rows = await database
        .selectFrom('sessions')
        .select(['id', 'device', 'created_at', 'last_seen_at'])
        .where('user_id', '=', userId)
        .where('expires_at', '>', clock.now().toISOString())
        .orderBy('last_seen_at', 'desc')
        .execute();
      return rows.map(({ id, device, created_at, last_seen_at }) => ({
        id,
        current: id === sessionId,
        device,
        createdAt: created_at,
        lastSeenAt: last_seen_at,
      }));
    },

    async end({ userId }, sessionId) {
      const ended = await database
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    async endOthers({ userId, sessionId }) {
      await database
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id', '<>', sessionId)
        .execute();
    },

    async deleteExpired() {
      await database.deleteFrom('sessions').where('expires_at', '<=', clock.now().toISOString()).execute();
    },
  };
}

/** Ends the least recently used sessions beyond `MAX_SESSIONS`. */
async function endOldest(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .limit(MAX_SESSIONS),
    )
    .execute();
}

export async function endSessions(
  transaction: Transaction,
  userId: string,
  except: string | null = null,
): Promise<void> {
  let query = transaction.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '<>', except);
  await query.execute();
}

/** Replaces the token of a session; undefined if it has ended. */
export async function renewSession(
  transaction: Transaction,
  { userId, sessionId }: SignedIn,
): Promise<string | undefined> {
  const token = createToken();
  const renewed = await transaction
    .updateTable('sessions')
    .set({ token_hash: hashToken(token) })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n ? token : undefined;
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Short name of a device, such as "Firefox on Linux". */
export function describeDevice(userAgent = ''): string {
  const find = (list: readonly (readonly [string, string])[]) =>
    list.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
