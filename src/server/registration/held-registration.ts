import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from '../http/caller.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Registration, Registrations } from './registration.repository.ts';

/** The unpaid registration of a browser, in a signed cookie. */
export interface HeldRegistration {
  id(request: FastifyRequest): string | undefined;
  find(request: FastifyRequest): Promise<Registration | undefined>;
  hold(reply: FastifyReply, registration: Registration): void;
  release(reply: FastifyReply): void;
  /** The registration has become an account: for some minutes the browser can still see the outcome of its payment. */
  settle(reply: FastifyReply, registrationId: string): void;
  /** The registration that this browser has just paid. */
  settledId(request: FastifyRequest): string | undefined;
  /** Deletes the cookie after this user has signed in. */
  releaseOf(userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Browsers may request the return address of a payment twice. */
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
