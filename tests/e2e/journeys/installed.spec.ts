import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, HIGH_RATE_LIMITS, open, waitForHydration } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: HIGH_RATE_LIMITS,
  serviceWorkers: 'allow',
  expectedConsole: [/net::ERR_(INTERNET_DISCONNECTED|FAILED)|503/],
});

const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });

/** Waits until the service worker has stored the tool. It serves every page that is loaded afterwards. */
async function install(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(PAGES.home);
  await waitForHydration(page);
  // The page registers the worker last.
  await page.clock.fastForward(10_000);
  await page.clock.resume();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** All entries in the caches of the worker: path, and text unless it is a font. */
const cacheContents = (page: Page) =>
  page.evaluate(async () => {
    const cached: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        const { pathname } = new URL(request.url);
        cached.push({
          path: pathname,
          text: /\.woff2$/.test(pathname) ? '' : ((await answer?.text()) ?? ''),
        });
      }
    }
    return cached;
  });

test.describe('the installed tool', () => {
  test('installed: the tool opens offline, shows that it is offline, and shows the last result', async ({
    page,
    context,
  }) => {
    await install(page);
    await page.locator('input[type=file]').setInputFiles(NOTE);
    await page.getByRole('button', { name: 'Extract Text' }).click();
    await expect(text(page)).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
    await expect(recent(page)).toContainText('The text above is kept.');

    await context.setOffline(true);
    await page.goto(PAGES.home);
    await expect(page.getByRole('status').filter({ hasText: 'You are offline.' })).toBeVisible();
    await expect(text(page)).toHaveValue(/Harbour Lane Bakery/);
    await text(page).press('Control+Home');
    await page.keyboard.type('At the ');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await expect(recent(page)).toContainText('The text above is kept.');

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Load the page' }).click();
    await waitForHydration(page);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
    await expect(text(page)).toHaveValue(/^At the Harbour/);
  });

  test('installed: no page of a signed-in user and no API response is cached', async ({ page, context }) => {
    await open(page);
    await becomeMember(page, 'worker-watcher');
    await install(page);
    await page.goto(PAGES.account);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(PAGES.home);
    const cached = await cacheContents(page);
    expect(cached.length).toBeGreaterThan(10);
    expect(cached.filter(({ path }) => path !== PAGES.home && !path.startsWith('/assets/'))).toEqual([]);
    expect(cached.filter(({ text }) => text.includes('worker-watcher'))).toEqual([]);
    await context.setOffline(true);
    await page.goto(PAGES.home);
    await expect(page.getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
    await expect(page.getByText('worker-watcher')).toHaveCount(0);
  });
});
