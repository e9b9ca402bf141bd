import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Takes the place of a worker that browsers have, removes what it kept, and itself. */
const FAREWELL = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

/** @param client the folder of the files that the browser loads */
export async function workerScript(client: string, serviceWorker: 'on' | 'off'): Promise<string> {
  return serviceWorker === 'on' ? readFile(join(client, 'sw.js'), 'utf8') : FAREWELL;
}
