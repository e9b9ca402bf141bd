import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from '../http/cookies.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Registration, Registrations } from './registration.repository.ts';

/** The registration that a browser holds, in a signed cookie, until it has been paid for. */
export interface HeldRegistration {
  id(request: FastifyRequest): string | undefined;
  find(request: FastifyRequest): Promise<Registration | undefined>;
  hold(reply: FastifyReply, registration: Registration): void;
  release(reply: FastifyReply): void;
  /** It has become an account: for some minutes the browser is still known as the one that paid, and nothing else. */
  settle(reply: FastifyReply, registrationId: string): void;
  /** The registration that this browser has just paid for. */
  settledId(request: FastifyRequest): string | undefined;
  /** After this user has signed in: the browser's note about its registration is no longer needed. */
  releaseOf(userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An address that the payment provider sends the browser to may be fetched twice. */
const SETTLED_SECONDS = 10 * 60;
const SETTLED = 'settled ';

export function createHeldRegistration({
  registrations,
  keyring,
  secure,
}: {
  registrations: Pick<Registrations, 'find'>;
  keyring: Keyring;
  secure: boolean;
}): HeldRegistration {
  const cookie = createCookie('registration', secure);
  function textOf(request: FastifyRequest): string {
    const kept = cookie.read(request);
    return (kept && keyring.verify('registration', kept)?.text) || '';
  }
  const idIn = (text: string) => (ID.test(text) ? text : undefined);

  return {
    id: (request) => idIn(textOf(request)),

    async find(request) {
      const id = this.id(request);
      return id === undefined ? undefined : registrations.find(id);
    },

    hold: (reply, { id }) => cookie.hold(reply, keyring.sign('registration', id), SECONDS),

    release: (reply) => cookie.release(reply),

    settle: (reply, id) => cookie.hold(reply, keyring.sign('registration', SETTLED + id), SETTLED_SECONDS),

    settledId(request) {
      const text = textOf(request);
      return text.startsWith(SETTLED) ? idIn(text.slice(SETTLED.length)) : undefined;
    },

    async releaseOf(userId, request, reply) {
      if ((await this.find(request))?.user_id === userId) this.release(reply);
    },
  };
}
