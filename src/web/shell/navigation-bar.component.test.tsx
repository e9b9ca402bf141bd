import { beforeEach, describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { articlePage, PAGES } from '#contract/paths';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { openApplication } from '../../../tests/component/application.tsx';
import { blogHandlers } from '../../../tests/component/articles.ts';
import { worker } from '../../../tests/component/server.ts';

const bar = () => page.getByRole('navigation', { name: 'Main', exact: true });
const smallScreenLinks = () => page.getByRole('navigation', { name: 'Main, small screen' });
const menuButton = () => page.getByRole('button', { name: /menu$/ });
const signIn = () => page.getByRole('button', { name: 'Premium Sign In' });
const banner = () => document.querySelector('header')!.getBoundingClientRect();
const currentLinks = () =>
  [...bar().element().querySelectorAll('[aria-current=page]')].map(({ textContent }) => textContent);

beforeEach(() => worker.use(...blogHandlers()));

describe('navigation bar', () => {
  test('navigation bar: marks the link of the current page, and Home on the start page only', async () => {
    await openApplication(PAGES.home);
    await expect.poll(currentLinks).toEqual(['Home']);
    await bar().getByRole('link', { name: 'Blog' }).click();
    await expect.poll(currentLinks).toEqual(['Blog']);
    await page.getByRole('article').first().getByRole('link').click();
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    expect(currentLinks()).toEqual(['Blog']);
    await bar().getByRole('link', { name: 'Premium' }).click();
    await expect.poll(currentLinks).toEqual(['Premium']);
  });

  test.each([
    { width: 1440, height: 900, links: true, signInShown: true },
    { width: 768, height: 1024, links: true, signInShown: true },
    { width: 700, height: 1024, links: false, signInShown: true },
    { width: 375, height: 812, links: false, signInShown: false },
  ])(
    'navigation bar: at $width px it fits, with links shown: $links and sign-in shown: $signInShown',
    async ({ width, height, links, signInShown }) => {
      await page.viewport(width, height);
      await openApplication(PAGES.blog);
      await expect.element(page.getByRole('article').first()).toBeVisible();
      expect(bar().query() !== null).toBe(links);
      expect(menuButton().query() !== null).toBe(!links);
      expect(signIn().query() !== null).toBe(signInShown);
      expect(banner().height).toBe(65);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expectAccessible();
    },
  );

  test('navigation bar: stays at the top of the window while the page scrolls', async () => {
    await openApplication(articlePage('receipts'));
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    window.scrollTo(0, 500);
    await expect.poll(() => window.scrollY).toBe(500);
    expect(banner().top).toBe(0);
  });

  test('navigation bar: scrolls away with the page in a window less than 480 px high', async () => {
    await page.viewport(740, 360);
    await openApplication(articlePage('receipts'));
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    window.scrollTo(0, 500);
    await expect.poll(() => banner().bottom).toBeLessThan(0);
  });

  test('skip link: comes first in the tab order, appears with the focus and leads to the content', async () => {
    await openApplication(articlePage('receipts'));
    await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    document.querySelector<HTMLElement>('header a')?.focus();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await expect.element(skip).toHaveFocus();
    await expect.poll(() => skip.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
    expect(document.querySelector('a[href], button, input, [tabindex]')).toBe(skip.element());
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('main')).toHaveFocus();
  });
});

describe('menu of a small screen', () => {
  beforeEach(() => page.viewport(375, 812));

  test('menu of a small screen: a button opens it, and choosing a page closes it', async () => {
    const { router } = await openApplication(PAGES.home);
    expect(smallScreenLinks().query()).toBeNull();
    await menuButton().click();
    const links = smallScreenLinks().getByRole('link');
    await expect
      .poll(() => links.elements().map(({ textContent }) => textContent))
      .toEqual(['Home', 'Blog', 'Premium']);
    await expect.element(smallScreenLinks().getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
    await expectAccessible();
    await smallScreenLinks().getByRole('link', { name: 'Blog' }).click();
    await expect.element(page.getByRole('article').first()).toBeVisible();
    expect(router.current().location.pathname).toBe(PAGES.blog);
    expect(smallScreenLinks().query()).toBeNull();
  });

  test('menu of a small screen: Escape closes it and gives the focus back to the button', async () => {
    await openApplication(PAGES.blog);
    await menuButton().click();
    await expect.element(smallScreenLinks()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(smallScreenLinks()).not.toBeInTheDocument();
    await expect.element(menuButton()).toHaveFocus();
  });

  test('menu of a small screen: a click outside closes it', async () => {
    await openApplication(PAGES.blog);
    await menuButton().click();
    await expect.element(smallScreenLinks()).toBeVisible();
    await commands.mouse('click', { x: 180, y: 700 });
    await expect.element(smallScreenLinks()).not.toBeInTheDocument();
  });
});
