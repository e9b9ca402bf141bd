import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../platform/keyring.ts';

declare const checked: unique symbol;

/** A user whose session was checked for this request. Created only by `sessions.authenticate`. */
export interface SignedIn {
  readonly [checked]: true;
  readonly userId: string;
  readonly sessionId: string;
  readonly username: string;
  readonly email: string;
}

/** An API client that acts for a user. Its key was checked for this request. */
export interface ApiKeyCaller {
  readonly userId: string;
  readonly keyId: string;
}

/** An anonymous browser, identified by a random id in a signed cookie. */
export interface BrowserCaller {
  readonly visitorId: string;
  /** Whether this request created the id, so that nothing is stored under it. */
  readonly isNew: boolean;
}

/**
 * The caller of a request:
 * - `visitor`: not signed in
 * - `user`: with a valid session
 * - `apiKey`: with a valid key
 * - `browser`: requests a page, which looks the session up itself
 */
export type Caller =
  | ({ readonly kind: 'visitor' } & BrowserCaller)
  | ({ readonly kind: 'browser' } & BrowserCaller)
  | ({ readonly kind: 'user'; readonly user: SignedIn } & BrowserCaller)
  | ({ readonly kind: 'apiKey' } & ApiKeyCaller);

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `admitRequests`; null for routes without a caller. */
    caller: Caller | null;
  }
}

/** Key of limits, uploads and progress; empty if only the address is known. */
export function callerId({ caller }: FastifyRequest): string {
  if (caller === null) return '';
  return caller.kind === 'apiKey' ? `user:${caller.userId}` : caller.visitorId;
}

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

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const ID = /^[\w-]{22}$/;

export function createBrowserIdentification(
  keyring: Keyring,
  secure: boolean,
): (request: FastifyRequest, reply: FastifyReply) => BrowserCaller {
  const cookie = createCookie('visitor', secure);
  return (request, reply) => {
    const value = cookie.read(request);
    const signed = value ? keyring.verify('visitor', value) : undefined;
    const known = signed && ID.test(signed.text) ? signed : undefined;
    const visitorId = known?.text ?? randomBytes(16).toString('base64url');
    if (!known || known.old) cookie.set(reply, keyring.sign('visitor', visitorId), LIFETIME_SECONDS);
    return { visitorId, isNew: known === undefined };
  };
}

const BEARER = /^bearer(?: (.*))?$/i;

/** The API key of a request, valid or not. Other schemes are ignored, because a proxy may require a password. */
export function presentedKey({
  headers: { authorization },
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  const found = authorization === undefined ? null : BEARER.exec(authorization);
  return found ? (found[1] ?? '').trim() : undefined;
}
