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
  /** Where they differ from those of a new visitor. */
  state?: Partial<ServerState>;
  site?: Partial<Site>;
  /** Draws the parts that the server draws and the page only keeps. Left out at the start page, where they are most of it. */
  staticParts?: boolean;
}

export interface OpenApplication {
  /** What the server knows; it may be changed at any time. */
  state: ServerState;
  router: Router;
}

let end: AbortController | null = null;

/** Ends the router of the application that was opened last. */
export function closeApplication(): void {
  end?.abort();
  end = null;
}

/**
 * Draws the whole application at an address, as it is once it has taken over a page that the server rendered: who is signed
 * in, the usage and the payment context are known without a call. Every other call is answered by `worker`.
 */
export async function openApplication(
  path = '/',
  { state: changes = {}, site = {}, staticParts = path !== '/' }: OpenOptions = {},
): Promise<OpenApplication> {
  const state = { ...visitorState(), ...changes };
  // Those that a test has added before come first.
  worker.use(...worker.listHandlers(), ...handlersOf(state));
  history.pushState(null, '', path);
  return draw(state, site, staticParts);
}

/**
 * Leaves the page and draws it again, as a reload does: what is in memory is lost, what the browser keeps is not. The server
 * knows what it knew.
 */
export async function reloadApplication(
  { state }: OpenApplication,
  site: Partial<Site> = {},
): Promise<OpenApplication> {
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  await cleanup();
  dismiss();
  return draw(state, site, false);
}

async function draw(state: ServerState, site: Partial<Site>, staticParts: boolean): Promise<OpenApplication> {
  closeApplication();
  end = new AbortController();
  const queryClient = createQueryClient();
  queryClient.setQueryData(userQuery.queryKey, state.user);
  queryClient.setQueryData(usageQuery.queryKey, state.usage);
  queryClient.setQueryData(paymentQuery.queryKey, state.payment);
  const router = await createBrowserRouter(ROUTES, end.signal);
  // As `load` does on the server and the router after a navigation.
  const { page: shown } = router.current();
  if (staticParts) await Promise.all((shown?.parts ?? []).map((part) => part.load()));
  // During hydration such parts keep the server's markup: here there is none.
  else beginHydration();
  await render(<Application site={{ ...SITE, ...site }} queryClient={queryClient} router={router} />);
  return { state, router };
}

/** Presses Tab until this has the focus. @throws after `most` presses */
export async function tabTo(find: () => Element | null, most = 40): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    if (find() !== null && document.activeElement === find()) return;
    await userEvent.keyboard('{Tab}');
  }
  throw new Error('Tab does not reach the element');
}

/** The message that is shown, if any. */
export const toast = () => page.getByRole('region', { name: /notifications/i }).getByRole('listitem');

/** The message, kept on the screen however slow the machine is: the countdown stops as when the window is not looked at. */
export async function heldToast(): Promise<Locator> {
  await expect.element(toast()).toBeVisible();
  window.dispatchEvent(new Event('blur'));
  return toast();
}
