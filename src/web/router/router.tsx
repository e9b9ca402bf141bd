import {
  Component,
  type ComponentType,
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { createStore } from '../state/create-store.ts';
import type { Page } from './page.ts';

/*
 * Routes and client-side navigation. Links are plain `a` elements: the router handles clicks at the document.
 */

/** A route; its code is loaded on navigation. */
export interface Route {
  /** Segments are literal or `:name`. `*` is the fallback and must be last. */
  path: string;
  Layout: ComponentType<{ children: ReactNode }>;
  /** The source file of the page, relative to the repository's root. */
  module: string;
  open: () => Promise<Page>;
}

export interface Location {
  pathname: string;
  /** With its `?`, or empty. */
  search: string;
  /** With its `#`, or empty. */
  hash: string;
  /** The state that was passed to `navigate`. It is not part of the URL. */
  state: unknown;
}

/** The shown or pending route. */
export interface CurrentRoute {
  location: Location;
  route: Route;
  params: Readonly<Record<string, string>>;
  /** Null if the page's code could not be loaded. */
  page: Page | null;
}

interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean;
  state?: unknown;
}

export type Navigate = (to: string, options?: NavigateOptions) => Promise<void>;

export interface Router {
  current: () => CurrentRoute;
  /** Calls `onChange` with the current route now and after every navigation. */
  observe: (onChange: (shown: CurrentRoute) => void) => () => void;
  navigate: Navigate;
  /** Scrolls a page that has just been rendered to its stored position, its fragment or its top. */
  restoreScroll: () => void;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The route's parameters; null if the route does not match. */
function paramsAt(route: Route, segments: readonly string[]): Record<string, string> | null {
  if (route.path === '*') return {};
  const pattern = segmentsOf(route.path);
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

/** Returns malformed text, such as `100%`, unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Finds the route of a URL-encoded path. */
export function matchRoute(
  routes: readonly Route[],
  pathname: string,
): Pick<CurrentRoute, 'route' | 'params'> {
  const segments = segmentsOf(pathname).map(decode);
  for (const route of routes) {
    const params = paramsAt(route, segments);
    if (params) return { route, params };
  }
  throw new Error('There is no fallback route');
}

/** For the server: a fixed location without navigation. */
export const staticRouter = (shown: CurrentRoute): Router => ({
  current: () => shown,
  observe: () => () => {},
  navigate: async () => {},
  restoreScroll: () => {},
});

const POSITIONS = 'scroll-positions';

/** The scroll position of each history entry, stored in sessionStorage for reloads. */
function scrollPositions() {
  let positions: Record<string, number> = {};
  try {
    positions = JSON.parse(sessionStorage.getItem(POSITIONS) ?? '{}');
  } catch {
    // sessionStorage is unavailable.
  }
  return {
    record(key: string) {
      positions[key] = window.scrollY;
    },
    of: (key: string) => positions[key],
    persist() {
      try {
        sessionStorage.setItem(POSITIONS, JSON.stringify(positions));
      } catch {
        // sessionStorage is unavailable.
      }
    },
  };
}

/** The current history entry. The browser creates entries for fragment links without a key, so they get one here. */
function currentEntry(): { target: Location; key: string; isFresh: boolean } {
  const { pathname, search, hash } = location;
  const { key, state } = history.state ?? {};
  const target = { pathname, search, hash, state: state ?? null };
  if (typeof key === 'string') return { target, key, isFresh: false };
  const fresh = crypto.randomUUID();
  history.replaceState({ ...history.state, key: fresh }, '');
  return { target, key: fresh, isFresh: true };
}

/**
 * Handles location, history and links of this document. Not split, because its listeners share the
 * current history entry.
 * @param signal removes the listeners in tests; in production they stay as long as the document
 */
export async function createBrowserRouter(routes: readonly Route[], signal?: AbortSignal): Promise<Router> {
  const listenerOptions = signal ? { signal } : {};
  const positions = scrollPositions();
  const first = currentEntry();
  let key = first.key;
  let scroll: (() => void) | null = null;
  /** Number of the last navigation: earlier ones that are still loading are dropped. */
  let lastNavigation = 0;

  // The page's code must be loaded before hydration.
  const match = matchRoute(routes, first.target.pathname);
  const store = createStore<CurrentRoute>({
    ...match,
    location: first.target,
    page: await match.route.open(),
  });

  /** @returns null if the page's code could not be loaded */
  const openPage = async (route: Route): Promise<Page | null> => {
    try {
      const page = await route.open();
      await Promise.all((page.parts ?? []).map((part) => part.load()));
      return page;
    } catch {
      return null;
    }
  };

  /** @param savesPosition whether to store the current scroll position; @param commit updates the history entry */
  async function show(location: Location, savesPosition: boolean, commit: () => void): Promise<void> {
    lastNavigation += 1;
    const navigation = lastNavigation;
    const found = matchRoute(routes, location.pathname);
    const { route, page: shown } = store.get();
    const page = found.route === route && shown ? shown : await openPage(found.route);
    if (navigation !== lastNavigation) return;
    if (savesPosition) positions.record(key);
    commit();
    store.set({ ...found, location, page });
  }

  const scrollToTarget = (hash: string) => {
    const target = hash && document.getElementById(decode(hash.slice(1)));
    if (target) target.scrollIntoView();
    else window.scrollTo(0, 0);
  };

  const go = (url: URL, { replace = false, state = null }: NavigateOptions, keepsPosition: boolean) => {
    const { pathname, search, hash } = url;
    return show({ pathname, search, hash, state }, true, () => {
      key = crypto.randomUUID();
      history[replace ? 'replaceState' : 'pushState']({ key, state }, '', url);
      scroll = keepsPosition ? null : () => scrollToTarget(hash);
    });
  };

  const navigate: Navigate = (to, options = {}) => {
    const url = new URL(to, location.href);
    return go(url, options, Boolean(options.replace) && url.pathname === location.pathname);
  };

  /** The target of a link that this router handles; null for all others. */
  const urlOfLink = (target: EventTarget | null): URL | null => {
    const link = target instanceof Element ? target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return null;
    if (link.target !== '' && link.target !== '_self') return null;
    const url = new URL(link.href);
    if (url.origin !== location.origin || matchRoute(routes, url.pathname).route.path === '*') return null;
    const isHere = url.pathname === location.pathname && url.search === location.search;
    // The browser handles anchors on the same page.
    return isHere && url.hash !== '' ? null : url;
  };

  document.addEventListener(
    'click',
    (event) => {
      const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      // Must be stored before the browser scrolls to an anchor.
      positions.record(key);
      if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      const url = urlOfLink(event.target);
      if (!url) return;
      event.preventDefault();
      void go(url, { replace: url.href === location.href }, false);
    },
    listenerOptions,
  );

  // Preload on hover.
  const preload = ({ target }: Event) => {
    const url = urlOfLink(target);
    if (!url) return;
    const { route } = matchRoute(routes, url.pathname);
    if (route !== store.get().route) void openPage(route);
  };
  document.addEventListener('pointerover', preload, { passive: true, ...listenerOptions });
  document.addEventListener('focusin', preload, listenerOptions);

  window.addEventListener(
    'popstate',
    () => {
      const entry = currentEntry();
      void show(entry.target, !entry.isFresh, () => {
        key = entry.key;
        const y = positions.of(entry.key);
        // The browser has already scrolled to the anchor.
        scroll = entry.isFresh
          ? null
          : () => (y === undefined ? scrollToTarget(entry.target.hash) : window.scrollTo(0, y));
      });
    },
    listenerOptions,
  );

  // The browser restores the scroll position after a reload. Within a document the router does, after the render.
  const disableNativeScrollRestoration = () => {
    history.scrollRestoration = 'manual';
  };
  disableNativeScrollRestoration();
  window.addEventListener('pageshow', disableNativeScrollRestoration, listenerOptions);
  window.addEventListener(
    'pagehide',
    () => {
      history.scrollRestoration = 'auto';
      positions.record(key);
      positions.persist();
    },
    listenerOptions,
  );

  return {
    current: store.get,
    observe: store.observe,
    navigate,
    restoreScroll() {
      scroll?.();
      scroll = null;
    },
  };
}

const RouterContext = createContext<{ router: Router; shown: CurrentRoute } | null>(null);

function useRouting() {
  const routing = use(RouterContext);
  if (!routing) throw new Error('There is no RouterProvider above');
  return routing;
}

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [shown, setShown] = useState(router.current);
  useEffect(() => router.observe((next) => startTransition(() => setShown(next))), [router]);
  // Runs after each render, but scrolls only after a navigation.
  useLayoutEffect(() => router.restoreScroll());
  return <RouterContext value={{ router, shown }}>{children}</RouterContext>;
}

export const useCurrentRoute = (): CurrentRoute => useRouting().shown;
export const useLocation = (): Location => useRouting().shown.location;
export const useParams = (): CurrentRoute['params'] => useRouting().shown.params;
export const useNavigate = (): Navigate => useRouting().router.navigate;

interface ErrorBoundaryProps {
  /** Shown in place of children that failed to render. */
  fallback: ReactNode;
  /** A new value retries rendering. */
  attempt: unknown;
  children: ReactNode;
}

class ErrorBoundary extends Component<ErrorBoundaryProps, { failedAt: unknown; hasFailed: boolean }> {
  override state = { failedAt: undefined, hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { attempt }: ErrorBoundaryProps,
    state: { failedAt: unknown; hasFailed: boolean },
  ) {
    return state.failedAt === attempt ? null : { failedAt: attempt, hasFailed: false };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/** The current page in its layout; `fallback` if it cannot be loaded or rendered. */
export function CurrentPage({ fallback }: { fallback: ReactNode }) {
  const { page, route, location } = useCurrentRoute();
  const { Layout } = route;
  return (
    <Layout>
      <ErrorBoundary fallback={fallback} attempt={location}>
        {page ? <page.Component /> : fallback}
      </ErrorBoundary>
    </Layout>
  );
}

/** Renders `fallback` if everything else fails. */
export function RootErrorBoundary({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={fallback} attempt={useCurrentRoute().location}>
      {children}
    </ErrorBoundary>
  );
}
