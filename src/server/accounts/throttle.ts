import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { tooManyAttempts } from './accounts.errors.ts';
import type { Database } from './accounts.tables.ts';
import { mailboxKey } from './username.ts';

/** A limit: its key, such as an account or an IP address, the maximum and the window. */
export interface RateLimit {
  /** Such as `login:account:anna`. */
  key: string;
  limit: number;
  windowMs: number;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** A limit per mailbox and kind of mail, however many callers and networks request it. */
export function mailLimits(mailbox: string, kind: 'verify' | 'reset' | 'waitlist'): RateLimit[] {
  const key = `${kind}:mailbox:${mailboxKey(mailbox)}`;
  return [
    { key: `${key}:hour`, limit: 3, windowMs: HOUR_MS },
    { key: `${key}:day`, limit: 6, windowMs: 24 * HOUR_MS },
  ];
}

/** Counts attempts in the database, so that a restart or a second server gives no attacker a fresh start. */
export interface Throttle {
  /**
   * Counts one attempt under each key before the work is done, so that parallel attempts cannot slip through together.
   * @throws {AppError} `accounts.too_many_attempts` if one key is over its limit.
   */
  countOrThrow(limits: readonly RateLimit[]): Promise<void>;
  /**
   * Takes one use if the limit allows it; a refusal is not counted. Returns undefined, or the seconds until another use is
   * allowed.
   */
  tryConsume(limits: readonly RateLimit[]): Promise<number | undefined>;
  /** The seconds until `tryConsume` would allow another use; undefined if it would allow one now. Counts nothing. */
  wait(limits: readonly RateLimit[]): Promise<number | undefined>;
  giveBack(limits: readonly RateLimit[]): Promise<void>;
  clear(keys: readonly string[]): Promise<void>;
  deleteExpired(): Promise<void>;
}

/** `secret`: key of the HMAC under which names and addresses are stored. */
export function createThrottle(database: Database, clock: Clock, secret: string): Throttle {
  const hashedKey = (key: string) =>
    createHmac('sha256', secret).update(`throttle ${key}`).digest('base64url');

  /** Counts one attempt under each key. Returns the milliseconds until all limits allow it; undefined if they do now. */
  async function count(limits: readonly RateLimit[]): Promise<number | undefined> {
    const now = clock.now();
    const moment = now.toISOString();
    let wait: number | undefined;
    for (const { key, limit, windowMs } of limits) {
      const windowEnds = new Date(now.getTime() + windowMs).toISOString();
      const row = await database
        .insertInto('throttles')
        .values({ key: hashedKey(key), attempts: 1, window_ends: windowEnds })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            attempts: sql`case when throttles.window_ends <= ${moment} then 1 else throttles.attempts + 1 end`,
            window_ends: sql`case when throttles.window_ends <= ${moment} then ${windowEnds} else throttles.window_ends end`,
          }),
        )
        .returning(['attempts', 'window_ends'])
        .executeTakeFirstOrThrow();
      if (row.attempts <= limit) continue;
      wait = Math.max(wait ?? 0, new Date(row.window_ends).getTime() - now.getTime());
    }
    return wait;
  }

  return {
    async countOrThrow(limits) {
      const wait = await count(limits);
      if (wait !== undefined) throw tooManyAttempts(wait / 1000);
    },

    async tryConsume(limits) {
      const wait = await count(limits);
      if (wait === undefined) return undefined;
      await this.giveBack(limits);
      return wait / 1000;
    },

    async wait(limits) {
      const now = clock.now().getTime();
      let wait: number | undefined;
      for (const { key, limit } of limits) {
        const row = await database
          .selectFrom('throttles')
          .select(['attempts', 'window_ends'])
          .where('key', '=', hashedKey(key))
          .executeTakeFirst();
        const left = row && row.attempts >= limit ? new Date(row.window_ends).getTime() - now : 0;
        if (left > 0) wait = Math.max(wait ?? 0, left / 1000);
      }
      return wait;
    },

    async giveBack(limits) {
      for (const { key } of limits) {
        await database
          .updateTable('throttles')
          .set((row) => ({ attempts: row('attempts', '-', 1) }))
          .where('key', '=', hashedKey(key))
          .where('attempts', '>', 0)
          .execute();
      }
    },

    async clear(keys) {
      await database.deleteFrom('throttles').where('key', 'in', keys.map(hashedKey)).execute();
    },

    async deleteExpired() {
      await database.deleteFrom('throttles').where('window_ends', '<=', clock.now().toISOString()).execute();
    },
  };
}
