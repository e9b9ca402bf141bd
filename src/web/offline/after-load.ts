import { isOffline } from '../session/browser-data.ts';
import { syncServiceWorker } from './registration.ts';
import { uncounted } from './uncounted.ts';

/** What a page does once it has loaded, and nothing waits for. */
export async function afterLoad(worksOffline: boolean): Promise<void> {
  addEventListener('online', countReadings);
  countReadings();
  // A page from the cache is of the build that registered the worker.
  if (!isOffline()) await syncServiceWorker(worksOffline);
}

/** Readings on this device that were made without a network. */
function countReadings(): void {
  if (uncounted().length === 0 || !navigator.onLine) return;
  import('./device-count.ts')
    .then(({ countWaiting }) => countWaiting())
    // What cannot be fetched now is with the next page, or when the network is back.
    .catch(() => {});
}
