import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import { hashToken } from '../platform/keyring.ts';
import type { VerifiedIdentity } from './identity-provider.ts';
import type { Database } from './registration.tables.ts';

/**
 * Browsers may request the callback twice: they prefetch or retry, or the user reloads. The provider's code works once, so the
 * second request gets the outcome of the first one, from the database, because it may reach another process.
 */
export interface CallbackOutcomes {
  /** True for the first request with this state, which has to store the outcome. */
  claim(state: string): Promise<boolean>;
  /** `found`: null for a failure. */
  store(state: string, found: CallbackOutcome | null): Promise<void>;
  /** Waits for the outcome of the first request. Rejects if it failed, takes too long or is older than a minute. */
  wait(state: string): Promise<CallbackOutcome>;
  deleteExpired(): Promise<void>;
}

/** Outcome of a sign-in: the verified identity, and the registration of a new user. */
export interface CallbackOutcome {
  identity: VerifiedIdentity;
  registrationId: string | null;
}

interface CallbackOutcomesDependencies {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  /** Lifetime of a sign-in's cookie, and of its used state. Milliseconds. */
  lifetimeMs: number;
  /** For tests: timeout of `wait`. Milliseconds. */
  waitMs?: number;
}

/** The outcome can be repeated for this long. */
const FOUND_MS = 60_000;
const WAIT_MS = 10_000;
const POLL_MS = 200;

const identitySchema = z
  .object({
    provider: z.string(),
    subject: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    name: z.string().optional(),
    preferredUsername: z.string().optional(),
  })
  .transform(
    ({ name, preferredUsername, ...known }): VerifiedIdentity => ({ ...known, name, preferredUsername }),
  );
const foundSchema = z.object({ identity: identitySchema, registrationId: z.string().nullable() }).nullable();

const ownerOf = (name: string): string => `sign-in ${name}`;

export function createCallbackOutcomes(dependencies: CallbackOutcomesDependencies): CallbackOutcomes {
  const { database, keyring, clock, lifetimeMs, waitMs = WAIT_MS } = dependencies;
  const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

  return {
    async claim(state) {
      const claimed = await database
        .insertInto('finished_sign_ins')
        .values({
          state_hash: hashToken(state),
          found: null,
          found_until: inMs(FOUND_MS),
          expires_at: inMs(lifetimeMs),
        })
        .onConflict((conflict) => conflict.column('state_hash').doNothing())
        .returning('state_hash')
        .executeTakeFirst();
      return claimed !== undefined;
    },

    async store(state, found) {
      const name = hashToken(state);
      await database
        .updateTable('finished_sign_ins')
        .set({
          found: keyring.seal(JSON.stringify(found), ownerOf(name)),
          found_until: inMs(FOUND_MS),
        })
        .where('state_hash', '=', name)
        .execute();
    },

    async wait(state) {
      const name = hashToken(state);
      const until = performance.now() + waitMs;
      for (;;) {
        const row = await database
          .selectFrom('finished_sign_ins')
          .select(['found', 'found_until'])
          .where('state_hash', '=', name)
          .executeTakeFirst();
        if (!row?.found_until || row.found_until <= clock.now().toISOString()) {
          throw new Error('the sign-in has expired');
        }
        if (row.found !== null) {
          const found = foundSchema.parse(JSON.parse(keyring.unseal(row.found, ownerOf(name))));
          if (!found) throw new Error('the first request of this sign-in failed');
          return found;
        }
        if (performance.now() > until) throw new Error('the sign-in takes too long in another request');
        await delay(POLL_MS);
      }
    },

    async deleteExpired() {
      const now = clock.now().toISOString();
      await database.deleteFrom('finished_sign_ins').where('expires_at', '<=', now).execute();
      await database
        .updateTable('finished_sign_ins')
        .set({ found: null, found_until: null })
        .where('found_until', '<=', now)
        .execute();
    },
  };
}
