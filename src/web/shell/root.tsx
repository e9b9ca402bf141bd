import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { PAGES } from '#contract/paths';
import { watchDisplayedUser } from '../api/client.ts';
import { DialogsProvider, useDialogs } from '../dialogs/dialogs.tsx';
import { replayEarlyEvents } from '../hydration/early-events.ts';
import { endHydration, lazyComponent } from '../hydration/lazy.tsx';
import { applyHead, fullTitle } from '../router/head.ts';
import { metaOf } from '../router/page.ts';
import { useCurrentRoute, useLocation } from '../router/router.tsx';
import { isOffline, rememberOwner } from '../session/browser-data.ts';
import { changePerson, usageQuery, userQuery } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import { AdsProvider } from '../ui/basics/ad-slot.tsx';
import { useBrowserValue } from '../ui/basics/browser-state.ts';
import { toast, toastStore } from '../ui/toast/toast-store.ts';

/** If it cannot be loaded, no toasts are shown, but the messages inside the page are. */
const Toaster = lazyComponent(async () => (await import('../ui/toast/toast.tsx')).Toaster);

/** If it cannot be loaded, the browser opens a dropped file as on any other website. */
const DropElsewhere = lazyComponent(async () => (await import('./drop-elsewhere.tsx')).DropElsewhere);

export const MAIN_ID = 'content';

const ANOTHER_ACCOUNT = {
  title: 'Another account is signed in',
  description: 'It was signed in from another tab of this browser. This page shows it now.',
};

/** The parts around every page: skip link, dialogs, document head and announcement after a navigation, toasts. */
export function Root({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  // Effects of children run first: by now the whole page is hydrated.
  useEffect(() => {
    endHydration();
    replayEarlyEvents();
  }, []);
  return (
    <>
      <OfflineSupport />
      <a
        href={`#${MAIN_ID}`}
        className="fixed top-2 left-2 z-80 -translate-y-20 rounded-control bg-ink px-4 py-2.5 text-paper focus:translate-y-0"
      >
        Skip to the content
      </a>
      <DialogsProvider>
        {/* Effects run in this order, so that the page's first calls already send the shown user. */}
        <PersonWatch />
        <Ads>{children}</Ads>
      </DialogsProvider>
      <RouteChange />
      <PersonFailures />
      <FocusKeeper />
      <OnFirstInteraction>
        <Toaster />
      </OnFirstInteraction>
      {pathname !== PAGES.home && (
        <OnFirstInteraction>
          <DropElsewhere />
        </OnFirstInteraction>
      )}
    </>
  );
}

const OfflineNotice = lazyComponent(async () => (await import('./offline-notice.tsx')).OfflineNotice);

/** Milliseconds. By then the page has loaded and its scripts have run, so that the update delays nothing. */
const OFFLINE_UPDATE_DELAY = 8000;

/** Lets the service worker update its cache, and shows a notice on a page from the cache. */
function OfflineSupport() {
  const { worksOffline } = useSite();
  const isFromCache = useBrowserValue(isOffline, false);
  const user = useQuery(userQuery).data;
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    const update = () =>
      void import('../offline/registration.ts')
        .then(({ afterLoad }) => afterLoad(worksOffline))
        .catch(() => {});
    const timer = setTimeout(update, OFFLINE_UPDATE_DELAY);
    return () => clearTimeout(timer);
  }, [worksOffline]);
  useEffect(() => {
    if (user !== undefined && !isOffline()) rememberOwner(user?.username ?? null);
  }, [user]);
  return isFromCache ? <OfflineNotice /> : null;
}

/** After a navigation: announces the new title to screen readers, and moves the focus to the new content. */
function RouteChange() {
  const shown = useCurrentRoute();
  const { pathname } = shown.location;
  const site = useSite();
  const queryClient = useQueryClient();
  // A page's title may depend on its data. This hook renders again when the data has arrived.
  useIsFetching();
  const meta = metaOf(shown, site, queryClient);
  const title = fullTitle(meta);
  const [now, setNow] = useState({ pathname, title, announced: '', isElsewhere: false });
  if (now.pathname !== pathname || now.title !== title)
    setNow({ pathname, title, announced: title, isElsewhere: now.pathname !== pathname });

  const arrive = useEffectEvent(() => {
    applyHead(meta, site);
    if (now.isElsewhere) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (now.announced !== '') arrive();
  }, [now]);

  return (
    <p aria-live="polite" className="sr-only">
      {now.announced}
    </p>
  );
}

/** Keeps the shown user up to date: every response says who is signed in. */
function PersonWatch() {
  const queries = useQueryClient();
  const { open } = useDialogs();
  useEffect(
    () =>
      watchDisplayedUser({
        shown() {
          const user = queries.getQueryData(userQuery.queryKey);
          return user === undefined ? undefined : (user?.username ?? null);
        },
        onChange(now) {
          if (now === 'signed-out') open({ name: 'auth', tab: 'login', reason: 'signed-out' });
          // The call may be an automatic one. Without a message the name would change silently.
          else if (queries.getQueryData(userQuery.queryKey)) toast(ANOTHER_ACCOUNT);
          changePerson(queries, now).catch(() => {});
        },
      }),
    [queries, open],
  );

  // Usage is counted per month with premium and per day without it, so a different period means that the plan has changed.
  const user = useQuery(userQuery).data;
  const period = useQuery(usageQuery).data?.period;
  const isUserStale = user && period && user.isPremium !== (period === 'month');
  useEffect(() => {
    if (isUserStale && queries.isFetching(userQuery) === 0) void queries.invalidateQueries(userQuery);
  }, [isUserStale, queries]);
  return null;
}

/** Shows a toast if the user or the usage could not be fetched. The page keeps its previous data. */
function PersonFailures() {
  const user = useQuery(userQuery).error;
  const usage = useQuery(usageQuery).error;
  const [failure] = [user, usage].filter((error) => error !== null);
  useEffect(() => {
    if (failure) toast({ title: 'Error', description: failure.message, variant: 'destructive' });
  }, [failure]);
  return null;
}

/** Premium users see no advertising. Ads that the server rendered are hidden after signing in. */
function Ads({ children }: { children: ReactNode }) {
  const areShown = !useQuery(userQuery).data?.isPremium;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-without-ads', !areShown);
  }, [areShown]);
  return <AdsProvider value={areShown}>{children}</AdsProvider>;
}

/** The events that count as an interaction. */
const FIRST_EVENTS = ['pointerdown', 'keydown', 'dragenter', 'paste', 'change'] as const;

/** Calls `listener` at the first interaction. Returns an unsubscribe function. */
function onFirstInteraction(listener: () => unknown): () => void {
  const listening = new AbortController();
  const once = () => {
    listening.abort();
    listener();
  };
  for (const type of FIRST_EVENTS) {
    window.addEventListener(type, once, { signal: listening.signal, capture: true, passive: true });
  }
  return () => listening.abort();
}

function FocusKeeper() {
  useEffect(
    () =>
      onFirstInteraction(
        () =>
          void import('./focus-keeper.ts').then(
            ({ keepFocus }) => keepFocus(),
            () => {},
          ),
      ),
    [],
  );
  return null;
}

/** Renders its children from the first interaction or the first toast on. Earlier toasts stay in their store. */
function OnFirstInteraction({ children }: { children: ReactNode }) {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => {
    const render = () => setRendered(true);
    const stopListening = onFirstInteraction(render);
    const unsubscribe = toastStore.subscribe(render);
    if (toastStore.list().length > 0) render();
    return () => {
      stopListening();
      unsubscribe();
    };
  }, []);
  return isRendered && children;
}
