/** `npm test`: installs what is missing, then checks the sources and runs the four quick suites (docs/testing.md). */
import { ensureBuilt, ensureInstalled, requireNode } from './bootstrap.mjs';
import { ensurePrograms } from './test-programs.mjs';
import { createTestRun, failed, passed, withoutBuiltFiles } from './test-run.mjs';

requireNode();
await ensureInstalled('testing');
await ensurePrograms();

const { step, checks, vitest, playwright, finish } = createTestRun();

// Many integration tests wait for other processes, so checks and build run in parallel.
await step('checks, build, unit and integration', async () => {
  const found = await Promise.all([checkAndBuild(), vitest(['--project=unit', '--project=integration'])]);
  return found.flat();
});
await step('component', () => vitest(['--project=component', '--retry=1']));
await step('journeys', () => playwright(['journeys']));

finish({ clock: 480, processor: 900, each: { component: 0.6, journeys: 4.3 }, flaky: 3 });

async function checkAndBuild() {
  const found = await withoutBuiltFiles(() =>
    checks([
      ['format and lint', 'biome', ['ci', '--colors=off', '--max-diagnostics=40', '.']],
      // Called by its path, because two packages have a program with this name.
      ['types', '../typescript-native/bin/tsc', ['-b']],
      [
        'import rules',
        'depcruise',
        ['src', 'bench', 'tests', 'scripts', 'training', 'extension', '--output-type', 'err'],
      ],
      ['unused code', 'knip', ['--treat-config-hints-as-errors']],
    ]),
  );
  const built = await ensureBuilt().then(
    () => passed('build'),
    (error) => failed('build', String(error)),
  );
  return [...found, built];
}
