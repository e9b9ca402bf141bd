/*
 * The service worker. It caches the signed-out start page, so that the tool opens offline, and accepts pictures that other
 * apps share. It never caches API responses or pages of a signed-in user. It imports nothing and is built as a separate
 * file.
 */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WorkerScope {
  location: Location;
  registration: { navigationPreload?: { disable(): Promise<void> } };
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

declare const self: WorkerScope;
/** Inserted by the build: the files of the tool and their version. */
declare const __SHELL__: { version: string; entry: string; files: readonly string[] };

export {};

const START = '/';
const SHARE = '/share';
const SHELL = `shell-${__SHELL__.version}`;
const SHARED = 'shared-picture';
/** Cache of engine files, `DEVICE_CACHE` in `registration.ts`. Only the visitor deletes it. */
const DEVICE = 'device-engine';
/** Limits of a share; the same as in `shared-pictures.tsx`. */
const MAX_SHARED = { files: 10, bytes: 50 * 1024 ** 2 } as const;

self.addEventListener('install', (event) => event.waitUntil(cacheShell()));
self.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()));

/** Caches the start page, fetched without cookies, and its files. Fails unless all are of this build. */
async function cacheShell(): Promise<void> {
  const start = await fetch(START, { credentials: 'omit', cache: 'no-store', redirect: 'error' });
  const html = await start.text();
  if (!start.ok || !html.includes(__SHELL__.entry)) throw new Error('The server has another build');
  const shell = await caches.open(SHELL);
  await shell.addAll([...__SHELL__.files]);
  const headers = new Headers(start.headers);
  // These headers describe the original transfer, not the stored body.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  await shell.put(START, new Response(html.replace('<html ', '<html data-offline '), { headers }));
}

/** Runs on activation, when all pages of the previous build are closed. */
async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name !== SHELL && name !== DEVICE).map((name) => caches.delete(name)),
  );
  if (await caches.has(DEVICE)) await deleteOldScripts(await caches.open(DEVICE));
  // An older worker enabled navigation preload, which would request unhandled navigations twice.
  await self.registration.navigationPreload?.disable();
}

/** Deletes scripts of the previous build. */
async function deleteOldScripts(device: Cache): Promise<void> {
  const stored = await device.keys();
  const scripts = stored.filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(scripts.map((script) => device.delete(script)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.method === 'POST') {
    if (pathname === SHARE && !isCrossSite(request)) event.respondWith(takeShared(request));
  } else if (request.mode === 'navigate' && request.method === 'GET') {
    event.respondWith(handleNavigation(request, pathname));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(fromCache(request));
  }
});

/** Network first: the cached start page is used only offline. */
async function handleNavigation(request: Request, pathname: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (pathname !== START) return new Response(OFFLINE_PAGE, { status: 503, headers: OFFLINE_HEADERS });
    const shell = await caches.open(SHELL);
    const start = await shell.match(START);
    if (start) return start;
    throw error;
  }
}

/** Cache first, because file names are content hashes. */
async function fromCache(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL);
  return (
    (await shell.match(request.url)) ?? ((await caches.has(DEVICE)) ? cacheOnUse(request) : fetch(request))
  );
}

/** Caches scripts of the engine on first use if on-device recognition is enabled. */
async function cacheOnUse(request: Request): Promise<Response> {
  const device = await caches.open(DEVICE);
  const cached = await device.match(request.url);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok && /\.m?js$/.test(new URL(request.url).pathname))
    await device.put(request.url, response.clone());
  return response;
}

/** Whether another site sent the form. The share sheet of the operating system sends no referrer. */
function isCrossSite({ referrer }: Request): boolean {
  return /^https?:/.test(referrer) && new URL(referrer).origin !== self.location.origin;
}

/** Caches the shared pictures until the page asks the visitor whether to use them. Nothing is sent to the server. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const files = form.getAll('picture').filter((field) => field instanceof File);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > MAX_SHARED.files || bytes > MAX_SHARED.bytes)
    return Response.redirect(`${START}?shared=too-many`, 303);
  const shared = await caches.open(SHARED);
  for (const [number, file] of files.entries()) {
    const headers = { 'content-type': file.type, 'file-name': encodeURIComponent(file.name) };
    await shared.put(`${SHARE}?${number}`, new Response(file, { headers }));
  }
  return Response.redirect(`${START}?shared`, 303);
}

const OFFLINE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
};

const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>You are offline – Glyphlift</title>
</head>
<body>
<main>
<h1>You are offline</h1>
<p>This page is not stored on this device. Check your connection, then load it again.</p>
<p><a href="/">Open the tool</a>: results that this browser keeps can be read, changed and copied there.</p>
</main>
</body>
</html>
`;
