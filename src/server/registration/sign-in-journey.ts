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
  begin(request: FastifyRequest, reply: FastifyReply, journey: Journey): void;
  /** Only for the visitor who started. It is not deleted, because browsers may request the callback twice. */
  read(request: FastifyRequest): Journey | undefined;
  /** False if it was already used by a server that stores no outcomes. */
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
    begin(request, reply, { state, nonce, verifier, linkFor }) {
      cookie.set(request, reply, { state, nonce, verifier, linkFor });
    },
    read: cookie.read,
    spend: cookie.spend,
    clear: cookie.clear,
  };
}
