import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerId, createCookie } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { hashToken, type KeyPurpose, type Keyring } from '../platform/keyring.ts';
import type { Throttle } from './throttle.ts';

/**
 * State of a browser between two steps of signing in. A signature is not enough: an attacker who can plant cookies could
 * plant the cookie of their own sign-in, and the victim would finish it as the attacker. So the cookie contains the id of
 * the visitor who started the sign-in and an expiry, and works once.
 */
export interface OneTimeCookie<T> {
  set(request: FastifyRequest, reply: FastifyReply, content: T): void;
  /** Undefined if this visitor has no valid cookie. */
  read(request: FastifyRequest): T | undefined;
  /** Marks it as used. False if it was used before. */
  consume(content: T): Promise<boolean>;
  clear(reply: FastifyReply): void;
}

export interface OneTimeCookieTools {
  throttle: Throttle;
  keyring: Keyring;
  clock: Clock;
  secure: boolean;
}

interface OneTimeCookieOptions<T> {
  name: KeyPurpose;
  content: z.ZodType<T>;
  /** A unique id of the content. */
  idOf: (content: T) => string;
  lifetimeMs: number;
}

export function createOneTimeCookie<T>(
  { throttle, keyring, clock, secure }: OneTimeCookieTools,
  { name, content, idOf, lifetimeMs }: OneTimeCookieOptions<T>,
): OneTimeCookie<T> {
  const cookie = createCookie(name, secure);
  const cookieSchema = z.object({ content, visitor: z.string(), until: z.number() });
  return {
    set(request, reply, content) {
      const until = clock.now().getTime() + lifetimeMs;
      const state = { content, visitor: callerId(request), until };
      cookie.set(reply, keyring.sign(name, JSON.stringify(state)), lifetimeMs / 1000);
    },

    read(request) {
      const value = cookie.read(request);
      const signed = value ? keyring.verify(name, value) : undefined;
      // A cookie of an earlier version has another form.
      const state = signed && cookieSchema.safeParse(JSON.parse(signed.text)).data;
      const isValid = state && state.until > clock.now().getTime() && state.visitor === callerId(request);
      return isValid ? state.content : undefined;
    },

    async consume(content) {
      const key = `once:${name}:${hashToken(idOf(content))}`;
      return (await throttle.spend([{ key, limit: 1, windowMs: lifetimeMs }])) === undefined;
    },

    clear: (reply) => cookie.clear(reply),
  };
}
