import { writeFileSync } from 'node:fs';
import { test as base, expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import { type RunningServer, type Settings, startServer, stopServer } from '../support/built-server.ts';

export { expect };

interface WorkerFixtures {
  /** Starts a server, which is shared by all tests of a worker with equal settings. */
  serverWith: (settings: Settings) => Promise<RunningServer>;
}

interface TestFixtures {
  /** Settings of the server that a test runs against. */
  settings: Settings;
  server: RunningServer;
  /** Console messages that a test expects. Any other warning or error fails the test. */
  expectedConsole: RegExp[];
  consoleGuard: undefined;
  serverLog: undefined;
  /** Fails if axe finds violations on the current page. */
  expectAccessible: () => Promise<void>;
}

/**
 * Each worker starts one production server per settings object, with its own data, and reuses it, because a start costs more
 * than most tests.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverWith: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const servers = new Map<string, Promise<RunningServer>>();
      await use((settings) => {
        const key = JSON.stringify(settings);
        const server = servers.get(key) ?? startServer(settings);
        servers.set(key, server);
        return server;
      });
      const started = await Promise.allSettled(servers.values());
      await Promise.all(
        started.flatMap((start) => (start.status === 'fulfilled' ? [stopServer(start.value)] : [])),
      );
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true }],
  server: [
    async ({ serverWith, settings }, use) => {
      await use(await serverWith(settings));
    },
    { timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  expectedConsole: [[], { option: true }],
  consoleGuard: [
    async ({ page, expectedConsole }, use) => {
      const unexpected = watchConsole(page, expectedConsole);
      await use(undefined);
      expect(unexpected, 'unexpected messages in the console').toEqual([]);
    },
    { auto: true },
  ],
  serverLog: [
    async ({ server }, use, testInfo) => {
      const before = server.log().length;
      await use(undefined);
      if (testInfo.status === testInfo.expectedStatus) return;
      // As an attachment, because the HTML report truncates long text.
      writeFileSync(testInfo.outputPath('server.log'), server.log().slice(before));
    },
    { auto: true },
  ],
  expectAccessible: async ({ page }, use) => {
    await use(async () => {
      await waitForFinalState(page);
      // axe sees computed colors, which the forced-colors mode overrides.
      const isForced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches);
      const { violations } = await runAxe(page, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        rules: isForced ? { 'color-contrast': { enabled: false } } : {},
      });
      const findings = violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
      expect(findings).toEqual([]);
    });
  },
});

/** Runs axe in the main frame only. Reporting passes too would add a third to the run time. */
async function runAxe(page: Page, options: RunOptions): Promise<AxeResults> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate((options) => (window as unknown as { axe: typeof axe }).axe.run(document, options), {
    ...options,
    resultTypes: ['violations' as const],
  });
}

/**
 * Waits for the final state of the whole page: a closing toast is half transparent, so its contrast is too low, and lazily
 * painted parts have the colors of an earlier frame.
 */
async function waitForFinalState(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    for (const element of document.querySelectorAll<HTMLElement>('main *'))
      if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
  await expect
    .poll(() =>
      page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running')),
    )
    .toBe(false);
}

function watchConsole(page: Page, expected: RegExp[]): string[] {
  const unexpected: string[] = [];
  const note = (text: string) => {
    if (text.startsWith('Service Worker registration blocked by Playwright')) return;
    if (!expected.some((pattern) => pattern.test(text))) unexpected.push(text);
  };
  page.on('pageerror', (error) => note(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`${message.text()} (${message.location().url})`);
  });
  return unexpected;
}
