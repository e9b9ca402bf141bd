import { useSyncExternalStore } from 'react';

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
