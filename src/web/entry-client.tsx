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

// Schemas load later and would compile themselves with `new Function`, which the content policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** What `entry-server.tsx` left in the document; both are of one build, so its shape needs no check. */
interface PageState {
  site: Site;
  queries: DehydratedState;
}

async function takeOver(root: HTMLElement, { site, queries }: PageState) {
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
    await takeOver(root, JSON.parse(state));
  } catch (error) {
    window.earlyCapture?.fail();
    throw error;
  }
}
