import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';

/** Values that the callback must match, as a protection against forged and mixed-up responses. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface VerifiedIdentity {
  provider: string;
  subject: string;
  email: string;
  /** Whether the provider has verified the address. */
  emailVerified: boolean;
  name: string | undefined;
  preferredUsername: string | undefined;
}

export interface IdentityProvider {
  /** Path name, such as `google`. */
  readonly name: string;
  start(): Promise<{ redirectUrl: string; checks: SignInChecks }>;
  /** `currentUrl`: the callback URL with its query. Rejects an invalid answer. */
  finish(currentUrl: URL, checks: SignInChecks): Promise<VerifiedIdentity>;
}

export interface IdentityProviderOptions {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

const TIMEOUT_SECONDS = 10;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Some providers send a string.
  email_verified: z
    .union([z.boolean(), z.literal('true'), z.literal('false')])
    .default(false)
    .transform((value) => value === true || value === 'true'),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
});

/** The authorization code flow with PKCE, state and nonce; the answer must contain the issuer (RFC 9207). */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { name, clientId, clientSecret, redirectUri } = options;
  const issuer = new URL(options.issuer);
  let configured: Promise<Configuration> | undefined;

  /** Cached discovery. A failure is not cached, so that a provider can recover. */
  function configuration(): Promise<Configuration> {
    configured ??= discovery(issuer, clientId, undefined, ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // The protocol does not require a signature check for tokens from the token endpoint; we check it anyway.
        enableNonRepudiationChecks,
        // Only a provider on localhost may be used without TLS.
        ...(isLoopback(issuer) ? [allowInsecureRequests] : []),
      ],
    }).catch((error: unknown) => {
      configured = undefined;
      throw error;
    });
    return configured;
  }

  return {
    name,

    async start() {
      const checks: SignInChecks = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
      });
      return { redirectUrl: url.href, checks };
    },

    async finish(currentUrl, checks) {
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, currentUrl, {
        pkceCodeVerifier: checks.verifier,
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('the provider sent no ID token');
      const known = claimsSchema.safeParse(idToken);
      const claims = known.success
        ? known.data
        : claimsSchema.parse({
            ...(await fetchUserInfo(config, tokens.access_token, idToken.sub)),
            sub: idToken.sub,
          });
      return {
        provider: name,
        subject: claims.sub,
        email: claims.email,
        emailVerified: claims.email_verified,
        name: claims.name,
        preferredUsername: claims.preferred_username,
      };
    },
  };
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
