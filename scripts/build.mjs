/**
 * The build, into `dist`: `server`, which is server and engine, and `page`, which is for the browser and for the server.
 * `node scripts/build.mjs [PART…]` builds these parts, or both.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
process.env.NODE_ENV = 'production';
// Only now: on a bare machine they are not there before.
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
// A build by hand does not record its inputs.
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
  // The page gives one of them to the engine on a device.
  await ensureNetworks();
  await build({ root, logLevel: 'warn' });
  await nameShell(client);
  // It takes longest and uses a core of its own; the rest is built at the same time.
  const compressed = precompress(client);
  await build({ root, logLevel: 'warn', build: { ssr: 'src/web/entry-server.tsx' } });
  await runnerImport(join(root, 'scripts', 'social-cards.ts'), {
    root,
    resolve: { conditions: ['source', 'node'] },
  });
  await compressed;
}
