import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#contract/account';
import { HEADERS, shownPerson, showsUser } from '#contract/headers';
import { sessionEnded, signedInAsAnother } from './accounts.errors.ts';
import type { Accounts } from './users.repository.ts';

/** A person as the page shows them; null when there is no such account (any more). */
export type Present = (userId: string) => Promise<User | null>;

export function createPresent(accounts: Accounts, isPremium: (userId: string) => Promise<boolean>): Present {
  return async (userId) => {
    const user = await accounts.find(userId);
    return user ? { username: user.username, email: user.email, isPremium: await isPremium(userId) } : null;
  };
}

/**
 * Nothing is done or charged for any user but the one whom the page shows. A session may have ended, or another tab may
 * have signed another user in: then a call is refused before its body is read. Where the page shows no user, the call
 * continues for the user who has signed in since. In each case the answer says that the page is out of date.
 */
export function refuseChangedPerson(request: FastifyRequest, reply: FastifyReply): void {
  const shown = request.headers[HEADERS.shownPerson];
  if (typeof shown !== 'string') return;
  const user = request.caller?.kind === 'user' ? request.caller.user : null;
  if (shown === shownPerson(user?.username ?? null)) return;
  reply.header(HEADERS.personChanged, 'true');
  if (showsUser(shown)) throw user ? signedInAsAnother(user.username) : sessionEnded();
}
