import { PAGES } from '#contract/paths';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

test(
  'subscription: subscribers see their plan, cannot pay twice, and cancel for the end of the period',
  {
    tag: '@every-width',
  },
  async ({ page, expectAccessible }, { project }) => {
    const username = `subscriber-${project.name}`;
    await becomeMember(page, username);
    await open(page, PAGES.premium);
    const main = page.getByRole('main');
    const plan = page.getByRole('region', { name: 'Current Plan' });
    await expect(plan).toContainText('Unlimited usage');
    await expect(plan).toContainText(/It renews on \w+ \d+, \d{4}; no money moves\./);
    await expect(page.getByRole('region', { name: 'Premium Plan' })).toContainText('This is your plan.');
    for (const announced of ['Coming Soon', 'Price at opening', 'One mail on the day it opens.']) {
      await expect(main.getByText(announced)).toHaveCount(0);
    }
    await expect(main.getByRole('button', { name: 'Get Notified When Available' })).toHaveCount(0);
    await expectAccessible();

    const paidUntil =
      /It renews on (\w+ \d+, \d{4})/.exec((await plan.textContent()) ?? '')?.[1] ?? 'no date';
    const paidAgain = await page.request.post('/api/payment/paypal', {
      data: { email: `${username}@example.org`, amount: '4.99', currency: 'USD' },
    });
    expect(paidAgain.status()).toBe(409);
    expect((await paidAgain.json()).error).toContain(`it is paid until ${paidUntil}.`);
    await open(page, PAGES.account);
    await expect(main).toContainText(`It renews on ${paidUntil}`);

    await main.getByRole('button', { name: 'Cancel subscription' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel your subscription?' });
    await expect(question.getByRole('button', { name: 'Keep premium' })).toBeFocused();
    await question.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(toastOf(page)).toContainText('Subscription cancelled');
    await expect(page.getByText(/premium stays yours until/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel subscription' })).toHaveCount(0);
    await open(page, PAGES.premium);
    await expect(plan).toContainText(`premium stays yours until ${paidUntil}`);
    await expect(main.getByText('Coming Soon')).toHaveCount(0);
  },
);
