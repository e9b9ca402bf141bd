import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../platform/keyring.ts';
import { createCookie } from './cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking when nobody is signed in: random, and kept in a signed cookie. Set on API calls and pages. */
    visitorId: string;
    /** The id was made for this very request: nothing is known of it anywhere. */
    isNewVisitor: boolean;
  }
}

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\w-]{22}$/;

/** Recognises the visitor by the cookie, or gives them one. */
export function createVisitorCheck(
  keyring: Keyring,
  secure: boolean,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const cookie = createCookie('visitor', secure);
  return (request, reply) => {
    const kept = cookie.read(request);
    const signed = kept ? keyring.verify('visitor', kept) : undefined;
    const known = signed && ID.test(signed.text) ? signed : undefined;
    request.visitorId = known?.text ?? randomBytes(16).toString('base64url');
    request.isNewVisitor = known === undefined;
    if (known && !known.old) return;
    cookie.hold(reply, keyring.sign('visitor', request.visitorId), LIFETIME_SECONDS);
  };
}
