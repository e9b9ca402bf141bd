/**
 * One suite, or the part of it that the arguments name: `npm run test:unit -- src/formats`,
 * `npm run test:component -- review-bar`, `npm run test:journeys -- payment`.
 */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { ensurePrograms } from './system.mjs';

const [suite = '', ...wanted] = process.argv.slice(2);

requireNode();
await ensureInstalled('testing');
// Unit tests need no program beside Node.
if (suite !== 'unit') await ensurePrograms();

if (suite === 'journeys') {
  await ensureBuilt();
  // A test is named with its project where it is to run at another width: `-- shell --project=phone`.
  const project = wanted.some((word) => word.startsWith('--project')) ? [] : ['--project=journeys'];
  await start('playwright', ['test', ...project, ...wanted]);
} else {
  await start('vitest', ['run', `--project=${suite}`, ...wanted]);
}

/** @param {string} tool @param {string[]} args */
function start(tool, args) {
  return run(join(root, 'node_modules', '.bin', tool), args).catch(() => process.exit(1));
}
