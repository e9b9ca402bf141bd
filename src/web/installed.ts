import { WORKER_POLICY } from '#contract/page';
import { INSTALLED } from '#contract/paths';

/*
 * The page's side of `service-worker.ts`.
 */

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): {
    createScriptURL(address: string): string;
  };
}

const SHARED = 'shared-picture';

/** An address that a browser with Trusted Types takes for a worker. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  const policy = trustedTypes?.createPolicy(WORKER_POLICY, {
    createScriptURL() {
      return INSTALLED.worker;
    },
  });
  return policy?.createScriptURL(INSTALLED.worker) ?? INSTALLED.worker;
}

/** Has the browser keep the tool, or removes what it keeps of it. */
export async function settleWorker(worksOffline: boolean): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  if (worksOffline) {
    await navigator.serviceWorker.register(workerAddress(), { updateViaCache: 'none' });
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
