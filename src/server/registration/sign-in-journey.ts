import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createOneTimeCookie, type OneTimeCookieTools } from '../accounts/one-time-cookie.ts';

const journeySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The person who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});
type Journey = z.infer<typeof journeySchema>;

/** The browser's state between leaving for a sign-in provider and coming back. */
export interface SignInJourneys {
  begin(request: FastifyRequest, reply: FastifyReply, journey: Journey): void;
  /** Only for the visitor who set out. It stays in the browser, so that an address that is fetched twice finds it twice. */
  read(request: FastifyRequest): Journey | undefined;
  /** False where it was ended before by a server that does not keep what it found. */
  spend(journey: Journey): Promise<boolean>;
  release(reply: FastifyReply): void;
}

export const JOURNEY_MS = 10 * 60 * 1000;

export function createSignInJourneys(tools: OneTimeCookieTools): SignInJourneys {
  const cookie = createOneTimeCookie(tools, {
    name: 'sign-in',
    content: journeySchema,
    idOf: ({ state }) => state,
    patienceMs: JOURNEY_MS,
  });
  return {
    begin(request, reply, { state, nonce, verifier, linkFor }) {
      cookie.hold(request, reply, { state, nonce, verifier, linkFor });
    },
    read: cookie.read,
    spend: cookie.spend,
    release: cookie.release,
  };
}
