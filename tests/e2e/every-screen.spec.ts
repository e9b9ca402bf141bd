import { articlePage, PAGES } from '#contract/paths';
import { becomeMember, logIn, open, PATIENT, signInButton, untilNoDialogInHistory } from './people.ts';
import { expect, test } from './test.ts';

const ADDRESSES = [
  PAGES.home,
  PAGES.premium,
  PAGES.blog,
  articlePage('reading-receipts'),
  PAGES.terms,
  PAGES.developers,
  PAGES.languages,
];

/** Four times as large as at 1280 by 1024, a phone held sideways, and a very wide screen. */
for (const [what, width, height] of [
  ['at 400 %', 320, 256],
  ['on a phone held sideways', 740, 360],
  ['at 2560 px', 2560, 1440],
] as const) {
  test.describe(what, () => {
    test.use({ viewport: { width, height } });

    for (const path of ADDRESSES) {
      test(`${path} fits the width, and no bar covers a quarter of it`, async ({ page }) => {
        await page.goto(path);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
        const covered = await page.evaluate(() => {
          const fixed = [...document.querySelectorAll('body *')].filter((element) =>
            ['fixed', 'sticky'].includes(getComputedStyle(element).position),
          );
          const spans = fixed.map((element) => element.getBoundingClientRect());
          const seen = spans.filter(
            ({ top, bottom, width: w }) => bottom > 0 && top < innerHeight && w > innerWidth / 2,
          );
          return seen.reduce(
            (sum, { top, bottom }) => sum + Math.min(bottom, innerHeight) - Math.max(top, 0),
            0,
          );
        });
        expect(covered).toBeLessThan(height / 4);
      });
    }
  });
}

test.describe('at 2560 px', () => {
  test.use({ viewport: { width: 2560, height: 1440 } });

  test('the tool takes more than two thirds of the screen', async ({ page }) => {
    await page.goto(PAGES.home);
    const bar = (await page.locator('header > div').first().boundingBox())!;
    expect(bar.width).toBeGreaterThan((2560 * 2) / 3);
  });
});

test.describe('advertising', () => {
  test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' } });

  test('is not there for premium, from the first byte on, and nothing moves', async ({ page }) => {
    await open(page);
    await expect(page.locator('[data-ad]').first()).toBeVisible();
    await becomeMember(page, 'without-ads');
    await page.context().clearCookies();
    // Whoever signs in on a page that was drawn with advertising loses it there.
    await open(page, articlePage('reading-receipts'));
    await expect(page.locator('[data-ad-format]:visible').first()).toBeVisible();
    await signInButton(page).click();
    await logIn(page, 'without-ads');
    await expect(page.locator('[data-ad]:visible')).toHaveCount(0);
    await untilNoDialogInHistory(page);
    for (const path of [PAGES.home, articlePage('reading-receipts')]) {
      const html = await (await page.request.get(path)).text();
      expect(html).not.toContain('data-ad-format');
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.locator('[data-ad]')).toHaveCount(0);
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                sum += (entry as PerformanceEntry & { value: number }).value;
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 300);
          }),
      );
      expect(shift).toBeLessThan(0.02);
    }
  });

  test('is not on paper, nor is the way past the bar', async ({ page }) => {
    await page.goto(articlePage('reading-receipts'));
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('[data-ad]:visible')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeHidden();
    await expect(page.getByRole('banner').first()).toBeHidden();
  });
});
