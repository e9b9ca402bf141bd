import { createContext, type ReactNode, use } from 'react';
import { DEMO_IDENTITY, type Site } from '#contract/page';

const SiteContext = createContext<Site | null>(null);

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** What every page knows about the site, as it was at the moment the server rendered the page. */
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

/** A sign-in provider as people write it, from its name in addresses. */
export function providerName(id: string): string {
  return SPELLINGS[id] ?? id.charAt(0).toUpperCase() + id.slice(1);
}

/** The service behind the provider's button; the demo is never shown as the provider it replaces. */
export function signInName({ signInProvider, thirdPartySignIn }: Site): string {
  return thirdPartySignIn === 'demo' ? 'the demo identity' : providerName(signInProvider);
}

/** The name under which an account stores its link to the provider. */
export function linkedName({ signInProvider, thirdPartySignIn }: Site): string {
  return thirdPartySignIn === 'demo' ? DEMO_IDENTITY : signInProvider;
}
