import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import { createToken, hashToken } from '../platform/keyring.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { signInRequired } from './accounts.errors.ts';
import { type MailTemplateContext, newDeviceMail } from './accounts.mails.ts';
import type { Database } from './accounts.tables.ts';
import { describeDevice, type Sessions } from './sessions.ts';
import { lockUser } from './users.repository.ts';

interface SignInRequest {
  userId: string;
  userAgent: string | undefined;
  previous: string | undefined;
  /** Whether the browser repeats a request whose mail was already sent. */
  isRepeated: boolean;
  /** Tokens of this browser for all accounts that know it; at most one is for this account. */
  devices: readonly string[];
}

export interface SignIns {
  /** Returns the session token and the new tokens of the known browser. The user gets a mail if the browser was unknown. */
  start(visit: SignInRequest): Promise<{ session: string; devices: readonly string[] }>;
  list(userId: string): Promise<Array<{ device: string; lastSignIn: string }>>;
  deleteExpired(): Promise<void>;
}

interface SignInDependencies {
  database: Database;
  sessions: Sessions;
  mails: MailQueue;
  clock: Clock;
  mailContext: MailTemplateContext;
}

const KNOWN_MS = 365 * 24 * 60 * 60 * 1000;
/** Seconds; renewed by each sign-in. */
export const KNOWN_SECONDS = KNOWN_MS / 1000;
/** Accounts per browser: enough for a family. */
export const MAX_TOKENS = 5;

/**
 * Each account has its own random token for a known browser. A planted token therefore makes no browser known, and the
 * token of one account reveals nothing about another.
 */
export function createSignIns(dependencies: SignInDependencies): SignIns {
  const { database, sessions, mails, mailContext, clock } = dependencies;
  return {
    async start({ userId, userAgent, previous, isRepeated, devices }) {
      const started = await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        if (!user) throw signInRequired();
        const when = clock.now();
        const session = await sessions.open(transaction, userId, userAgent, previous);
        const device = describeDevice(userAgent);
        const lastSeen = {
          device,
          last_seen_at: when.toISOString(),
          expires_at: new Date(when.getTime() + KNOWN_MS).toISOString(),
        };
        const known = await transaction
          .updateTable('known_devices')
          .set(lastSeen)
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
          .values({ token_hash: hashToken(token), user_id: userId, ...lastSeen })
          .execute();
        // At the first sign-in of an account, no browser is known.
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

    async deleteExpired() {
      const now = clock.now().toISOString();
      await database.deleteFrom('known_devices').where('expires_at', '<=', now).execute();
    },
  };
}
