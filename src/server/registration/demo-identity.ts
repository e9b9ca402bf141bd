import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { DemoSignInRequest } from '#contract/account';
import { DEMO_IDENTITY } from '#contract/page';
import { PAGES } from '#contract/paths';
import { emailKey } from '../accounts/username.ts';
import type { Clock } from '../platform/clock.ts';
import { createToken } from '../platform/token.ts';
import type { IdentityProvider, ProvenIdentity } from './identity-provider.ts';

/** A code works once and for a minute; beyond so many, the oldest are dropped. */
const CODE_MS = 60_000;
const MOST_CODES = 100;

interface Granted {
  identity: ProvenIdentity;
  nonce: string;
  challenge: string;
  until: number;
}

export interface DemoIdentity extends IdentityProvider {
  /** The form of its own page: where the browser goes on, with a code for the chosen identity. */
  authorize(request: DemoSignInRequest): string;
}

/**
 * A sign-in provider at which everybody is who they say they are, so that the button can be tried where none is set up.
 * It goes the whole way of a real one (state, nonce, PKCE, a code that works once) and vouches for no address: an account
 * that has the address already is never opened by it. It keeps its codes in memory: it serves one machine.
 */
export function createDemoIdentity({
  name,
  publicUrl,
  redirectUri,
  clock,
}: {
  /** As in the address of the provider that it replaces. */
  name: string;
  publicUrl: string;
  /** Where the chosen identity comes back to. */
  redirectUri: string;
  clock: Clock;
}): DemoIdentity {
  const codes = new Map<string, Granted>();

  return {
    name,

    async begin() {
      const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const query = new URLSearchParams({
        state: checks.state,
        nonce: checks.nonce,
        challenge: challengeOf(checks.verifier),
      });
      return { redirectUrl: `${publicUrl}${PAGES.demoSignIn}?${query}`, checks };
    },

    authorize({ name: person, email, state, nonce, challenge }) {
      const now = clock.now().getTime();
      for (const [code, { until }] of codes) {
        if (until <= now || codes.size >= MOST_CODES) codes.delete(code);
      }
      const code = createToken();
      const identity: ProvenIdentity = {
        provider: DEMO_IDENTITY,
        subject: emailKey(email),
        email,
        emailVerified: false,
        name: person,
        preferredUsername: person,
      };
      codes.set(code, { identity, nonce, challenge, until: now + CODE_MS });
      return `${redirectUri}?${new URLSearchParams({ code, state })}`;
    },

    async finish(currentUrl, checks) {
      const code = currentUrl.searchParams.get('code') ?? '';
      const granted = codes.get(code);
      codes.delete(code);
      if (currentUrl.searchParams.get('state') !== checks.state) throw new Error('the state is another');
      if (!granted || granted.until <= clock.now().getTime())
        throw new Error('the code is unknown or used up');
      if (granted.nonce !== checks.nonce) throw new Error('the nonce is another');
      if (granted.challenge !== challengeOf(checks.verifier)) throw new Error('the verifier is another');
      return granted.identity;
    },
  };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
