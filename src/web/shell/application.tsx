import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Site } from '#contract/page';
import { CurrentPage, RootErrorBoundary, type Router, RouterProvider } from '../router/router.tsx';
import { SiteProvider } from '../site/site.tsx';
import { ErrorPage } from './error-page.tsx';
import { Root } from './root.tsx';

interface ApplicationProps {
  site: Site;
  queryClient: QueryClient;
  router: Router;
}

/** Everything, as server and browser draw it. */
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
