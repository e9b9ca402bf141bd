/** `npm run test:browser -- blog`: browser tests by their files' names, at one width, with no more built than changed. */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { ensurePrograms } from './system.mjs';

requireNode();
await ensureInstalled('testing');
await ensurePrograms();
await ensureBuilt();
const wanted = process.argv.slice(2);
const width = wanted.some((word) => word.startsWith('--project')) ? [] : ['--project=desktop'];
await run(join(root, 'node_modules', '.bin', 'playwright'), ['test', ...width, ...wanted]).catch(() =>
  process.exit(1),
);
