import { PAGES } from '#contract/paths';
import * as privacy from '../../../content/legal/privacy.md?about';
import * as refund from '../../../content/legal/refund-policy.md?about';
import * as terms from '../../../content/legal/terms.md?about';
import { withoutHydration } from '../hydration/lazy.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';
import type { LegalDocument } from './legal-text.tsx';

interface PageHead {
  title: string;
  description: string;
}

/** A page with a text of `content/legal`. */
function legalPage({ title, description }: PageHead, path: string, open: () => Promise<LegalDocument>): Page {
  const Text = withoutHydration(async () => {
    const [{ LegalText }, document] = await Promise.all([import('./legal-text.tsx'), open()]);
    return () => <LegalText document={document} />;
  });
  return {
    Component: Text,
    parts: [Text],
    meta: ({ site }) => ({
      title,
      description,
      path,
      jsonLd: [breadcrumbs(site, [{ name: title, path }])],
    }),
  };
}

export const termsPage = legalPage(terms, PAGES.terms, () => import('../../../content/legal/terms.md'));
export const privacyPage = legalPage(
  privacy,
  PAGES.privacy,
  () => import('../../../content/legal/privacy.md'),
);
export const refundPage = legalPage(
  refund,
  PAGES.refund,
  () => import('../../../content/legal/refund-policy.md'),
);
