/**
 * Installs what is missing, builds what is stale, and starts a part of the product: the server (`npm start`), or the one
 * that is named, `worker`, `admin` or `program`. What follows the name is passed on.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, requireNode, root } from './bootstrap.mjs';

const PARTS = { worker: startWorker, admin: startAdmin, program: startProgram };

const [, , part = '', ...rest] = process.argv;
requireNode();
await ensureInstalled();
await (PARTS[/** @type {keyof typeof PARTS} */ (part)] ?? startServer)();

async function startServer() {
  await ensureBuilt();
  await enter('server/main.js');
}

/** Reads pictures for the servers on the same Redis. */
async function startWorker() {
  await ensureBuilt(['server']);
  await enter('server/worker.js');
}

/** The operator's tool, on the database of this folder's settings. */
async function startAdmin() {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', 'src/server/admin/main.ts', ...rest],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}

/** The command line as it is packed, out of this folder; its data lie in this folder too. */
async function startProgram() {
  await ensureBuilt(['server']);
  const envFile = join(root, '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  process.env.DATA_DIR ??= join(root, 'data');
  process.argv.splice(2, 1);
  await enter('program/main.js');
}

/** @param {string} file below `dist/node` */
async function enter(file) {
  if (file.startsWith('server/')) process.env.NODE_ENV ??= 'production';
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'node', file)).href);
}
