import './styles/main.css';
import { type DehydratedState, hydrate, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, type HydrationState, matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { PAGE_ELEMENTS, type Site } from '#contract/page';
import { takeEarlyDeeds } from './early-deeds.ts';
import { createQueryClient } from './query.ts';
import { createRoutes } from './routes.tsx';
import { SiteProvider } from './site.tsx';

// Schemas load later and would compile themselves with `new Function`, which the content policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** What `entry-server.tsx` left in the document; both are of one build, so its shape needs no check. */
interface PageState {
  site: Site;
  queries: DehydratedState;
  router: HydrationState;
}

async function takeOver(root: HTMLElement, state: PageState) {
  const queryClient = createQueryClient();
  hydrate(queryClient, state.queries);

  // The matched page's code must be there before React compares its markup with the server's.
  const routes = createRoutes();
  await Promise.all(
    (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      const loaded = await route.lazy();
      Object.assign(route, { ...loaded, lazy: undefined });
    }),
  );
  const router = createBrowserRouter(routes, { hydrationData: state.router });

  takeEarlyDeeds();
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <SiteProvider site={state.site}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </SiteProvider>
      </StrictMode>,
    );
  });
}

const root = document.getElementById(PAGE_ELEMENTS.root);
const state = document.getElementById(PAGE_ELEMENTS.state)?.textContent;
if (root && state) {
  try {
    await takeOver(root, JSON.parse(state));
  } catch (error) {
    window.earlyWatch?.fail();
    throw error;
  }
}
