import './styles/main.css';
import { type DehydratedState, hydrate } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { PAGE_ELEMENTS, type Site } from '#contract/page';
import { takeEarlyEvents } from './hydration/early-events.ts';
import { beginHydration } from './hydration/lazy.tsx';
import { createBrowserRouter } from './router/router.tsx';
import { ROUTES } from './routes.tsx';
import { createQueryClient } from './session/queries.ts';
import { Application } from './shell/application.tsx';

// Zod compiles schemas with `new Function` by default, which the content security policy blocks and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The state that `entry-server.tsx` wrote into the document. Both are of one build, so it needs no validation. */
interface PageState {
  site: Site;
  queries: DehydratedState;
}

async function hydratePage(root: HTMLElement, { site, queries }: PageState) {
  const queryClient = createQueryClient();
  hydrate(queryClient, queries);
  const router = await createBrowserRouter(ROUTES);

  takeEarlyEvents();
  beginHydration();
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <Application site={site} queryClient={queryClient} router={router} />
      </StrictMode>,
    );
  });
}

const root = document.getElementById(PAGE_ELEMENTS.root);
const state = document.getElementById(PAGE_ELEMENTS.state)?.textContent;
if (root && state) {
  try {
    await hydratePage(root, JSON.parse(state));
  } catch (error) {
    window.earlyCapture?.fail();
    throw error;
  }
}
