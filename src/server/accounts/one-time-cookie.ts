import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerId, createCookie } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { hashToken, type KeyPurpose, type Keyring } from '../platform/keyring.ts';
import type { Throttle } from './throttle.ts';

/**
 * State of a browser between two steps of signing in. A signature is not enough: an attacker who can plant cookies could
 * plant the cookie of their own sign-in, and the victim would finish it as the attacker. So the cookie contains the
 * visitor who started and an expiry, and works once.
 */
export interface OneTimeCookie<T> {
  hold(request: FastifyRequest, reply: FastifyReply, content: T): void;
  /** Undefined if this visitor has no valid cookie. */
  read(request: FastifyRequest): T | undefined;
  /** Marks it as used. False if it was used before. */
  spend(content: T): Promise<boolean>;
  release(reply: FastifyReply): void;
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
  const keptSchema = z.object({ content, visitor: z.string(), until: z.number() });
  return {
    hold(request, reply, given) {
      const until = clock.now().getTime() + lifetimeMs;
      const kept = { content: given, visitor: callerId(request), until };
      cookie.hold(reply, keyring.sign(name, JSON.stringify(kept)), lifetimeMs / 1000);
    },

    read(request) {
      const held = cookie.read(request);
      const signed = held ? keyring.verify(name, held) : undefined;
      // A cookie of an earlier version has another form.
      const kept = signed && keptSchema.safeParse(JSON.parse(signed.text)).data;
      const counts = kept && kept.until > clock.now().getTime() && kept.visitor === callerId(request);
      return counts ? kept.content : undefined;
    },

    async spend(given) {
      const key = `once:${name}:${hashToken(idOf(given))}`;
      return (await throttle.spend([{ key, limit: 1, windowMs: lifetimeMs }])) === undefined;
    },

    release: (reply) => cookie.release(reply),
  };
}
