import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from '../http/caller.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Registration, Registrations } from './registration.repository.ts';

/** Signed cookie with the unpaid registration of a browser. */
export interface RegistrationCookie {
  id(request: FastifyRequest): string | undefined;
  find(request: FastifyRequest): Promise<Registration | undefined>;
  set(reply: FastifyReply, registration: Registration): void;
  clear(reply: FastifyReply): void;
  /** Called when the registration has become an account: for ten minutes the browser can still see its payment's outcome. */
  markCompleted(reply: FastifyReply, registrationId: string): void;
  /** The registration that this browser has paid within the last ten minutes. */
  completedId(request: FastifyRequest): string | undefined;
  /** Deletes the cookie after this user has signed in. */
  clearAfterSignIn(userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Browsers may request the return address of a payment twice. */
const COMPLETED_SECONDS = 10 * 60;
const COMPLETED = 'settled ';

export function createRegistrationCookie({
  registrations,
  keyring,
  secure,
}: {
  registrations: Pick<Registrations, 'find'>;
  keyring: Keyring;
  secure: boolean;
}): RegistrationCookie {
  const cookie = createCookie('registration', secure);
  function textOf(request: FastifyRequest): string {
    const value = cookie.read(request);
    return (value && keyring.verify('registration', value)?.text) || '';
  }
  const idIn = (text: string) => (ID.test(text) ? text : undefined);

  return {
    id: (request) => idIn(textOf(request)),

    async find(request) {
      const id = this.id(request);
      return id === undefined ? undefined : registrations.find(id);
    },

    set: (reply, { id }) => cookie.set(reply, keyring.sign('registration', id), SECONDS),

    clear: (reply) => cookie.clear(reply),

    markCompleted: (reply, id) =>
      cookie.set(reply, keyring.sign('registration', COMPLETED + id), COMPLETED_SECONDS),

    completedId(request) {
      const text = textOf(request);
      return text.startsWith(COMPLETED) ? idIn(text.slice(COMPLETED.length)) : undefined;
    },

    async clearAfterSignIn(userId, request, reply) {
      if ((await this.find(request))?.user_id === userId) this.clear(reply);
    },
  };
}
