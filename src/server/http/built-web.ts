import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RenderPage } from '#contract/page';
import { INSTALLED } from '#contract/paths';
import type { PageAssets } from './document.ts';
import { cspHashSource } from './headers.ts';
import type { PageRenderer } from './pages.ts';

const CLIENT_ENTRY = 'src/web/entry-client.tsx';
/** The manifest key of the style sheet. */
const STYLE_SHEET = 'style.css';

const chunkSchema = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  assets: z.array(z.string()).default([]),
});
const manifestSchema = z.record(z.string(), chunkSchema);
type Manifest = z.infer<typeof manifestSchema>;

/** Fonts to preload: the base files of styles/fonts.css. Browsers load other characters, and the monospaced font, on use. */
const isPreloadedFont = (file: string): boolean => file.endsWith('.woff2') && file.includes('-base-');

interface WebOptions {
  serviceWorker: 'on' | 'off';
}

export async function loadBuiltWeb(root: string, { serviceWorker }: WebOptions): Promise<PageRenderer> {
  const client = join(root, 'dist', 'web', 'client');
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(client, '.vite', 'manifest.json'), 'utf8')),
  );
  const css = await readFile(join(client, styleSheetOf(manifest)), 'utf8');
  const entry = await import(pathToFileURL(join(root, 'dist', 'web', 'server', 'entry-server.js')).href);
  const render: RenderPage = entry.render;
  const earlyScript: string = entry.earlyScript;
  return {
    render,
    assets: (modules) => ({ ...assetsOf(manifest, modules), earlyScript, css }),
    inline: { script: cspHashSource(earlyScript), style: cspHashSource(css) },
    async register(app) {
      await serveFiles(app, client);
      await serveWorker(app, await workerScript(client, serviceWorker));
    },
  };
}

function styleSheetOf(manifest: Manifest): string {
  const file = manifest[STYLE_SHEET]?.file;
  if (!file) throw new Error(`The build has no ${STYLE_SHEET}. Run npm run build.`);
  return file;
}

/** Files that the entry and the sources in `extra` load statically. A source without its own chunk adds nothing. */
export function assetsOf(
  manifest: Manifest,
  extra: readonly string[] = [],
): Omit<PageAssets, 'earlyScript' | 'css'> {
  const chunks = new Map<string, Manifest[string]>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || chunks.has(key)) return;
    chunks.set(key, chunk);
    chunk.imports.forEach(visit);
  };
  visit(CLIENT_ENTRY);
  extra.forEach(visit);
  const [script, ...modules] = [...chunks.values()].map((chunk) => `/${chunk.file}`);
  if (!script) throw new Error(`The build has no entry ${CLIENT_ENTRY}. Run npm run build.`);
  const files = new Set([...chunks.values()].flatMap((chunk) => chunk.assets).map((file) => `/${file}`));
  return {
    script,
    modules,
    fonts: [...files].filter(isPreloadedFont),
  };
}

export async function serveFiles(app: FastifyInstance, client: string): Promise<void> {
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'anyone', kind: 'file' };
    });
    // Hashed names, so copies may be cached for ever.
    await files.register(fastifyStatic, {
      root: join(client, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
      index: false,
      decorateReply: false,
    });
    // Other files (icons, robots.txt) have stable names.
    await files.register(fastifyStatic, {
      root: client,
      wildcard: false,
      globIgnore: ['assets/**', 'sw.js', '.vite/**', '**/*.html', '**/*.br', '**/*.gz'],
      maxAge: '1h',
      preCompressed: true,
      index: false,
      decorateReply: false,
    });
  });
}

/** Browsers look for a new worker with each visit, so it must never be cached. */
async function serveWorker(app: FastifyInstance, script: string): Promise<void> {
  app.get(INSTALLED.worker, { config: { access: 'anyone', kind: 'file' } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
  );
}

/** Replaces an installed service worker: deletes its caches and unregisters. */
const UNREGISTER_SCRIPT = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

export async function workerScript(client: string, serviceWorker: 'on' | 'off'): Promise<string> {
  return serviceWorker === 'on' ? readFile(join(client, 'sw.js'), 'utf8') : UNREGISTER_SCRIPT;
}
