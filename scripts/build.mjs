/**
 * Builds into `dist`: part `server` is server and engine, part `page` is the web client and its server-side rendering.
 * `node scripts/build.mjs [PART…]` builds the given parts, or both.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
process.env.NODE_ENV = 'production';
// Imported here, because the packages may have been installed only now.
const [
  { build, runnerImport },
  { compileServer },
  { ensureNetworks, writeNetworks },
  { precompress },
  { nameShell },
] = await Promise.all([
  import('vite'),
  import('./compile.mjs'),
  import('./networks.mjs'),
  import('./precompress.mjs'),
  import('./name-shell.mjs'),
]);

const dist = join(root, 'dist');
// Removes the stamps, because a direct build does not record its inputs.
await rm(join(dist, '.build-stamps.json'), { force: true });
const parts = process.argv.length > 2 ? process.argv.slice(2) : ['server', 'page'];
if (parts.includes('server')) await buildServer();
if (parts.includes('page')) await buildPage();

async function buildServer() {
  const target = join(dist, 'node');
  await rm(target, { recursive: true, force: true });
  await compileServer(join(root, 'src'), target);
  await writeNetworks(join(target, 'ocr', 'networks'));
}

async function buildPage() {
  const client = join(dist, 'web', 'client');
  await rm(join(dist, 'web'), { recursive: true, force: true });
  // The page serves one of the networks to on-device recognition.
  await ensureNetworks();
  await build({ root, logLevel: 'warn' });
  await nameShell(client);
  // Compression takes longest and uses a separate core, so the rest is built in parallel.
  const compressed = precompress(client);
  await build({ root, logLevel: 'warn', build: { ssr: 'src/web/entry-server.tsx' } });
  await runnerImport(join(root, 'scripts', 'social-cards.ts'), {
    root,
    resolve: { conditions: ['source', 'node'] },
  });
  await compressed;
}
