import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import {
  AVAILABLE,
  button,
  freeMember,
  logIn,
  member,
  openAs,
  payment,
  signInButton,
} from '../../../tests/component/people.ts';
import { overflow } from '../../../tests/component/workspace.ts';

const main = () => page.getByRole('main');
const plan = () => page.getByRole('region', { name: 'Current Plan' });
const row = (name: string) => main().getByRole('row', { name });
const authDialog = () => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });

describe('premium page', () => {
  test.each([375, 768, 1440])(
    'premium page: while premium is available it fits %d px, and "Subscribe" opens the registration',
    async (width) => {
      await page.viewport(width, 900);
      await openAs(null, PAGES.premium, { site: AVAILABLE });
      await expect.element(main().getByText('$4.99')).toBeVisible();
      expect(main().getByText('Coming Soon').elements()).toHaveLength(0);
      await expectAccessible();
      expect(overflow()).toBe(0);
      await main().getByRole('button', { name: 'Subscribe' }).click();
      await expect
        .element(authDialog().getByRole('tab', { name: 'Register' }))
        .toHaveAttribute('aria-selected', 'true');
      await expectAccessible();
    },
  );

  test.each([375, 768, 1440])(
    'premium page: while premium is coming soon it fits %d px and has no "Subscribe" button',
    async (width) => {
      await page.viewport(width, 900);
      await openAs(null, PAGES.premium);
      await expect.element(row('Extractions 3 per day 1500 per month')).toBeVisible();
      expect(main().getByText('Coming Soon', { exact: true }).elements()).toHaveLength(2);
      expect(main().getByRole('button', { name: 'Subscribe' }).query()).toBeNull();
      await expect.element(main().getByText('The usage counter resets on upgrade.')).toBeVisible();
      await expectAccessible();
      expect(overflow()).toBe(0);
    },
  );

  test('premium page: shows the configured free limit', async () => {
    await openAs(null, PAGES.premium, { site: { freeDailyLimit: 1 } });
    await expect.element(main().getByText('more than one picture a day')).toBeVisible();
    await expect.element(row('Extractions 1 per day 1500 per month')).toBeVisible();
  });

  test('premium page: shows a subscriber "Unlimited usage" and no "Upgrade Now"', async () => {
    await openAs(member('early'), PAGES.premium);
    await expect.element(plan()).toHaveTextContent('Unlimited usage');
    expect(button('Upgrade Now').query()).toBeNull();
  });
});

describe('user whose premium has ended', () => {
  test('ended premium: the tool and the premium page show the daily usage and offer premium for the same account', async () => {
    const usage = {
      imageCount: 2,
      dailyLimit: 3,
      period: 'day',
      resetsAt: '2030-01-01T00:00:00.000Z',
    } as const;
    await openAs(null, '/', { site: AVAILABLE, others: [freeMember('lapsed', { usage })] });
    await signInButton().click();
    await logIn('lapsed');
    await expect.element(page.getByRole('banner').getByText('2/3 images')).toBeVisible();
    const tool = page.getByRole('region', { name: 'Extraction tool' });
    await expect.element(tool.getByText('Welcome, lapsed!')).toBeVisible();
    await expect.element(tool.getByText(/^Only 1 extraction remaining today/)).toBeVisible();
    const upgrade = tool.getByRole('button', { name: 'Upgrade Now' });
    await upgrade.click();
    await expect.element(payment().getByLabelText('Email')).toHaveValue('lapsed@example.org');
    await userEvent.keyboard('{Escape}');
    await expect.element(upgrade).toHaveFocus();

    await page.getByRole('link', { name: 'Premium', exact: true }).first().click();
    await expect.element(plan()).toHaveTextContent('Free Plan');
    await expect.element(plan()).toHaveTextContent('2/3 images today');
    await expect.element(plan().getByRole('button', { name: 'Upgrade Now' })).toBeVisible();

    await button('lapsed').click();
    await page.getByRole('menuitem', { name: 'Premium Features', exact: true }).click();
    await expect.element(payment()).toBeVisible();
  });
});
