/** `npm run glyphlift -- …`: the program as it is packed, out of this folder; its data lie in this folder too. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, requireNode, root } from './bootstrap.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt(process.argv[2] === 'serve' ? ['server', 'page'] : ['server']);
const envFile = join(root, '.env');
if (existsSync(envFile)) process.loadEnvFile(envFile);
process.env.DATA_DIR ??= join(root, 'data');
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'dist', 'node', 'program', 'main.js')).href);
