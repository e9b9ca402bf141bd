import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import type { Site } from '#contract/page';
import { beginHydration } from '../../src/web/hydration/lazy.tsx';
import { createBrowserRouter, type Router } from '../../src/web/router/router.tsx';
import { ROUTES } from '../../src/web/routes.tsx';
import { createQueryClient, paymentQuery, usageQuery, userQuery } from '../../src/web/session/queries.ts';
import { Application } from '../../src/web/shell/application.tsx';
import { dismiss } from '../../src/web/ui/toast/toast-store.ts';
import { handlersOf, type ServerState, visitorState, worker } from './server.ts';

export const SITE: Site = {
  publicUrl: 'http://localhost:3000',
  supportEmail: 'words@glyphlift.example',
  premiumAvailability: 'coming-soon',
  signInProvider: 'google',
  thirdPartySignIn: 'demo',
  worksOffline: false,
  readsOnDevice: true,
  freeDailyLimit: 3,
  premiumMonthlyLimit: 1500,
  now: '2026-05-04T10:00:00.000Z',
};

export interface OpenOptions {
  /** Differences from the state of a new visitor. */
  state?: Partial<ServerState>;
  site?: Partial<Site>;
  /** Renders the static parts too (`withoutHydration`). False by default on the start page, where they are most of the page. */
  staticParts?: boolean;
}

export interface OpenApplication {
  /** The state of the mocked server; a test may change it at any time. */
  state: ServerState;
  router: Router;
}

let routerLifetime: AbortController | null = null;

/** Stops the router of the last application. */
export function closeApplication(): void {
  routerLifetime?.abort();
  routerLifetime = null;
}

/**
 * Renders the whole application at a path, in its state after hydration: the user, the usage and the payment context need
 * no call. `worker` answers every other call.
 */
export async function openApplication(
  path = '/',
  { state: changes = {}, site = {}, staticParts = path !== '/' }: OpenOptions = {},
): Promise<OpenApplication> {
  const state = { ...visitorState(), ...changes };
  // Handlers that the test has added before take precedence.
  worker.use(...worker.listHandlers(), ...handlersOf(state));
  history.pushState(null, '', path);
  return renderApplication(state, site, staticParts);
}

/**
 * Leaves the page and renders it again, like a reload: the state in memory is lost, the browser's storage and the server's
 * state remain.
 */
export async function reloadApplication(
  { state }: OpenApplication,
  site: Partial<Site> = {},
): Promise<OpenApplication> {
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  await cleanup();
  dismiss();
  return renderApplication(state, site, false);
}

async function renderApplication(
  state: ServerState,
  site: Partial<Site>,
  staticParts: boolean,
): Promise<OpenApplication> {
  closeApplication();
  routerLifetime = new AbortController();
  const queryClient = createQueryClient();
  queryClient.setQueryData(userQuery.queryKey, state.user);
  queryClient.setQueryData(usageQuery.queryKey, state.usage);
  queryClient.setQueryData(paymentQuery.queryKey, state.payment);
  const router = await createBrowserRouter(ROUTES, routerLifetime.signal);
  // In production, the server loads these parts before it renders, and the router after a navigation.
  const { page: shown } = router.current();
  if (staticParts) await Promise.all((shown?.parts ?? []).map((part) => part.load()));
  // During hydration these parts keep the server's markup. Here they stay empty, because there is none.
  else beginHydration();
  await render(<Application site={{ ...SITE, ...site }} queryClient={queryClient} router={router} />);
  return { state, router };
}

/** Presses Tab until the element has the focus. @throws after `maxPresses` */
export async function tabTo(find: () => Element | null, maxPresses = 40): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if (find() !== null && document.activeElement === find()) return;
    await userEvent.keyboard('{Tab}');
  }
  throw new Error('Tab does not reach the element');
}

/** The visible toast, if any. */
export const toast = () => page.getByRole('region', { name: /notifications/i }).getByRole('listitem');

/** The visible toast with its countdown paused, so that it stays on a slow machine. Losing the window's focus pauses it. */
export async function pausedToast(): Promise<Locator> {
  await expect.element(toast()).toBeVisible();
  window.dispatchEvent(new Event('blur'));
  return toast();
}
