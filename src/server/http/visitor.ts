import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../platform/keyring.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking when nobody is signed in: random, and kept in a signed cookie. Set on API calls and pages. */
    visitorId: string;
  }
}

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\w-]{22}$/;

/** The `__Host-` prefix makes browsers refuse the cookie from anything but this very host over https. */
export function visitorCookieName(secure: boolean): string {
  return secure ? '__Host-visitor' : 'visitor';
}

/** Recognises the visitor by the cookie, or gives them one. */
export function identifyVisitor(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyring, secure }: { keyring: Keyring; secure: boolean },
): void {
  const name = visitorCookieName(secure);
  const cookie = request.cookies[name];
  const signed = cookie ? keyring.verify('visitor', cookie) : undefined;
  const known = signed && ID.test(signed.text) ? signed : undefined;
  request.visitorId = known?.text ?? randomBytes(16).toString('base64url');
  if (known && !known.old) return;
  reply.setCookie(name, keyring.sign('visitor', request.visitorId), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: LIFETIME_SECONDS,
  });
}
