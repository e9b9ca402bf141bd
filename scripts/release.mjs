/**
 * `npm run release [-- FOLDER]`: collects the built server with everything that it needs at run time, for this system. The
 * container image is built from it, and it can be copied to a machine without a registry.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { deleteUnusedFiles } from './unused-files.mjs';

/** Files that a server needs besides its packages. `tools` only keeps the lock file valid for npm. */
const PARTS = [
  'dist',
  'content',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
  'tools',
];

requireNode();
await ensureInstalled();
await ensureBuilt();
const target = resolve(process.argv[2] ?? join(root, 'release'));
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const part of PARTS) await cp(join(root, part), join(target, part), { recursive: true });
await run(
  'npm',
  [
    'ci',
    '--omit=dev',
    '--workspaces=false',
    '--prefer-offline',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
  ],
  { cwd: target },
);
await rm(join(target, 'tools'), { recursive: true });
await deleteUnusedFiles(target);
console.log(`${target} holds a server for ${process.platform} on ${process.arch}: start it with
  NODE_ENV=production node --enable-source-maps dist/node/server/main.js`);
