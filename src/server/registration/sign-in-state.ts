import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createOneTimeCookie, type OneTimeCookieTools } from '../accounts/one-time-cookie.ts';

const signInStateSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The user who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});
type SignInState = z.infer<typeof signInStateSchema>;

/** The browser's state between the redirect to a sign-in provider and the callback. */
export interface SignInStates {
  start(request: FastifyRequest, reply: FastifyReply, signInState: SignInState): void;
  /** Returns the state to the visitor who started it. Does not delete it, because browsers may request the callback twice. */
  read(request: FastifyRequest): SignInState | undefined;
  /** False if a server of an earlier version, which stores no outcomes, has already used the state. */
  consume(signInState: SignInState): Promise<boolean>;
  clear(reply: FastifyReply): void;
}

export const SIGN_IN_MS = 10 * 60 * 1000;

export function createSignInStates(tools: OneTimeCookieTools): SignInStates {
  const cookie = createOneTimeCookie(tools, {
    name: 'sign-in',
    content: signInStateSchema,
    idOf: ({ state }) => state,
    lifetimeMs: SIGN_IN_MS,
  });
  return {
    start(request, reply, { state, nonce, verifier, linkFor }) {
      cookie.set(request, reply, { state, nonce, verifier, linkFor });
    },
    read: cookie.read,
    consume: cookie.consume,
    clear: cookie.clear,
  };
}
