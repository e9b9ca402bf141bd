import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useSite } from '../../site/site.tsx';

/* Hooks for state that only the browser has. */

function watch(onChange: () => void): () => void {
  const watching = new AbortController();
  window.addEventListener('online', onChange, { signal: watching.signal });
  window.addEventListener('offline', onChange, { signal: watching.signal });
  return () => watching.abort();
}

/** False only if the browser knows that it is offline. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
}

const TICK_MS = 60_000;

/** Milliseconds since 1970 by the server's clock, because the visitor's may be wrong. Updated once a minute. */
export function useNow(): number {
  const { now } = useSite();
  const [sinceOpened, setSinceOpened] = useState(0);
  useEffect(() => {
    const tick = () => setSinceOpened(performance.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(now) + sinceOpened;
}

/** Calls `onRestored` when the browser shows the page from its back/forward cache. */
export function usePageRestored(onRestored: () => void): void {
  const notifyRestored = useEffectEvent(onRestored);
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) notifyRestored();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
}

const neverChanges = () => () => {};

/** A constant value that only the browser can read; `initial` on the server and during hydration. */
export const useBrowserValue = <T>(read: () => T, initial: T): T =>
  useSyncExternalStore(neverChanges, read, () => initial);
