/** `npm run dev`: the server restarts when its sources change, the page updates in place. */
import { ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { ensureNetworks } from './networks.mjs';

requireNode();
await ensureInstalled();
await ensureNetworks();
await run(
  process.execPath,
  [
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--conditions=source',
    '--exclude',
    'src/web/**',
    'src/server/main.ts',
  ],
  { cwd: root, env: { ...process.env, NODE_ENV: 'development' } },
).catch(() => process.exit(1));
