import type { FastifyRequest } from 'fastify';
import { addressOf } from '#contract/call';
import { signInCallback } from '#contract/calls/registration';
import type { Config } from '../config.ts';
import { createLocalRequestCheck } from '../http/local-request.ts';
import type { Clock } from '../platform/clock.ts';
import { createDemoIdentity, type DemoIdentity } from './demo-identity.ts';
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts';

/** The configured provider, or the demo provider that replaces it on localhost. */
export type ThirdPartySignIn =
  | { kind: 'provider'; provider: IdentityProvider }
  | { kind: 'demo'; provider: DemoIdentity };

/** The sign-in provider for a request; undefined without one. */
export function createThirdPartySignIn(
  config: Config,
  clock: Clock,
): (request: FastifyRequest) => ThirdPartySignIn | undefined {
  const { oidcProvider: name, publicUrl } = config;
  const redirectUri = `${publicUrl}${addressOf(signInCallback, { provider: name })}`;
  const provider = createConfigured(config, redirectUri);
  const demo = createDemoIdentity({ name, publicUrl, redirectUri, clock });
  const isLocalRequest = createLocalRequestCheck(config);
  return (request) => {
    if (provider) return { kind: 'provider', provider };
    return isLocalRequest(request) ? { kind: 'demo', provider: demo } : undefined;
  };
}

function createConfigured(
  { oidcProvider, oidcIssuer, oidcClientId, oidcClientSecret }: Config,
  redirectUri: string,
): IdentityProvider | undefined {
  if (!oidcClientId || !oidcClientSecret) return undefined;
  return createIdentityProvider({
    name: oidcProvider,
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    redirectUri,
  });
}
