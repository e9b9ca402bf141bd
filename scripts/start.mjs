/**
 * Installs missing packages, builds what is out of date, and starts a part of the product: the server by default
 * (`npm start`), or `worker`, `admin` or `program`. Further arguments are passed to it.
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

/** Starts a worker, which reads pictures for the servers with the same Redis. */
async function startWorker() {
  await ensureBuilt(['server']);
  await enter('server/worker.js');
}

/** Runs the operator's command, with the database of this folder's settings. */
async function startAdmin() {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', 'src/server/admin/main.ts', ...rest],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}

/** Runs the command line as it is packaged; its data are in this folder. */
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
