import { defineConfig } from '@playwright/test';
import { chromiumFlags, headlessChromiumPath } from './scripts/system.mjs';

const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** Tests whose subject is the layout carry this tag; the wide run repeats them at the other widths. */
const EVERY_WIDTH = /@every-width/;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  // What a test waits for says what comes, not how soon: on a machine that others share, everything may stand still for seconds.
  expect: { timeout: 15_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.RESULTS_FILE
    ? [['line'], ['json', { outputFile: process.env.RESULTS_FILE }]]
    : [['list']],
  // A machine that others share may stop for seconds. A test that passes only on its retry is listed as flaky.
  retries: 1,
  use: {
    launchOptions: { executablePath: headlessChromiumPath(), args: chromiumFlags() },
    // Tracing every test would cost a third of its processor time.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // A worker answers what a test would answer itself; `installed.spec.ts` lets it.
    serviceWorkers: 'block',
    timezoneId: 'Pacific/Auckland',
    locale: 'en-US',
  },
  projects: [
    { name: 'journeys', testDir: 'tests/e2e/journeys', use: DESKTOP },
    { name: 'desktop', testDir: 'tests/e2e/wide', use: DESKTOP },
    { name: 'tablet', grep: EVERY_WIDTH, use: { viewport: { width: 768, height: 1024 }, hasTouch: true } },
    {
      name: 'phone',
      grep: EVERY_WIDTH,
      use: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true },
    },
  ],
});
