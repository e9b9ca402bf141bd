import type { Page } from '@playwright/test';
import { articlePage, PAGES } from '#contract/paths';
import {
  becomeMember,
  FAILED_REQUESTS,
  HIGH_RATE_LIMITS,
  logIn,
  open,
  signInButton,
  waitUntilDialogEntryRemoved,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

const ARTICLE = articlePage('reading-receipts');

/** The layout shift of the document so far. */
const layoutShift = (page: Page) =>
  page.evaluate(async () => {
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The observer gets earlier entries in a separate task.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    add(observer.takeRecords());
    return sum;
  });

test('advertising: disappears from the page when a premium member signs in, and is in none of their later documents', async ({
  page,
}) => {
  await open(page);
  await expect(page.locator('[data-ad]').first()).toBeVisible();
  await becomeMember(page, 'without-ads');
  await page.context().clearCookies();
  await open(page, ARTICLE);
  await expect(page.locator('[data-ad-format]:visible').first()).toBeVisible();
  await signInButton(page).click();
  await logIn(page, 'without-ads');
  await expect(page.locator('[data-ad]:visible')).toHaveCount(0);
  await waitUntilDialogEntryRemoved(page);
  for (const path of [PAGES.home, ARTICLE]) {
    const html = await (await page.request.get(path)).text();
    expect(html).not.toContain('data-ad-format');
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.locator('[data-ad]')).toHaveCount(0);
    expect(await layoutShift(page)).toBeLessThan(0.02);
  }
});
