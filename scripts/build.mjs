/** The whole build, into `dist`: page for the browser, page for the server, server and engine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { precompress } from './precompress.mjs';

requireNode();
await ensureInstalled();

const env = { ...process.env, NODE_ENV: 'production' };
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

await rm(join(root, 'dist'), { recursive: true, force: true });
await Promise.all([
  run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { env }),
  run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { env }),
]);
await run(process.execPath, [vite, 'build', '--ssr', 'src/web/entry-server.tsx', '--logLevel', 'warn'], {
  env,
});
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
await run(process.execPath, [tsx, '--conditions=source', join('scripts', 'social-cards.ts')], { env });
await precompress(join(root, 'dist', 'web', 'client'));
