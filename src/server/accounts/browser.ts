import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from '../http/cookies.ts';
import { signInRequired } from './accounts.errors.ts';
import { SESSION_SECONDS, type Sessions, type SignedIn } from './sessions.ts';
import { KNOWN_SECONDS, MAX_TOKENS, type SignIns } from './sign-ins.ts';

/** What a browser holds of a person: a session, and what it is known by. */
export interface Browser {
  /** Who is signed in; asked once a request, however often it is called. */
  person(request: FastifyRequest): Promise<SignedIn | null>;
  /** @throws {AppError} 401. */
  requirePerson(request: FastifyRequest): Promise<SignedIn>;
  /** A new session under a new token; the one that the browser had ends. */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
    options?: SignInOptions,
  ): Promise<void>;
  /** The session that this browser has goes on under another token. */
  holdSession(reply: FastifyReply, token: string): void;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export interface SignInOptions {
  /** The browser asks again for what it was told a moment before: its person gets no second mail of it. */
  isRepeated?: boolean;
}

interface BrowserDependencies {
  sessions: Sessions;
  signIns: SignIns;
  /** Whether the server is reached by https. */
  secure: boolean;
  /** Lets go of what else the browser holds of a sign-in. */
  onSignOut: (reply: FastifyReply) => void;
}

const TOKEN = /^[\w-]{43}$/;

export function createBrowser({ sessions, signIns, secure, onSignOut }: BrowserDependencies): Browser {
  const session = createCookie('session', secure);
  const device = createCookie('device', secure);
  const people = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

  return {
    person(request) {
      const token = session.read(request);
      if (!token) return Promise.resolve(null);
      const known = people.get(request) ?? sessions.authenticate(token);
      people.set(request, known);
      return known;
    },

    async requirePerson(request) {
      const person = await this.person(request);
      if (!person) throw signInRequired();
      return person;
    },

    async signIn(request, reply, userId, { isRepeated = false } = {}) {
      const begun = await signIns.begin({
        userId,
        userAgent: request.headers['user-agent'],
        previous: session.read(request),
        isRepeated,
        devices: (device.read(request) ?? '')
          .split('.')
          .filter((token) => TOKEN.test(token))
          .slice(0, MAX_TOKENS),
      });
      device.hold(reply, begun.devices.join('.'), KNOWN_SECONDS);
      this.holdSession(reply, begun.session);
    },

    holdSession(reply, token) {
      session.hold(reply, token, SESSION_SECONDS);
    },

    async signOut(request, reply) {
      const token = session.read(request);
      if (token) await sessions.close(token);
      session.release(reply);
      onSignOut(reply);
    },
  };
}
