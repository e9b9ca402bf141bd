import type { FastifyReply, FastifyRequest } from 'fastify';
import { HEADERS, shownPerson, showsSomebody } from '#contract/headers';
import type { User } from '#contract/user';
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
 * Nothing is done, and nothing charged, in the name of anybody but whom the page shows. A session may have ended behind
 * the page's back, or another tab signed somebody else in: then a call is refused before its body is read. Where the page
 * shows nobody, the call goes on for whoever has signed in meanwhile. In each case the answer says that the page is behind.
 */
export function refuseChangedPerson(request: FastifyRequest, reply: FastifyReply): void {
  const shown = request.headers[HEADERS.shownPerson];
  if (typeof shown !== 'string') return;
  const user = request.caller?.kind === 'user' ? request.caller.user : null;
  if (shown === shownPerson(user?.username ?? null)) return;
  reply.header(HEADERS.personChanged, 'true');
  if (showsSomebody(shown)) throw user ? signedInAsAnother(user.username) : sessionEnded();
}
