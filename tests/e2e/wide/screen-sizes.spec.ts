import type { Page } from '@playwright/test';
import { articlePage, PAGES } from '#contract/paths';
import { expect, test } from '../test.ts';

const ADDRESSES = [
  PAGES.home,
  PAGES.premium,
  PAGES.blog,
  articlePage('reading-receipts'),
  PAGES.terms,
  PAGES.developers,
  PAGES.languages,
];

/** Height of the window that fixed bars cover. CSS pixels. */
const fixedBarsHeight = (page: Page) =>
  page.evaluate(() => {
    const fixed = [...document.querySelectorAll('body *')].filter((element) =>
      ['fixed', 'sticky'].includes(getComputedStyle(element).position),
    );
    const boxes = fixed.map((element) => element.getBoundingClientRect());
    const bars = boxes.filter(
      ({ top, bottom, width }) => bottom > 0 && top < innerHeight && width > innerWidth / 2,
    );
    return bars.reduce((sum, { top, bottom }) => sum + Math.min(bottom, innerHeight) - Math.max(top, 0), 0);
  });

for (const { screen, width, height } of [
  { screen: '1280 by 1024 px at 400 %', width: 320, height: 256 },
  { screen: 'a phone held sideways', width: 740, height: 360 },
  { screen: 'a very wide screen', width: 2560, height: 1440 },
]) {
  test.describe(screen, () => {
    test.use({ viewport: { width, height } });

    test(`screen: every page fits the width of ${screen}, and bars cover less than a quarter of the height`, async ({
      page,
    }) => {
      for (const path of ADDRESSES) {
        await test.step(path, async () => {
          await page.goto(path);
          const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
          expect.soft(scrollWidth, `${path} fits`).toBeLessThanOrEqual(width);
          expect.soft(await fixedBarsHeight(page), `${path} is covered`).toBeLessThan(height / 4);
        });
      }
      if (width < 2560) return;
      await page.goto(PAGES.home);
      const bar = (await page.locator('header > div').first().boundingBox())!;
      expect(bar.width, 'the tool uses the screen').toBeGreaterThan((width * 2) / 3);
    });
  });
}
