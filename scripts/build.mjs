/** The whole build, into `dist`: page for the browser, page for the server, server and engine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
process.env.NODE_ENV = 'production';
// Only now: on a bare machine they are not there before.
const [{ build, runnerImport }, { compileServer }, { writeNetworks }, { precompress }] = await Promise.all([
  import('vite'),
  import('./compile.mjs'),
  import('./networks.mjs'),
  import('./precompress.mjs'),
]);

const dist = join(root, 'dist');
await rm(dist, { recursive: true, force: true });
await compileServer(join(root, 'src'), join(dist, 'node'));
await writeNetworks(join(dist, 'node', 'ocr', 'networks'));
await build({ root, logLevel: 'warn' });
await build({ root, logLevel: 'warn', build: { ssr: 'src/web/entry-server.tsx' } });
await runnerImport(join(root, 'scripts', 'social-cards.ts'), {
  root,
  resolve: { conditions: ['source', 'node'] },
});
await precompress(join(dist, 'web', 'client'));
