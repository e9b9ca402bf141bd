import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#contract/account';
import { HEADERS, shownPerson, showsUser } from '#contract/headers';
import { sessionEnded, signedInAsAnother } from './accounts.errors.ts';
import type { Accounts } from './users.repository.ts';

/** The user as the page shows them; null if the account does not exist (any more). */
export type Present = (userId: string) => Promise<User | null>;

export function createPresent(accounts: Accounts, isPremium: (userId: string) => Promise<boolean>): Present {
  return async (userId) => {
    const user = await accounts.find(userId);
    return user ? { username: user.username, email: user.email, isPremium: await isPremium(userId) } : null;
  };
}

/**
 * Ensures that a call runs and charges only for the user whom the page shows. If the session has ended, or another tab has
 * signed another user in, the call is rejected before its body is read. If the page shows no user, the call continues for
 * the user who signed in since. In each case the answer marks the page as out of date.
 */
export function refuseChangedPerson(request: FastifyRequest, reply: FastifyReply): void {
  const shown = request.headers[HEADERS.shownPerson];
  if (typeof shown !== 'string') return;
  const user = request.caller?.kind === 'user' ? request.caller.user : null;
  if (shown === shownPerson(user?.username ?? null)) return;
  reply.header(HEADERS.personChanged, 'true');
  if (showsUser(shown)) throw user ? signedInAsAnother(user.username) : sessionEnded();
}
