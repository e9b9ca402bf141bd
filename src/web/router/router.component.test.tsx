import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CALLS } from '#contract/calls';
import { describeCalls } from '#contract/calls/site';
import { describeApi } from '#contract/openapi';
import { PAGES } from '#contract/paths';
import { openApplication, SITE } from '../../../tests/component/application.tsx';
import { blogHandlers } from '../../../tests/component/articles.ts';
import { answers, worker } from '../../../tests/component/server.ts';
import { ROUTES } from '../routes.tsx';

const bar = () => page.getByRole('navigation', { name: 'Main', exact: true });
const premiumLink = () => bar().getByRole('link', { name: 'Premium' });

beforeEach(() => worker.use(...blogHandlers()));

describe('link', () => {
  test('link: preloads the code of its page on hover', async () => {
    await openApplication(PAGES.home);
    const open = vi.spyOn(ROUTES.find(({ path }) => path === PAGES.premium)!, 'open');
    await premiumLink().hover();
    await expect.poll(() => open.mock.calls.length).toBeGreaterThan(0);
    expect(location.pathname).toBe(PAGES.home);
  });

  test.each(['Control', 'Meta', 'Shift', 'Alt'])(
    'link: a click with %s held is left to the browser',
    async (key) => {
      const { router } = await openApplication(PAGES.home);
      const handledByBrowser: boolean[] = [];
      // Without this the browser would open a window.
      const watch = (event: Event) => {
        handledByBrowser.push(!event.defaultPrevented);
        event.preventDefault();
      };
      window.addEventListener('click', watch, { once: true });
      await userEvent.keyboard(`{${key}>}`);
      await premiumLink().click();
      await userEvent.keyboard(`{/${key}}`);
      expect(handledByBrowser).toEqual([true]);
      expect(router.current().location.pathname).toBe(PAGES.home);
    },
  );

  test('link: a fragment link scrolls to its target, and Back restores the scroll position', async () => {
    const cookies = { visitor: 'visitor', session: 'session' };
    const description = describeApi(CALLS, { publicUrl: SITE.publicUrl, version: '1', cookies });
    worker.use(answers(describeCalls, () => description));
    await openApplication(PAGES.developers);
    const link = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' });
    await expect.element(link).toBeVisible();
    link.element().scrollIntoView({ block: 'center' });
    const before = window.scrollY;
    await link.click();
    await expect.poll(() => location.hash).toBe('#errors');
    await expect.element(page.getByRole('heading', { name: 'Errors', exact: true })).toBeInViewport();
    expect(window.scrollY).toBeGreaterThan(before);
    history.back();
    await expect.poll(() => location.hash).toBe('');
    await expect.poll(() => window.scrollY).toBe(before);
  });

  test('link: a malformed fragment does not break the page', async () => {
    const { router } = await openApplication(PAGES.home);
    await router.navigate(`${PAGES.premium}#100%`);
    await expect.poll(() => location.hash).toBe('#100%');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.element(premiumLink()).toHaveAttribute('aria-current', 'page');
  });

  test('link: a new page is shown from its top, and Back restores the scroll position of the previous page', async () => {
    await page.viewport(375, 812);
    await openApplication(PAGES.blog);
    const last = page.getByRole('article').last();
    await expect.element(last).toBeVisible();
    last.element().scrollIntoView({ block: 'end' });
    const before = window.scrollY;
    expect(before).toBeGreaterThan(100);
    await last.getByRole('link').click();
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    await expect.poll(() => window.scrollY).toBe(0);
    history.back();
    await expect.poll(() => location.pathname).toBe(PAGES.blog);
    await expect.poll(() => window.scrollY).toBe(before);
  });
});
