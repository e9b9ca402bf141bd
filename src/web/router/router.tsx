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
 * Routes and client-side navigation. Links are plain `a` elements anywhere: the router handles clicks at the document.
 */

/** A route; its code is loaded on navigation. */
export interface Route {
  /** Segments are literal or `:name`. `*` is the fallback and must be last. */
  path: string;
  Layout: ComponentType<{ children: ReactNode }>;
  /** The source file of the page, from the package's root. */
  module: string;
  open: () => Promise<Page>;
}

export interface Location {
  pathname: string;
  /** With its `?`, or empty. */
  search: string;
  /** With its `#`, or empty. */
  hash: string;
  /** State that the link passed on, not visible in the address. */
  state: unknown;
}

/** The shown or pending route. */
export interface Shown {
  place: Location;
  route: Route;
  params: Readonly<Record<string, string>>;
  /** Null if its code could not be loaded. */
  page: Page | null;
}

interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean;
  state?: unknown;
}

export type Navigate = (to: string, options?: NavigateOptions) => Promise<void>;

export interface Router {
  shown: () => Shown;
  /** Calls `onChange` with the current route now and after every navigation. */
  observe: (onChange: (shown: Shown) => void) => () => void;
  navigate: Navigate;
  /** Scrolls to the right place of the page that has just been rendered. */
  settle: () => void;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The parameters; null if the route does not match. */
function paramsAt(route: Route, segments: readonly string[]): Record<string, string> | null {
  if (route.path === '*') return {};
  const pattern = segmentsOf(route.path);
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

/** The route of an encoded path. */
export function matchRoute(routes: readonly Route[], pathname: string): Pick<Shown, 'route' | 'params'> {
  const segments = segmentsOf(pathname).map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
  for (const route of routes) {
    const params = paramsAt(route, segments);
    if (params) return { route, params };
  }
  throw new Error('There is no fallback route');
}

/** For the server: a fixed location without navigation. */
export const staticRouter = (shown: Shown): Router => ({
  shown: () => shown,
  observe: () => () => {},
  navigate: async () => {},
  settle: () => {},
});

const POSITIONS = 'scroll-positions';

/** The scroll position of each history entry, kept across reloads. */
function scrollPositions() {
  let positions: Record<string, number> = {};
  try {
    positions = JSON.parse(sessionStorage.getItem(POSITIONS) ?? '{}');
  } catch {
    // sessionStorage is unavailable.
  }
  return {
    note(key: string) {
      positions[key] = window.scrollY;
    },
    of: (key: string) => positions[key],
    keep() {
      try {
        sessionStorage.setItem(POSITIONS, JSON.stringify(positions));
      } catch {
        // sessionStorage is unavailable.
      }
    },
  };
}

/** The current history entry. Entries created by the browser, after a `#`, get a new key. */
function currentEntry(): { place: Location; key: string; isFresh: boolean } {
  const { pathname, search, hash } = location;
  const { key, state } = history.state ?? {};
  const place = { pathname, search, hash, state: state ?? null };
  if (typeof key === 'string') return { place, key, isFresh: false };
  const fresh = crypto.randomUUID();
  history.replaceState({ ...history.state, key: fresh }, '');
  return { place, key: fresh, isFresh: true };
}

/**
 * Handles location, history and links of this document. One closure, because its listeners share the current history entry.
 * @param signal removes the listeners; in production the router lives as long as the page
 */
export async function createBrowserRouter(routes: readonly Route[], signal?: AbortSignal): Promise<Router> {
  const listening = signal ? { signal } : {};
  const positions = scrollPositions();
  const first = currentEntry();
  let key = first.key;
  let scroll: (() => void) | null = null;
  /** Sequence number of navigations, because only the last one counts. */
  let turn = 0;

  // The page's code must be loaded before hydration.
  const match = matchRoute(routes, first.place.pathname);
  const store = createStore<Shown>({ ...match, place: first.place, page: await match.route.open() });

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

  /** @param leaves whether to store the current scroll position */
  async function show(place: Location, leaves: boolean, arrive: () => void): Promise<void> {
    turn += 1;
    const mine = turn;
    const found = matchRoute(routes, place.pathname);
    const { route, page: shown } = store.get();
    const page = found.route === route && shown ? shown : await openPage(found.route);
    if (mine !== turn) return;
    if (leaves) positions.note(key);
    arrive();
    store.set({ ...found, place, page });
  }

  const toTarget = (hash: string) => {
    const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target) target.scrollIntoView();
    else window.scrollTo(0, 0);
  };

  const go = (url: URL, { replace = false, state = null }: NavigateOptions, keepsPosition: boolean) => {
    const { pathname, search, hash } = url;
    return show({ pathname, search, hash, state }, true, () => {
      key = crypto.randomUUID();
      history[replace ? 'replaceState' : 'pushState']({ key, state }, '', url);
      scroll = keepsPosition ? null : () => toTarget(hash);
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
      // Must be stored before the browser jumps to an anchor.
      positions.note(key);
      if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      const url = urlOfLink(event.target);
      if (!url) return;
      event.preventDefault();
      void go(url, { replace: url.href === location.href }, false);
    },
    listening,
  );

  // Preload on hover.
  const prepare = ({ target }: Event) => {
    const url = urlOfLink(target);
    if (!url) return;
    const { route } = matchRoute(routes, url.pathname);
    if (route === store.get().route) return;
    route
      .open()
      .then((page) => Promise.all((page.parts ?? []).map((part) => part.load())))
      .catch(() => {});
  };
  document.addEventListener('pointerover', prepare, { passive: true, ...listening });
  document.addEventListener('focusin', prepare, listening);

  window.addEventListener(
    'popstate',
    () => {
      const step = currentEntry();
      void show(step.place, !step.isFresh, () => {
        key = step.key;
        const y = positions.of(step.key);
        // The browser has scrolled to the anchor itself.
        scroll = step.isFresh
          ? null
          : () => (y === undefined ? toTarget(step.place.hash) : window.scrollTo(0, y));
      });
    },
    listening,
  );

  // The browser restores the scroll position after a reload; within a document, only the page knows when it is rendered.
  const takeScrolling = () => {
    history.scrollRestoration = 'manual';
  };
  takeScrolling();
  window.addEventListener('pageshow', takeScrolling, listening);
  window.addEventListener(
    'pagehide',
    () => {
      history.scrollRestoration = 'auto';
      positions.note(key);
      positions.keep();
    },
    listening,
  );

  return {
    shown: store.get,
    observe: store.observe,
    navigate,
    settle() {
      scroll?.();
      scroll = null;
    },
  };
}

const RouterContext = createContext<{ router: Router; shown: Shown } | null>(null);

function useRouting() {
  const routing = use(RouterContext);
  if (!routing) throw new Error('There is no RouterProvider above');
  return routing;
}

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [shown, setShown] = useState(router.shown);
  useEffect(() => router.observe((next) => startTransition(() => setShown(next))), [router]);
  // Runs after each rendering, but acts only after a navigation.
  useLayoutEffect(() => router.settle());
  return <RouterContext value={{ router, shown }}>{children}</RouterContext>;
}

export const useShown = (): Shown => useRouting().shown;
export const useLocation = (): Location => useRouting().shown.place;
export const useParams = (): Shown['params'] => useRouting().shown.params;
export const useNavigate = (): Navigate => useRouting().router.navigate;

interface ErrorBoundaryProps {
  /** Replaces children that failed to render. */
  fallback: ReactNode;
  /** A new key retries rendering. */
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
  const { page, route, place } = useShown();
  const { Layout } = route;
  return (
    <Layout>
      <ErrorBoundary fallback={fallback} attempt={place}>
        {page ? <page.Component /> : fallback}
      </ErrorBoundary>
    </Layout>
  );
}

/** Renders `fallback` if everything else fails. */
export function RootErrorBoundary({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={fallback} attempt={useShown().place}>
      {children}
    </ErrorBoundary>
  );
}
