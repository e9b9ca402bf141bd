/**
 * Runs one suite, or the part of it that the arguments select: `npm run test:unit -- src/formats`,
 * `npm run test:component -- review-bar`, `npm run test:journeys -- payment`.
 */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { ensurePrograms } from './test-programs.mjs';

const [suite = '', ...wanted] = process.argv.slice(2);

requireNode();
await ensureInstalled('testing');
// Unit tests need no program besides Node.
if (suite !== 'unit') await ensurePrograms();

if (suite === 'journeys') {
  await ensureBuilt();
  // Another project runs tests at another width: `-- shell --project=phone`.
  const project = wanted.some((word) => word.startsWith('--project')) ? [] : ['--project=journeys'];
  await start('playwright', ['test', ...project, ...wanted]);
} else {
  await start('vitest', ['run', `--project=${suite}`, ...wanted]);
}

/** @param {string} tool @param {string[]} args */
function start(tool, args) {
  return run(join(root, 'node_modules', '.bin', tool), args).catch(() => process.exit(1));
}
