import { INSTALLED } from '#contract/paths';
import { isOffline } from '../session/browser-data.ts';
import { trustedScript } from '../workers/trusted-script.ts';
import { pendingReports } from './pending-reports.ts';

/* The page's side of `service-worker.ts`. */

const SHARED = 'shared-picture';

/** Registers the service worker, or removes it and its caches. */
async function syncServiceWorker(worksOffline: boolean): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  if (worksOffline) {
    await navigator.serviceWorker.register(trustedScript(INSTALLED.worker), { updateViaCache: 'none' });
    return;
  }
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((worker) => worker.unregister()));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== DEVICE_CACHE).map((name) => caches.delete(name)));
}

/** Returns the pictures that another app shared, and removes them from the cache. */
export async function takeSharedPictures(): Promise<File[]> {
  const shared = await caches.open(SHARED);
  const responses = await shared.matchAll();
  await caches.delete(SHARED);
  return Promise.all(
    responses.map(async (response) => {
      const bytes = await response.blob();
      const name = decodeURIComponent(response.headers.get('file-name') ?? 'picture');
      return new File([bytes], name, { type: response.headers.get('content-type') ?? bytes.type });
    }),
  );
}

/** The name of the cache with the engine's files. It has no personal data, so it stays when other caches are deleted. */
export const DEVICE_CACHE = 'device-engine';

/** Background work of every page after it has loaded. */
export async function afterLoad(worksOffline: boolean): Promise<void> {
  addEventListener('online', reportWhenOnline);
  reportWhenOnline();
  // A cached page is of the build that the service worker was registered with.
  if (!isOffline()) await syncServiceWorker(worksOffline);
}

/** Reports the on-device extractions that were made offline. */
function reportWhenOnline(): void {
  if (pendingReports().length === 0 || !navigator.onLine) return;
  import('./on-device-usage.ts')
    .then(({ sendPendingReports }) => sendPendingReports())
    // Retried by the next page, or when the network is back.
    .catch(() => {});
}
