import { defineConfig } from '@playwright/test';
import { chromiumFlags, headlessChromiumPath } from './scripts/test-programs.mjs';

const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** Tag of layout tests, which `npm run test:wide` repeats at the other widths. */
const EVERY_WIDTH = /@every-width/;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  // Tests wait for a state, not for a time: a shared machine may pause for seconds.
  expect: { timeout: 15_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.RESULTS_FILE
    ? [['line'], ['json', { outputFile: process.env.RESULTS_FILE }]]
    : [['list']],
  // For pauses of a shared machine. A test that passes only on its retry is listed as flaky.
  retries: 1,
  use: {
    launchOptions: { executablePath: headlessChromiumPath(), args: chromiumFlags() },
    // Tracing every test would cost a third of its processor time.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // The service worker would answer requests that a test intercepts; `installed.spec.ts` allows it.
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
