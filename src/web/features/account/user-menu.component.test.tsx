import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as people from '#contract/calls/accounts';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import {
  AVAILABLE,
  button,
  dialog,
  member,
  openAs,
  pressKey,
  signInButton,
} from '../../../../tests/component/people.ts';
import { respondsWithError, worker } from '../../../../tests/component/server.ts';

const LONG_NAME = 'wide-name-that-goes-on-and-on-32';

describe('user menu', () => {
  test.each([375, 768, 1440])(
    'user menu: with the longest username it fits a screen of %d px',
    async (width) => {
      await page.viewport(width, 812);
      await openAs(member(LONG_NAME), '/', { site: AVAILABLE });
      const small = button('Open menu');
      if (small.query()) await small.click();
      await button(LONG_NAME).first().click();
      await expect.element(page.getByRole('menu')).toBeVisible();
      const { left, right } = page.getByRole('menu').element().getBoundingClientRect();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      await expectAccessible();
    },
  );

  test('user menu: a failed sign-out is reported, and the user stays signed in', async () => {
    await openAs(member('ada'), '/', { site: AVAILABLE });
    worker.use(respondsWithError(people.logout, 500, { error: 'no' }));
    await button('ada').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect.element(toast()).toHaveTextContent('Logout failed');
    await expect.element(toast()).toHaveTextContent('Please try again');
    await expect.element(button('ada')).toBeVisible();
  });
});

describe('focus', () => {
  test('focus: is never lost when the keyboard opens and closes the sign-in dialog and opens another page', async () => {
    await openAs(null, '/', { site: AVAILABLE });
    await pressKey(() => signInButton().element());
    await expect.element(dialog()).toBeVisible();
    await expect.poll(() => dialog().element().contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(signInButton()).toHaveFocus();
    await pressKey(() => page.getByRole('link', { name: /Upgrade for upto/ }).element());
    await expect.poll(() => location.pathname).toBe(PAGES.premium);
    await expect.poll(() => document.activeElement).not.toBe(document.body);
  });
});

test.each([1920, 1440, 1024, 768])(
  'navigation bar: at %i px the username is between the link “Premium” and the badge “Premium”',
  async (width) => {
    await page.viewport(width, 800);
    await openAs(member('ada'), PAGES.home, { site: AVAILABLE });
    const header = page.getByRole('banner');
    await expect.element(header.getByRole('button', { name: 'ada' })).toBeVisible();
    const labels = header.getByText('Premium', { exact: true }).elements();
    expect(labels).toHaveLength(2);
    const [link, badge] = labels.map((label) => label.getBoundingClientRect());

    const name = header.getByRole('button', { name: 'ada' }).element().getBoundingClientRect();
    expect(link!.right).toBeLessThan(name.left);
    expect(badge!.left).toBeGreaterThanOrEqual(name.right);
  },
);
