import { beforeEach, describe, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { articlePage, PAGES } from '#contract/paths';
import { openApplication } from '../../../../tests/component/application.tsx';
import { blogHandlers } from '../../../../tests/component/articles.ts';
import { openResult } from '../../../../tests/component/extraction.ts';
import { type ServerState, worker } from '../../../../tests/component/server.ts';

const SIZES = {
  leaderboard: [728, 90],
  banner: [728, 90],
  rectangle: [300, 250],
  mobile: [320, 50],
} as const;
type Format = keyof typeof SIZES;

const PREMIUM: Partial<ServerState> = {
  user: { username: 'ada', email: 'ada@example.org', isPremium: true },
  usage: { imageCount: 0, dailyLimit: 1500, period: 'month', resetsAt: '2026-06-01T00:00:00.000Z' },
};

const slotsOf = (format: Format) =>
  [...document.querySelectorAll(`[data-ad-format=${format}]`)].filter((slot) => slot.checkVisibility());
const visibleAds = () => [...document.querySelectorAll('[data-ad]')].filter((ad) => ad.checkVisibility());

/** The slot has its full size and no corner marks, and does not widen the page. */
function expectSize(slot: Element, format: Format): void {
  const { width, height } = slot.getBoundingClientRect();
  expect([Math.round(width), Math.round(height)], format).toEqual(SIZES[format]);
  expect(slot.matches('.crop-marks')).toBe(false);
  expect(slot.textContent).toBe('Advertisement');
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
}

beforeEach(() => worker.use(...blogHandlers()));

describe('ad slot', () => {
  test.each([
    { width: 1440, height: 900, shown: { leaderboard: 1, banner: 1, rectangle: 1, mobile: 0 } },
    { width: 768, height: 1024, shown: { leaderboard: 1, banner: 1, rectangle: 1, mobile: 0 } },
    // Beside the sidebar there is no room for the leaderboard.
    { width: 1024, height: 768, shown: { leaderboard: 0, banner: 1, rectangle: 1, mobile: 1 } },
    { width: 375, height: 812, shown: { leaderboard: 0, banner: 0, rectangle: 1, mobile: 2 } },
    { width: 320, height: 640, shown: { leaderboard: 0, banner: 0, rectangle: 1, mobile: 2 } },
  ])(
    'ad slot: at $width px the start page reserves the size of each shown format',
    async ({ width, height, shown }) => {
      await page.viewport(width, height);
      await openApplication(PAGES.home);
      await expect.poll(visibleAds).not.toEqual([]);
      for (const format of Object.keys(SIZES) as Format[]) {
        const slots = slotsOf(format);
        expect(slots, format).toHaveLength(shown[format]);
        for (const slot of slots) expectSize(slot, format);
      }
    },
  );

  test.each([
    [768, 'banner'],
    [1440, 'banner'],
    [375, 'mobile'],
  ] as const)('ad slot: at %d px an article reserves the full size of its %s', async (width, format) => {
    await page.viewport(width, 900);
    await openApplication(articlePage('receipts'));
    await expect.poll(() => slotsOf(format)).not.toEqual([]);
    for (const slot of slotsOf(format)) expectSize(slot, format);
  });

  test.each([PAGES.home, articlePage('receipts'), 'result'])(
    'ad slot: at 768 px no slot of %s overhangs its column',
    async (path) => {
      await page.viewport(768, 1024);
      await (path === 'result' ? openResult('note') : openApplication(path));
      await expect.poll(() => slotsOf('banner')).not.toEqual([]);
      for (const slot of visibleAds().filter((ad) => ad.matches('[data-ad-format]'))) {
        const { left, right } = slot.getBoundingClientRect();
        const column = slot.parentElement!.getBoundingClientRect();
        expect([left, right], slot.outerHTML).toEqual([
          Math.max(left, column.left),
          Math.min(right, column.right),
        ]);
      }
    },
  );

  test.each([PAGES.home, articlePage('receipts')])('ad slot: %s has none for premium users', async (path) => {
    await openApplication(path, { state: PREMIUM });
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(document.querySelectorAll('[data-ad]')).toHaveLength(0);
  });

  test.each([1440, 768, 375])(
    'ad slot: at %i px none is above a result, and at most one is above recent results',
    async (width) => {
      await page.viewport(width, 900);
      await openResult('note');
      await expect.poll(visibleAds).not.toEqual([]);
      const above = (place: Element) =>
        visibleAds().filter(
          (ad) =>
            ad.matches('[data-ad-format]') &&
            ad.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
        );
      expect(above(page.getByRole('heading', { name: 'Extracted text' }).element())).toEqual([]);
      const recent = page.getByRole('heading', { name: 'Recent results' });
      await expect.element(recent).toBeInTheDocument();
      expect(above(recent.element()).length).toBeLessThanOrEqual(1);
    },
  );

  test('print: omits ad slots, header, footer and the skip link', async () => {
    await openApplication(articlePage('receipts'));
    await expect.poll(visibleAds).not.toEqual([]);
    const skip = page.getByRole('link', { name: 'Skip to the content' }).element();
    const [header, footer] = [document.querySelector('header')!, document.querySelector('footer')!];
    for (const part of [skip, header, footer]) expect(part.checkVisibility()).toBe(true);
    await commands.emulateMedia({ media: 'print' });
    expect(visibleAds()).toEqual([]);
    for (const part of [skip, header, footer]) expect(part.checkVisibility()).toBe(false);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});
