/** `npm run test:wide`: runs all tests that take too long for `npm test` (docs/testing.md). */
import { ensureBuilt, ensureInstalled, requireNode } from './bootstrap.mjs';
import { ensureLts } from './lts.mjs';
import { ensurePrograms } from './test-programs.mjs';
import { createTestRun, withoutBuiltFiles } from './test-run.mjs';

/** Tests that depend on the Node version: processes, threads, signals, native packages. */
const NODE_DEPENDENT_TESTS = [
  'src/server/main',
  'src/server/platform/database',
  'src/server/recognition/engine/real-engine',
  'src/ocr/host/confinement',
  'src/server/accounts/password',
];

requireNode();
await ensureInstalled('testing');
await ensurePrograms('wide');
await ensureBuilt();

const { step, checks, vitest, playwright, finish } = createTestRun();

// Code that only tests use counts as unused.
await step('unused code of the product', () =>
  withoutBuiltFiles(() =>
    checks([['unused code of the product', 'knip', ['--production', '--treat-config-hints-as-errors']]]),
  ),
);

await step('long processes and sweeps', () => vitest(['--project=wide', '--retry=1']));
await step('the second database', () => vitest(['--project=second-database', '--retry=1']));
await step('the current LTS of Node', async () =>
  vitest(
    ['--project=unit', '--project=integration', '--project=wide', '--retry=1', ...NODE_DEPENDENT_TESTS],
    await ensureLts(),
  ),
);
await step('the package in a stranger’s project', () => vitest(['--project=package', '--retry=1']));
await step('screens, widths and devices', () => playwright(['desktop', 'tablet', 'phone']));
await step('Firefox and WebKitGTK', () => vitest(['--project=other-browsers', '--retry=1']));

finish({ clock: 1920, processor: 3600 });
