import { expect, it } from 'vitest';
import type { SubscriptionState } from '#contract/billing';
import { subscriptionInWords } from './current-plan.tsx';

const subscription: SubscriptionState = {
  status: 'active',
  provider: 'paypal',
  startedAt: '2026-03-05T10:00:00.000Z',
  periodEnd: '2026-04-05T10:00:00.000Z',
  graceUntil: null,
  premium: true,
};

it('subscriptionInWords: given an active subscription, names the next payment, if there is one', () => {
  expect(subscriptionInWords(subscription)).toBe(
    'Premium Monthly since March 5, 2026, by PayPal. The next payment of $4.99 is due on April 5, 2026.',
  );
  expect(subscriptionInWords({ ...subscription, provider: 'demo' })).toMatch(/no money moves/);
  expect(subscriptionInWords({ ...subscription, provider: 'granted', status: 'cancelled' })).toBe(
    'Premium Monthly since March 5, 2026, by a grant. It ends on April 5, 2026.',
  );
});

it('subscriptionInWords: given a late payment, names the end of the grace period', () => {
  expect(subscriptionInWords({ ...subscription, graceUntil: '2026-04-08T10:00:00.000Z' })).toBe(
    'Premium Monthly since March 5, 2026, by PayPal. The payment that was due on April 5, 2026 has not arrived yet. Premium stays yours until April 8, 2026.',
  );
});

it('subscriptionInWords: given a cancelled subscription, names the end of premium', () => {
  expect(subscriptionInWords({ ...subscription, status: 'cancelled' })).toMatch(/until April 5, 2026/);
});

it('subscriptionInWords: given an ended subscription, says when it ended', () => {
  const ended = { ...subscription, status: 'ended', premium: false } as const;
  expect(subscriptionInWords(ended, Date.parse('2026-05-01'))).toBe(
    'Your premium ended on April 5, 2026. Your saved texts are still here.',
  );
});

it('subscriptionInWords: given a refund within the period, does not name its end', () => {
  const ended = { ...subscription, status: 'ended', premium: false } as const;
  expect(subscriptionInWords(ended, Date.parse('2026-04-01'))).toBe(
    'Your premium has ended. Your saved texts are still here.',
  );
});
