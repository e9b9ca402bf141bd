import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { PAGES } from '#contract/paths';
import { watchPerson } from '../api/client.ts';
import { DialogsProvider, useDialogs } from '../dialogs/dialogs.tsx';
import { replayEarlyEvents } from '../hydration/early-events.ts';
import { endHydration, lazyComponent } from '../hydration/lazy.tsx';
import { applyHead, fullTitle } from '../router/head.ts';
import { metaOf } from '../router/page.ts';
import { useLocation, useShown } from '../router/router.tsx';
import { isOffline, rememberOwner } from '../session/browser-data.ts';
import { changePerson, usageQuery, userQuery } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import { AdsProvider } from '../ui/basics/ad-slot.tsx';
import { toast, toastStore } from '../ui/toast/toast-store.ts';

/** Should it not load, what it would say stands in place as well. */
const Toaster = lazyComponent(async () => (await import('../ui/toast/toast.tsx')).Toaster);

/** Should it not load, a file that is let go does what it does on any other page of the web. */
const DropElsewhere = lazyComponent(async () => (await import('./drop-elsewhere.tsx')).DropElsewhere);

export const MAIN_ID = 'content';

const ANOTHER_ACCOUNT = {
  title: 'Another account is signed in',
  description: 'It was signed in from another tab of this browser. This page shows it now.',
};

/** Around every page: the way past the bar, the head after navigation, its announcement, toasts. */
export function Root({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  // Effects of what is inside run first: by now every part of the page listens.
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
        {/* Effects run in this order: the page's first calls already say whom it shows. */}
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
const WORKER_AFTER = 8000;

/** The tool as the browser keeps it: kept anew by each visit, and marked where it comes from there. */
function OfflineSupport() {
  const { worksOffline } = useSite();
  const [cameFromStore, setCameFromStore] = useState(false);
  const user = useQuery(userQuery).data;
  useEffect(() => {
    setCameFromStore(isOffline());
    if (!import.meta.env.PROD || isOffline()) return;
    const settle = () =>
      void import('../offline/registration.ts')
        .then(({ syncServiceWorker }) => syncServiceWorker(worksOffline))
        .catch(() => {});
    const timer = setTimeout(settle, WORKER_AFTER);
    return () => clearTimeout(timer);
  }, [worksOffline]);
  useEffect(() => {
    if (user !== undefined && !isOffline()) rememberOwner(user?.username ?? null);
  }, [user]);
  return cameFromStore ? <OfflineNotice /> : null;
}

/** After a navigation a screen reader hears the new title, and the keyboard starts at the new content. */
function RouteChange() {
  const shown = useShown();
  const { pathname } = shown.place;
  const site = useSite();
  const queryClient = useQueryClient();
  // A page's title may be in its data: it is made anew when that has come.
  useIsFetching();
  const meta = metaOf(shown, site, queryClient);
  const title = fullTitle(meta);
  const told = useRef({ pathname, title });
  const [announced, setAnnounced] = useState('');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the meta is made anew on every render, its title is what changes
  useEffect(() => {
    const before = told.current;
    if (before.pathname === pathname && before.title === title) return;
    told.current = { pathname, title };
    applyHead(meta, site);
    setAnnounced(title);
    if (before.pathname !== pathname) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  }, [pathname, title, site]);

  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}

/** Keeps the page true about who is signed in, with every answer that comes. */
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
          if (now === 'nobody') open({ name: 'auth', tab: 'login', because: 'signed-out' });
          // A call that nobody pressed for may be the one that tells: without a word the name would change unseen.
          else if (queries.getQueryData(userQuery.queryKey)) toast(ANOTHER_ACCOUNT);
          changePerson(queries, now).catch(() => {});
        },
      }),
    [queries, open],
  );

  // Who has premium is counted by the month, everybody else by the day: the count tells when a plan began or ended.
  const user = useQuery(userQuery).data;
  const period = useQuery(usageQuery).data?.period;
  const behind = user && period && user.isPremium !== (period === 'month');
  useEffect(() => {
    if (behind && queries.isFetching(userQuery) === 0) void queries.invalidateQueries(userQuery);
  }, [behind, queries]);
  return null;
}

/** Who is here, or what they have used, could not be asked. The page goes on with what it knew. */
function PersonFailures() {
  const user = useQuery(userQuery).error;
  const usage = useQuery(usageQuery).error;
  const [failure] = [user, usage].filter((error) => error !== null);
  useEffect(() => {
    if (failure) toast({ title: 'Error', description: failure.message, variant: 'destructive' });
  }, [failure]);
  return null;
}

/** Who pays sees no advertising. What the server drew for somebody else loses it when they have signed in. */
function Ads({ children }: { children: ReactNode }) {
  const shown = !useQuery(userQuery).data?.isPremium;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-without-ads', !shown);
  }, [shown]);
  return <AdsProvider value={shown}>{children}</AdsProvider>;
}

/** What somebody does before anything is said. */
const FIRST_EVENTS = ['pointerdown', 'keydown', 'dragenter', 'paste', 'change'] as const;

/** Returns the way out. */
function onFirstInteraction(begin: () => unknown): () => void {
  const waiting = new AbortController();
  const once = () => {
    waiting.abort();
    begin();
  };
  for (const deed of FIRST_EVENTS) {
    window.addEventListener(deed, once, { signal: waiting.signal, capture: true, passive: true });
  }
  return () => waiting.abort();
}

/** Looked after from the first deed on. */
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

/** What comes with the first deed or the first word; what is said earlier waits in the store of toasts. */
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
