import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Site } from '#contract/page';
import { PAGES } from '#contract/paths';
import { CurrentPage, RootErrorBoundary, type Router, RouterProvider } from '../router/router.tsx';
import { SiteProvider } from '../site/site.tsx';
import { Button, ButtonLink } from '../ui/basics/button.tsx';
import { ErrorPageLayout } from '../ui/basics/error-page-layout.tsx';
import { Root } from './root.tsx';

interface ApplicationProps {
  site: Site;
  queryClient: QueryClient;
  router: Router;
}

export function Application({ site, queryClient, router }: ApplicationProps) {
  return (
    <SiteProvider site={site}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router}>
          <RootErrorBoundary fallback={<ErrorPage />}>
            <Root>
              <CurrentPage fallback={<ErrorPage />} />
            </Root>
          </RootErrorBoundary>
        </RouterProvider>
      </QueryClientProvider>
    </SiteProvider>
  );
}

/** Shown when a page fails to load or to render. The details are in the console. */
function ErrorPage() {
  return (
    <ErrorPageLayout
      title="This page did not come out right"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try again</Button>
          <ButtonLink to={PAGES.home} variant="secondary">
            Back to the tool
          </ButtonLink>
        </>
      }
    >
      Something failed while the page was loading. Loading it again usually helps; if not, the rest of the
      site still works.
    </ErrorPageLayout>
  );
}
