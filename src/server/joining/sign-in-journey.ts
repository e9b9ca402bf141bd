import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createOneTimeCookie, type OneTimeCookieTools } from '../people/one-time-cookie.ts';

const journeySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The person who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});
type Journey = z.infer<typeof journeySchema>;

/** What a browser holds between leaving for a sign-in provider and coming back. */
export interface SignInJourneys {
  begin(request: FastifyRequest, reply: FastifyReply, journey: Journey): void;
  /** Ends the journey: it works once, and only for the visitor who set out. Rejects when there is none to end. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<Journey>;
}

/** How long somebody may take at the provider. */
const PATIENCE_MS = 10 * 60 * 1000;

export function createSignInJourneys(tools: OneTimeCookieTools): SignInJourneys {
  const cookie = createOneTimeCookie(tools, {
    name: 'sign-in',
    content: journeySchema,
    idOf: ({ state }) => state,
    patienceMs: PATIENCE_MS,
  });
  return {
    begin(request, reply, { state, nonce, verifier, linkFor }) {
      cookie.hold(request, reply, { state, nonce, verifier, linkFor });
    },

    async end(request, reply) {
      const journey = cookie.read(request);
      cookie.release(reply);
      if (!journey) throw new Error('this browser has begun no sign-in, or too long ago');
      if (!(await cookie.spend(journey))) throw new Error('the sign-in was ended before');
      return journey;
    },
  };
}
