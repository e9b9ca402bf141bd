import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { DemoSignInRequest } from '#contract/account';
import { DEMO_IDENTITY } from '#contract/page';
import { PAGES } from '#contract/paths';
import { emailKey } from '../accounts/username.ts';
import type { Clock } from '../platform/clock.ts';
import { createToken } from '../platform/keyring.ts';
import type { IdentityProvider, VerifiedIdentity } from './identity-provider.ts';

/** Codes work once within a minute; beyond this number, the oldest are dropped. */
const CODE_MS = 60_000;
const MAX_CODES = 100;

interface IssuedCode {
  identity: VerifiedIdentity;
  nonce: string;
  challenge: string;
  until: number;
}

export interface DemoIdentity extends IdentityProvider {
  /** Handles the form of the demo page: redirects back with a code for the chosen identity. */
  authorize(request: DemoSignInRequest): string;
}

/**
 * A demo sign-in provider without authentication, so that the button can be tried without a configured provider. It has the
 * flow of a real provider (state, nonce, PKCE, single-use codes). It verifies no address, so it never signs in to an existing
 * account with the same address. Codes are in memory, because it only serves localhost.
 */
export function createDemoIdentity({
  name,
  publicUrl,
  redirectUri,
  clock,
}: {
  /** Path name of the replaced provider. */
  name: string;
  publicUrl: string;
  /** The callback path. */
  redirectUri: string;
  clock: Clock;
}): DemoIdentity {
  const codes = new Map<string, IssuedCode>();

  return {
    name,

    async start() {
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
      const identity: VerifiedIdentity = {
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
      const issued = codes.get(code);
      codes.delete(code);
      if (currentUrl.searchParams.get('state') !== checks.state) throw new Error('the state does not match');
      if (!issued || issued.until <= clock.now().getTime())
        throw new Error('the code is unknown, used or expired');
      if (issued.nonce !== checks.nonce) throw new Error('the nonce does not match');
      if (issued.challenge !== challengeOf(checks.verifier)) throw new Error('the verifier does not match');
      return issued.identity;
    },
  };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
