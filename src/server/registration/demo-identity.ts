import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { DemoSignInRequest } from '#contract/account';
import { DEMO_IDENTITY } from '#contract/page';
import { PAGES } from '#contract/paths';
import { emailKey } from '../accounts/username.ts';
import type { Clock } from '../platform/clock.ts';
import { createToken } from '../platform/keyring.ts';
import type { IdentityProvider, ProvenIdentity } from './identity-provider.ts';

/** Codes work once within a minute; beyond this number, the oldest are dropped. */
const CODE_MS = 60_000;
const MAX_CODES = 100;

interface Granted {
  identity: ProvenIdentity;
  nonce: string;
  challenge: string;
  until: number;
}

export interface DemoIdentity extends IdentityProvider {
  /** Handles the form of its page: redirects back with a code for the chosen identity. */
  authorize(request: DemoSignInRequest): string;
}

/**
 * A demo sign-in provider without authentication, so that the button can be tried without a configured provider. It has the
 * whole flow of a real one (state, nonce, PKCE, single-use codes) and verifies no address, so it never signs in to an existing
 * account with the same address. Codes are in memory, because it serves one machine.
 */
export function createDemoIdentity({
  name,
  publicUrl,
  redirectUri,
  clock,
}: {
  /** The path name of the provider that it replaces. */
  name: string;
  publicUrl: string;
  /** The callback path. */
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
        if (until <= now || codes.size >= MAX_CODES) codes.delete(code);
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
