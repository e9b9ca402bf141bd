/** `npm run admin -- …`: the operator's tool, on the database of this folder's settings. */
import { spawnSync } from 'node:child_process';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--conditions=source', 'src/server/admin/main.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
