import type { RouteObject } from 'react-router';
import { PAGES } from '#contract/paths';
import type { Page, PageHandle } from './page.ts';
import { ErrorPage } from './pages/error-page.tsx';
import { LegalFrame } from './shell/legal-frame.tsx';
import { MainFrame } from './shell/main-frame.tsx';
import { Root } from './shell/root.tsx';

/** Every address the page answers. Each page's code loads when it is visited. */
export function createRoutes(): RouteObject[] {
  const lazyPage = (module: string, open: () => Promise<{ page: Page }>) => ({
    lazy: async () => {
      const { page } = await open();
      const { Component, ErrorBoundary } = page;
      return {
        Component,
        handle: { ...page, module: `src/web/pages/${module}` } satisfies PageHandle,
        ...(ErrorBoundary && { ErrorBoundary }),
      };
    },
  });

  return [
    {
      Component: Root,
      ErrorBoundary: ErrorPage,
      children: [
        {
          Component: MainFrame,
          children: [
            {
              ErrorBoundary: ErrorPage,
              children: [
                {
                  path: PAGES.home,
                  ...lazyPage('home/home-page.tsx', () => import('./pages/home/home-page.tsx')),
                },
                {
                  path: PAGES.premium,
                  ...lazyPage('premium-page.tsx', () => import('./pages/premium-page.tsx')),
                },
                { path: PAGES.blog, ...lazyPage('blog-page.tsx', () => import('./pages/blog-page.tsx')) },
                {
                  path: `${PAGES.blog}/:slug`,
                  ...lazyPage('article-page.tsx', () => import('./pages/article-page.tsx')),
                },
                {
                  path: PAGES.account,
                  ...lazyPage('account/account-page.tsx', () => import('./pages/account/account-page.tsx')),
                },
                {
                  path: PAGES.resetPassword,
                  ...lazyPage(
                    'account/reset-password-page.tsx',
                    () => import('./pages/account/reset-password-page.tsx'),
                  ),
                },
                {
                  path: PAGES.verifyEmail,
                  ...lazyPage(
                    'account/verify-email-page.tsx',
                    () => import('./pages/account/verify-email-page.tsx'),
                  ),
                },
                {
                  path: PAGES.claim,
                  ...lazyPage('account/claim-page.tsx', () => import('./pages/account/claim-page.tsx')),
                },
                {
                  path: PAGES.demoSignIn,
                  ...lazyPage(
                    'account/demo-sign-in-page.tsx',
                    () => import('./pages/account/demo-sign-in-page.tsx'),
                  ),
                },
                {
                  path: PAGES.unsubscribe,
                  ...lazyPage(
                    'account/unsubscribe-page.tsx',
                    () => import('./pages/account/unsubscribe-page.tsx'),
                  ),
                },
                {
                  path: PAGES.developers,
                  ...lazyPage('developers-page.tsx', () => import('./pages/developers-page.tsx')),
                },
                { path: '*', ...lazyPage('not-found-page.tsx', () => import('./pages/not-found-page.tsx')) },
              ],
            },
          ],
        },
        {
          Component: LegalFrame,
          children: [
            {
              ErrorBoundary: ErrorPage,
              children: [
                { path: PAGES.terms, ...lazyPage('terms-page.tsx', () => import('./pages/terms-page.tsx')) },
                {
                  path: PAGES.privacy,
                  ...lazyPage('privacy-page.tsx', () => import('./pages/privacy-page.tsx')),
                },
                {
                  path: PAGES.refund,
                  ...lazyPage('refund-page.tsx', () => import('./pages/refund-page.tsx')),
                },
              ],
            },
          ],
        },
      ],
    },
  ];
}
