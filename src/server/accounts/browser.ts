import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#contract/account';
import { HEADERS, shownPerson, showsUser } from '#contract/headers';
import { type Caller, createCookie, type SignedIn } from '../http/caller.ts';
import { sessionEnded, signedInAsAnother, signInRequired } from './accounts.errors.ts';
import { SESSION_SECONDS, type Sessions } from './sessions.ts';
import { KNOWN_SECONDS, MAX_TOKENS, type SignIns } from './sign-ins.ts';
import type { Accounts } from './users.repository.ts';

/** The cookies of a user in a browser: the session, and the token of the known browser. */
export interface Browser {
  /** The signed-in user. The session is queried once per request. */
  user(request: FastifyRequest): Promise<SignedIn | null>;
  /** The caller, after a session lookup. Page requests look the session up only when they need the user. */
  caller(request: FastifyRequest): Promise<Exclude<Caller, { kind: 'browser' }>>;
  /** Starts a new session and ends the previous one of this browser. */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
    options?: SignInOptions,
  ): Promise<void>;
  /** Renews the token of this browser's session. */
  setSession(reply: FastifyReply, token: string): void;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface SignInOptions {
  /** For a repeated request of the same browser: sends no second mail. */
  isRepeated?: boolean;
}

interface BrowserDependencies {
  sessions: Sessions;
  signIns: SignIns;
  secure: boolean;
  /** Clears the browser's other sign-in state. */
  onSignOut: (reply: FastifyReply) => void;
}

const TOKEN = /^[\w-]{43}$/;

export function createBrowser({ sessions, signIns, secure, onSignOut }: BrowserDependencies): Browser {
  const session = createCookie('session', secure);
  const device = createCookie('device', secure);
  const users = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

  return {
    user(request) {
      const token = session.read(request);
      if (!token) return Promise.resolve(null);
      const known = users.get(request) ?? sessions.authenticate(token);
      users.set(request, known);
      return known;
    },

    async caller(request) {
      const { caller } = request;
      if (caller === null) throw new Error(`the caller of ${request.url} is not identified`);
      if (caller.kind !== 'browser') return caller;
      const { visitorId, isNew } = caller;
      const user = await this.user(request);
      return user ? { kind: 'user', user, visitorId, isNew } : { kind: 'visitor', visitorId, isNew };
    },

    async signIn(request, reply, userId, { isRepeated = false } = {}) {
      const started = await signIns.start({
        userId,
        userAgent: request.headers['user-agent'],
        previous: session.read(request),
        isRepeated,
        devices: (device.read(request) ?? '')
          .split('.')
          .filter((token) => TOKEN.test(token))
          .slice(0, MAX_TOKENS),
      });
      device.set(reply, started.devices.join('.'), KNOWN_SECONDS);
      this.setSession(reply, started.session);
    },

    setSession(reply, token) {
      session.set(reply, token, SESSION_SECONDS);
    },

    async signOut(request, reply) {
      const token = session.read(request);
      if (token) await sessions.close(token);
      session.clear(reply);
      onSignOut(reply);
    },
  };
}

/** The user of a call that requires one. @throws {AppError} 401. */
export function requireUser({ caller }: FastifyRequest): SignedIn {
  if (caller?.kind !== 'user') throw signInRequired();
  return caller.user;
}

/** The user as the page shows them; null if the account does not exist (any more). */
export type PublicUserLookup = (userId: string) => Promise<User | null>;

export function createPublicUserLookup(
  accounts: Accounts,
  isPremium: (userId: string) => Promise<boolean>,
): PublicUserLookup {
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
