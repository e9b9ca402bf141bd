import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie of this exact host with the path `/`, unreadable for scripts. */
export interface Cookie {
  read(request: FastifyRequest): string | undefined;
  hold(reply: FastifyReply, value: string, seconds: number): void;
  release(reply: FastifyReply): void;
}

export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/**
 * `secure`: whether the server is reached by https. Then the `__Host-` prefix makes browsers refuse the cookie from
 * anything but this very host.
 */
export function createCookie(name: string, secure: boolean): Cookie {
  const fullName = cookieName(name, secure);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    read: (request) => request.cookies[fullName],
    hold: (reply, value, seconds) => void reply.setCookie(fullName, value, { ...options, maxAge: seconds }),
    release: (reply) => void reply.clearCookie(fullName, options),
  };
}
