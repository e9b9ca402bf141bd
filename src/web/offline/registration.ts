import { INSTALLED } from '#contract/paths';
import { isOffline } from '../session/browser-data.ts';
import { trustedScript } from '../workers/trusted-script.ts';
import { uncounted } from './uncounted.ts';

/*
 * The page's side of `service-worker.ts`, and what a page does once it has loaded.
 */

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

/** The pictures that another app shared with this one, once. */
export async function takeSharedPictures(): Promise<File[]> {
  const shared = await caches.open(SHARED);
  const answers = await shared.matchAll();
  await caches.delete(SHARED);
  return Promise.all(
    answers.map(async (answer) => {
      const bytes = await answer.blob();
      const name = decodeURIComponent(answer.headers.get('file-name') ?? 'picture');
      return new File([bytes], name, { type: answer.headers.get('content-type') ?? bytes.type });
    }),
  );
}

/** The name of the cache with the engine's files. It holds nothing personal, so that it stays when others are removed. */
export const DEVICE_CACHE = 'device-engine';

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
    // Retried by the next page, or when the network is back.
    .catch(() => {});
}
