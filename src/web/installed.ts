import { INSTALLED } from '#contract/paths';
import { ownScript } from './own-script.ts';

/*
 * The page's side of `service-worker.ts`.
 */

const SHARED = 'shared-picture';

/** Has the browser keep the tool, or removes what it keeps of it. */
export async function settleWorker(worksOffline: boolean): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  if (worksOffline) {
    await navigator.serviceWorker.register(ownScript(INSTALLED.worker), { updateViaCache: 'none' });
    return;
  }
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((worker) => worker.unregister()));
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** The picture that another app shared with this one, once. */
export async function takeSharedPicture(): Promise<File | null> {
  const shared = await caches.open(SHARED);
  const answer = await shared.match(INSTALLED.share);
  await caches.delete(SHARED);
  if (!answer) return null;
  const bytes = await answer.blob();
  const name = decodeURIComponent(answer.headers.get('file-name') ?? 'picture');
  return new File([bytes], name, { type: answer.headers.get('content-type') ?? bytes.type });
}
