import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { createToken, hashToken } from '../platform/token.ts';
import { signInRequired } from './accounts.errors.ts';
import { type MailTemplateContext, newDeviceMail } from './accounts.mails.ts';
import type { Database } from './accounts.tables.ts';
import { describeDevice, type Sessions } from './sessions.ts';
import { lockUser } from './users.repository.ts';

interface KnownBrowser {
  userId: string;
  userAgent: string | undefined;
  previous: string | undefined;
  /** Whether its user got a mail of it a moment before. */
  isRepeated: boolean;
  /** Tokens by which the browser was known to accounts before; at most one of them to this one. */
  devices: readonly string[];
}

export interface SignIns {
  /** A session, and what the browser is known by from now on. Its person gets a mail when they did not know it. */
  begin(visit: KnownBrowser): Promise<{ session: string; devices: readonly string[] }>;
  list(userId: string): Promise<Array<{ device: string; lastSignIn: string }>>;
  forget(): Promise<void>;
}

interface SignInDependencies {
  database: Database;
  sessions: Sessions;
  mails: MailQueue;
  clock: Clock;
  mailContext: MailTemplateContext;
}

const KNOWN_MS = 365 * 24 * 60 * 60 * 1000;
/** Seconds; a browser that signs in again is known for as long again. */
export const KNOWN_SECONDS = KNOWN_MS / 1000;
/** Accounts that one browser is known to: a family's. */
export const MAX_TOKENS = 5;

/**
 * A browser is known to an account by a random token of its own, so that no browser becomes known by a planted token,
 * and the token of one account shows nothing about another.
 */
export function createSignIns(dependencies: SignInDependencies): SignIns {
  const { database, sessions, mails, mailContext, clock } = dependencies;
  return {
    async begin({ userId, userAgent, previous, isRepeated, devices }) {
      const started = await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        if (!user) throw signInRequired();
        const when = clock.now();
        const session = await sessions.open(transaction, userId, userAgent, previous);
        const device = describeDevice(userAgent);
        const seen = {
          device,
          last_seen_at: when.toISOString(),
          expires_at: new Date(when.getTime() + KNOWN_MS).toISOString(),
        };
        const known = await transaction
          .updateTable('known_devices')
          .set(seen)
          .where('user_id', '=', userId)
          .where('token_hash', 'in', ['', ...devices.map(hashToken)])
          .where('expires_at', '>', when.toISOString())
          .returning('token_hash')
          .executeTakeFirst();
        await transaction
          .updateTable('users')
          .set({ signed_in_at: when.toISOString() })
          .where('id', '=', userId)
          .execute();
        if (known) return { session, devices };
        const token = createToken();
        await transaction
          .insertInto('known_devices')
          .values({ token_hash: hashToken(token), user_id: userId, ...seen })
          .execute();
        // The first time of all, no browser could be known.
        if (user.signed_in_at !== null && !isRepeated) {
          await mails.enqueue(transaction, newDeviceMail(mailContext.notice(user), device));
        }
        return { session, devices: [token, ...devices].slice(0, MAX_TOKENS) };
      });
      mails.wake();
      return started;
    },

    async list(userId) {
      const rows = await database
        .selectFrom('known_devices')
        .select(['device', 'last_seen_at'])
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .execute();
      return rows.map(({ device, last_seen_at }) => ({ device, lastSignIn: last_seen_at }));
    },

    async forget() {
      const now = clock.now().toISOString();
      await database.deleteFrom('known_devices').where('expires_at', '<=', now).execute();
    },
  };
}
