/**
 * `npm run test:changed [COMMIT]`: runs the unit, integration and component tests that depend on a file that has changed since
 * the last or the given commit, and the journeys that visit the changed pages.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { changedFiles, journeysFor } from './changed-journeys.mjs';
import { ensurePrograms } from './test-programs.mjs';

requireNode();
await ensureInstalled('testing');

const [commit = 'HEAD'] = process.argv.slice(2);
const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const changed = changedFiles(git, commit);
if (changed.length === 0) {
  console.log(`Nothing changed since ${commit}.`);
  process.exit(0);
}
await ensurePrograms();

const bin = join(root, 'node_modules', '.bin');
const projects = ['unit', 'integration', 'component'].map((name) => `--project=${name}`);
const suites = await succeeds('vitest', ['run', ...projects, `--changed=${commit}`, '--passWithNoTests']);

const journeys = journeysFor(changed);
if (journeys.length > 0) await ensureBuilt();
const journeysPassed =
  journeys.length === 0 ||
  (await succeeds('playwright', ['test', '--project=journeys', ...journeys.map((name) => `/${name}.spec`)]));
if (journeys.length === 0) console.log('No journey goes through what changed.');
process.exit(suites && journeysPassed ? 0 : 1);

/** @param {string} tool @param {string[]} args */
function succeeds(tool, args) {
  return run(join(bin, tool), args).then(
    () => true,
    () => false,
  );
}
