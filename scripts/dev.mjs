/**
 * `npm run dev`: the page updates in place. The server restarts when its sources change and keeps the warm engine,
 * which restarts only when its own sources change.
 */
import { spawn } from 'node:child_process';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';
import { ensureNetworks } from './networks.mjs';

/** Exit code of the host when the engine's sources have changed, because it cannot reload them. */
const RESTART_EXIT_CODE = 75;

requireNode();
await ensureInstalled();
await ensureNetworks();
let code = RESTART_EXIT_CODE;
while (code === RESTART_EXIT_CODE) code = await host();
process.exit(code);

/** @returns {Promise<number>} */
function host() {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', 'scripts/development.ts'],
      { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } },
    );
    // Ctrl-C reaches both processes; the host stops the server, and this process waits for it.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
      process.once(signal, () => signal === 'SIGTERM' && child.kill(signal));
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
