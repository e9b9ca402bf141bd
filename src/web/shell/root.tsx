import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { PAGES } from '#contract/paths';
import { watchPerson } from '../api/client.ts';
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

/** If it cannot be loaded, the messages in place remain. */
const Toaster = lazyComponent(async () => (await import('../ui/toast/toast.tsx')).Toaster);

/** If it cannot be loaded, a dropped file does what it does on any other website. */
const DropElsewhere = lazyComponent(async () => (await import('./drop-elsewhere.tsx')).DropElsewhere);

export const MAIN_ID = 'content';

const ANOTHER_ACCOUNT = {
  title: 'Another account is signed in',
  description: 'It was signed in from another tab of this browser. This page shows it now.',
};

/** Around every page: the way past the bar, the head after navigation, its announcement, toasts. */
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
        {/* Effects run in this order: the page's first calls already carry the person shown. */}
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

/** After the page has loaded and its scripts have run, so that nothing waits for it. Milliseconds. */
const SETTLE_AFTER = 8000;

/** The tool without a network: the service worker updates its cache, and a page from the cache shows a notice. */
function OfflineSupport() {
  const { worksOffline } = useSite();
  const cameFromStore = useBrowserValue(isOffline, false);
  const user = useQuery(userQuery).data;
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    const settle = () =>
      void import('../offline/registration.ts')
        .then(({ afterLoad }) => afterLoad(worksOffline))
        .catch(() => {});
    const timer = setTimeout(settle, SETTLE_AFTER);
    return () => clearTimeout(timer);
  }, [worksOffline]);
  useEffect(() => {
    if (user !== undefined && !isOffline()) rememberOwner(user?.username ?? null);
  }, [user]);
  return cameFromStore ? <OfflineNotice /> : null;
}

/** After a navigation a screen reader hears the new title, and the keyboard starts at the new content. */
function RouteChange() {
  const shown = useCurrentRoute();
  const { pathname } = shown.location;
  const site = useSite();
  const queryClient = useQueryClient();
  // A page's title may depend on its data: it is computed again once that has arrived.
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

/** Keeps the shown person up to date with every answer. */
function PersonWatch() {
  const queries = useQueryClient();
  const { open } = useDialogs();
  useEffect(
    () =>
      watchPerson({
        shown() {
          const user = queries.getQueryData(userQuery.queryKey);
          return user === undefined ? undefined : (user?.username ?? null);
        },
        onChange(now) {
          if (now === 'signed-out') open({ name: 'auth', tab: 'login', because: 'signed-out' });
          // The call may not come from a press: without a message the name would change silently.
          else if (queries.getQueryData(userQuery.queryKey)) toast(ANOTHER_ACCOUNT);
          changePerson(queries, now).catch(() => {});
        },
      }),
    [queries, open],
  );

  // Usage is counted by the month with premium, and by the day otherwise: the period shows when a plan began or ended.
  const user = useQuery(userQuery).data;
  const period = useQuery(usageQuery).data?.period;
  const behind = user && period && user.isPremium !== (period === 'month');
  useEffect(() => {
    if (behind && queries.isFetching(userQuery) === 0) void queries.invalidateQueries(userQuery);
  }, [behind, queries]);
  return null;
}

/** User or usage could not be fetched. The page keeps its previous data. */
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
  const shown = !useQuery(userQuery).data?.isPremium;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-without-ads', !shown);
  }, [shown]);
  return <AdsProvider value={shown}>{children}</AdsProvider>;
}

/** The events that show a user at work. */
const FIRST_EVENTS = ['pointerdown', 'keydown', 'dragenter', 'paste', 'change'] as const;

/** Returns an unsubscribe function. */
function onFirstInteraction(begin: () => unknown): () => void {
  const waiting = new AbortController();
  const once = () => {
    waiting.abort();
    begin();
  };
  for (const type of FIRST_EVENTS) {
    window.addEventListener(type, once, { signal: waiting.signal, capture: true, passive: true });
  }
  return () => waiting.abort();
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

/** Rendered at the first interaction or with the first toast; earlier toasts wait in their store. */
function OnFirstInteraction({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const begin = () => setDue(true);
    const stopWaiting = onFirstInteraction(begin);
    const leave = toastStore.subscribe(begin);
    if (toastStore.list().length > 0) begin();
    return () => {
      stopWaiting();
      leave();
    };
  }, []);
  return due && children;
}
