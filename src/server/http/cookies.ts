import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A host-only, HttpOnly cookie with the path `/`. */
export interface Cookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string, seconds: number): void;
  clear(reply: FastifyReply): void;
}

export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/**
 * `secure`: whether the server is served over https. Then the cookie has the `__Host-` prefix, so that browsers accept it
 * only from this exact host.
 */
export function createCookie(name: string, secure: boolean): Cookie {
  const fullName = cookieName(name, secure);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    read: (request) => request.cookies[fullName],
    set: (reply, value, seconds) => void reply.setCookie(fullName, value, { ...options, maxAge: seconds }),
    clear: (reply) => void reply.clearCookie(fullName, options),
  };
}
