import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { NOTE } from '../extraction-page.ts';
import { becomeMember, open, PATIENT, untilItListens } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: PATIENT,
  serviceWorkers: 'allow',
  expectedConsole: [/net::ERR_(INTERNET_DISCONNECTED|FAILED)|503/],
});

const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });

/** Waits until the service worker has stored the tool; it answers every page that is loaded from then on. */
async function install(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(PAGES.home);
  await untilItListens(page);
  // The page registers the worker only after everything else.
  await page.clock.fastForward(10_000);
  await page.clock.resume();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** Everything in the caches of the worker: its path, and its text unless it is a font. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const kept: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        const { pathname } = new URL(request.url);
        kept.push({ path: pathname, text: /\.woff2$/.test(pathname) ? '' : ((await answer?.text()) ?? '') });
      }
    }
    return kept;
  });

test.describe('the installed tool', () => {
  test('installed: the tool opens without a network, says so, and shows the last result', async ({
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
    await untilItListens(page);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
    await expect(text(page)).toHaveValue(/^At the Harbour/);
  });

  test('installed: no page of a signed-in person and no answer of the API is kept', async ({
    page,
    context,
  }) => {
    await open(page);
    await becomeMember(page, 'worker-watcher');
    await install(page);
    await page.goto(PAGES.account);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(PAGES.home);
    const kept = await keptBy(page);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter(({ path }) => path !== PAGES.home && !path.startsWith('/assets/'))).toEqual([]);
    expect(kept.filter(({ text }) => text.includes('worker-watcher'))).toEqual([]);
    await context.setOffline(true);
    await page.goto(PAGES.home);
    await expect(page.getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
    await expect(page.getByText('worker-watcher')).toHaveCount(0);
  });
});
