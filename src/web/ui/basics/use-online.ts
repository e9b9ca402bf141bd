import { useSyncExternalStore } from 'react';

function watch(onChange: () => void): () => void {
  const watching = new AbortController();
  window.addEventListener('online', onChange, { signal: watching.signal });
  window.addEventListener('offline', onChange, { signal: watching.signal });
  return () => watching.abort();
}

/** False only where the browser knows that there is no network at all. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
}
