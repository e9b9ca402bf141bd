import { createContext, type ReactNode, use } from 'react';
import type { Site } from '#contract/page';

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
