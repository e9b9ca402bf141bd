import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createOneTimeCookie, type OneTimeCookieTools } from '../accounts/one-time-cookie.ts';

const journeySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The user who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});
type Journey = z.infer<typeof journeySchema>;

/** The browser's state between the redirect to a sign-in provider and the callback. */
export interface SignInJourneys {
  start(request: FastifyRequest, reply: FastifyReply, journey: Journey): void;
  /** Returns the journey to the visitor who started it. Does not delete it, because browsers may request the callback twice. */
  read(request: FastifyRequest): Journey | undefined;
  /** False if a server of an earlier version, which stores no outcomes, has already used the journey. */
  spend(journey: Journey): Promise<boolean>;
  clear(reply: FastifyReply): void;
}

export const JOURNEY_MS = 10 * 60 * 1000;

export function createSignInJourneys(tools: OneTimeCookieTools): SignInJourneys {
  const cookie = createOneTimeCookie(tools, {
    name: 'sign-in',
    content: journeySchema,
    idOf: ({ state }) => state,
    lifetimeMs: JOURNEY_MS,
  });
  return {
    start(request, reply, { state, nonce, verifier, linkFor }) {
      cookie.set(request, reply, { state, nonce, verifier, linkFor });
    },
    read: cookie.read,
    spend: cookie.spend,
    clear: cookie.clear,
  };
}
