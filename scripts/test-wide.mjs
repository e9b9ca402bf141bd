/** `npm run test:wide`: everything that takes too long for `npm test` (docs/testing.md). */
import { ensureBuilt, ensureInstalled, requireNode } from './bootstrap.mjs';
import { ensureLts } from './lts.mjs';
import { ensurePrograms } from './system.mjs';
import { createTestRun, withoutBuiltFiles } from './test-run.mjs';

/** Where the product meets Node itself and what is compiled for it: processes, threads, signals, every native package. */
const MEETS_NODE = [
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

// Code that only tests use is dead in the product.
await step('unused code of the product', () =>
  withoutBuiltFiles(() =>
    checks([['unused code of the product', 'knip', ['--production', '--treat-config-hints-as-errors']]]),
  ),
);

await step('long processes and sweeps', () => vitest(['--project=wide', '--retry=1']));
await step('the second database', () => vitest(['--project=second-database', '--retry=1']));
await step('the current LTS of Node', async () =>
  vitest(
    ['--project=unit', '--project=integration', '--project=wide', '--retry=1', ...MEETS_NODE],
    await ensureLts(),
  ),
);
await step('the package in a stranger’s project', () => vitest(['--project=package', '--retry=1']));
await step('screens, widths and devices', () => playwright(['desktop', 'tablet', 'phone']));
await step('Firefox and WebKitGTK', () => vitest(['--project=other-browsers', '--retry=1']));

finish({ clock: 1920, processor: 3600 });
