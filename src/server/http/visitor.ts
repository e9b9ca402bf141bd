import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
export function identifyVisitor(request: FastifyRequest, reply: FastifyReply, secure: boolean): void {
  const name = visitorCookieName(secure);
  const cookie = request.cookies[name];
  const signed = cookie ? request.unsignCookie(cookie) : undefined;
  if (signed?.valid && ID.test(signed.value)) {
    request.visitorId = signed.value;
    return;
  }
  request.visitorId = randomBytes(16).toString('base64url');
  reply.setCookie(name, request.visitorId, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    signed: true,
    maxAge: LIFETIME_SECONDS,
  });
}
