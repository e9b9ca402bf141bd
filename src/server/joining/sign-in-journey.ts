import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Throttle } from '../people/throttle.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import { hashToken } from '../platform/token.ts';

const journeySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The visitor who set out. */
  visitor: z.string(),
  until: z.number(),
  /** The person who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});
type Journey = z.infer<typeof journeySchema>;

/** What a browser holds between leaving for a sign-in provider and coming back. */
export interface SignInJourneys {
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    journey: Pick<Journey, 'state' | 'nonce' | 'verifier' | 'linkFor'>,
  ): void;
  /** Ends the journey: it works once, and only for the visitor who set out. Rejects when there is none to end. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<Journey>;
}

/** How long somebody may take at the provider. */
const PATIENCE_MS = 10 * 60 * 1000;

/**
 * Kept in a signed cookie. Our signature alone would not do: whoever can plant a cookie here would plant that of a
 * sign-in which they began, and the victim would come back as them. So it names the visitor, and what was used is
 * remembered.
 */
export function createSignInJourneys({
  throttle,
  keyring,
  clock,
  secure,
}: {
  throttle: Throttle;
  keyring: Keyring;
  clock: Clock;
  /** Whether the server is reached by https. */
  secure: boolean;
}): SignInJourneys {
  const cookieName = secure ? '__Host-sign-in' : 'sign-in';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  return {
    begin(request, reply, journey) {
      const until = clock.now().getTime() + PATIENCE_MS;
      const kept: Journey = { ...journey, visitor: request.visitorId, until };
      reply.setCookie(cookieName, keyring.sign('sign-in', JSON.stringify(kept)), {
        ...cookie,
        maxAge: PATIENCE_MS / 1000,
      });
    },

    async end(request, reply) {
      const kept = request.cookies[cookieName];
      reply.clearCookie(cookieName, cookie);
      const opened = kept ? keyring.verify('sign-in', kept) : undefined;
      if (!opened) throw new Error('this browser has begun no sign-in');
      const journey = journeySchema.parse(JSON.parse(opened.text));
      if (journey.until <= clock.now().getTime()) throw new Error('the sign-in was begun too long ago');
      if (journey.visitor !== request.visitorId) throw new Error('the sign-in was begun by another browser');
      const once = { key: `sign-in:${hashToken(journey.state)}`, limit: 1, windowMs: PATIENCE_MS };
      if ((await throttle.spend([once])) !== undefined) throw new Error('the sign-in was ended before');
      return journey;
    },
  };
}
