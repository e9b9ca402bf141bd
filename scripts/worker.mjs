/** `npm run worker`: installs what is missing, builds what is stale, and reads pictures for the servers on the same Redis. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt(['server']);
process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'dist', 'node', 'server', 'worker.js')).href);
