import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerId } from '../http/caller.ts';
import { createCookie } from '../http/cookies.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeyPurpose, Keyring } from '../platform/keyring.ts';
import { hashToken } from '../platform/token.ts';
import type { Throttle } from './throttle.ts';

/**
 * What a browser holds between two steps of signing in. A signature alone would not do: an attacker who can plant a
 * cookie could plant that of a sign-in which they started, and the victim would finish it as them. So the cookie names
 * the visitor who started and its expiry, and a used one is remembered.
 */
export interface OneTimeCookie<T> {
  hold(request: FastifyRequest, reply: FastifyReply, content: T): void;
  /** Undefined when this visitor holds none that still counts. */
  read(request: FastifyRequest): T | undefined;
  /** False when it was spent before. */
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
  /** What makes each cookie unique. */
  idOf: (content: T) => string;
  patienceMs: number;
}

export function createOneTimeCookie<T>(
  { throttle, keyring, clock, secure }: OneTimeCookieTools,
  { name, content, idOf, patienceMs }: OneTimeCookieOptions<T>,
): OneTimeCookie<T> {
  const cookie = createCookie(name, secure);
  const keptSchema = z.object({ content, visitor: z.string(), until: z.number() });
  return {
    hold(request, reply, given) {
      const until = clock.now().getTime() + patienceMs;
      const kept = { content: given, visitor: callerId(request), until };
      cookie.hold(reply, keyring.sign(name, JSON.stringify(kept)), patienceMs / 1000);
    },

    read(request) {
      const held = cookie.read(request);
      const signed = held ? keyring.verify(name, held) : undefined;
      // One that an earlier version of the product wrote has another form.
      const kept = signed && keptSchema.safeParse(JSON.parse(signed.text)).data;
      const counts = kept && kept.until > clock.now().getTime() && kept.visitor === callerId(request);
      return counts ? kept.content : undefined;
    },

    async spend(given) {
      const key = `once:${name}:${hashToken(idOf(given))}`;
      return (await throttle.spend([{ key, limit: 1, windowMs: patienceMs }])) === undefined;
    },

    release: (reply) => cookie.release(reply),
  };
}
