import { createContext, type ReactNode, use } from 'react';
import { DEMO_IDENTITY, type Site } from '#contract/page';

const SiteContext = createContext<Site | null>(null);

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** The site's settings at the time when the server rendered the page. */
export function useSite(): Site {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite needs a SiteProvider above it');
  return site;
}

const SPELLINGS: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
};

/** The display name of a sign-in provider, from its ID in URLs. */
export function providerName(id: string): string {
  return SPELLINGS[id] ?? id.charAt(0).toUpperCase() + id.slice(1);
}

/** The provider's name for its button. The demo is never named after the provider that it replaces. */
export function signInName({ signInProvider, thirdPartySignIn }: Site): string {
  return thirdPartySignIn === 'demo' ? 'the demo identity' : providerName(signInProvider);
}

/** The provider ID that an account's linked sign-ins are stored under. */
export function linkedProviderId({ signInProvider, thirdPartySignIn }: Site): string {
  return thirdPartySignIn === 'demo' ? DEMO_IDENTITY : signInProvider;
}
