import { PAGES } from '#contract/paths';
import type { Page } from './router/page.ts';
import type { Route } from './router/router.tsx';
import { LegalLayout, MainLayout } from './shell/layouts.tsx';

const withLayout =
  (Layout: Route['Layout']) =>
  (path: string, module: string, open: () => Promise<{ page: Page }>): Route => ({
    path,
    Layout,
    module: `src/web/pages/${module}`,
    open: async () => (await open()).page,
  });
const main = withLayout(MainLayout);
const legal = withLayout(LegalLayout);

const mailLinkPages = () => import('./pages/account/mail-link-pages.tsx');
const legalPages = () => import('./pages/legal-page.tsx');

/** All routes of the site. The code of a page is loaded when it is visited. */
export const ROUTES: readonly Route[] = [
  main(PAGES.home, 'home/home-page.tsx', () => import('./pages/home/home-page.tsx')),
  main(PAGES.premium, 'premium-page.tsx', () => import('./pages/premium-page.tsx')),
  main(PAGES.blog, 'blog-page.tsx', () => import('./pages/blog-page.tsx')),
  main(`${PAGES.blog}/:slug`, 'article-page.tsx', () => import('./pages/article-page.tsx')),
  main(PAGES.account, 'account/account-page.tsx', () => import('./pages/account/account-page.tsx')),
  main(PAGES.texts, 'account/saved-texts-page.tsx', () => import('./pages/account/saved-texts-page.tsx')),
  main(
    `${PAGES.texts}/:id`,
    'account/saved-text-page.tsx',
    () => import('./pages/account/saved-text-page.tsx'),
  ),
  main(PAGES.resetPassword, 'account/mail-link-pages.tsx', async () => ({
    page: (await mailLinkPages()).resetPasswordPage,
  })),
  main(PAGES.verifyEmail, 'account/mail-link-pages.tsx', async () => ({
    page: (await mailLinkPages()).verifyEmailPage,
  })),
  main(PAGES.claim, 'account/claim-page.tsx', () => import('./pages/account/claim-page.tsx')),
  main(
    PAGES.demoSignIn,
    'account/demo-sign-in-page.tsx',
    () => import('./pages/account/demo-sign-in-page.tsx'),
  ),
  main(
    PAGES.unsubscribe,
    'account/unsubscribe-page.tsx',
    () => import('./pages/account/unsubscribe-page.tsx'),
  ),
  main(PAGES.developers, 'api-page.tsx', () => import('./pages/api-page.tsx')),
  main(PAGES.languages, 'languages-page.tsx', () => import('./pages/languages-page.tsx')),
  legal(PAGES.terms, 'legal-page.tsx', async () => ({ page: (await legalPages()).termsPage })),
  legal(PAGES.privacy, 'legal-page.tsx', async () => ({ page: (await legalPages()).privacyPage })),
  legal(PAGES.refund, 'legal-page.tsx', async () => ({ page: (await legalPages()).refundPage })),
  main('*', 'not-found-page.tsx', () => import('./pages/not-found-page.tsx')),
];
