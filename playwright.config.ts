import { defineConfig } from '@playwright/test';
import { headlessChromiumPath } from './scripts/system.mjs';

/** Off the network, and without the sandbox where Chromium would refuse to start for being root. */
const flags = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Tests whose subject is the layout carry this tag and run at all three widths. */
const EVERY_WIDTH = /@every-width/;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  // What a test waits for says what comes, not how soon: on a machine that others share, everything may stand still for seconds.
  expect: { timeout: 15_000 },
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.GATE_REPORT
    ? [['line'], ['json', { outputFile: process.env.GATE_REPORT }]]
    : [['list']],
  use: {
    launchOptions: { executablePath: headlessChromiumPath(), args: flags },
    // A trace costs a third of a test's processor time; the gate names what failed, and whoever runs that alone gets one.
    trace: process.env.GATE_REPORT ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    // A worker answers what a test would answer itself; `installed.spec.ts` lets it.
    serviceWorkers: 'block',
    timezoneId: 'Pacific/Auckland',
    locale: 'en-US',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'tablet', grep: EVERY_WIDTH, use: { viewport: { width: 768, height: 1024 }, hasTouch: true } },
    {
      name: 'phone',
      grep: EVERY_WIDTH,
      use: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true },
    },
  ],
});
