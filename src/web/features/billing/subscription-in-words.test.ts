import { expect, it } from 'vitest';
import type { SubscriptionState } from '#contract/billing';
import { subscriptionInWords } from './subscription-in-words.ts';

const subscription: SubscriptionState = {
  status: 'active',
  provider: 'paypal',
  startedAt: '2026-03-05T10:00:00.000Z',
  periodEnd: '2026-04-05T10:00:00.000Z',
  graceUntil: null,
  premium: true,
};

it('an active subscription says when money is due, unless none moves', () => {
  expect(subscriptionInWords(subscription)).toBe(
    'Premium Monthly since March 5, 2026, by PayPal. The next payment of $4.99 is due on April 5, 2026.',
  );
  expect(subscriptionInWords({ ...subscription, provider: 'demo' })).toMatch(/no money moves/);
  expect(subscriptionInWords({ ...subscription, provider: 'granted', status: 'cancelled' })).toBe(
    'Premium Monthly since March 5, 2026, by a grant. It ends on April 5, 2026.',
  );
});

it('a payment that is late is said to be late, with the day that it may still arrive', () => {
  expect(subscriptionInWords({ ...subscription, graceUntil: '2026-04-08T10:00:00.000Z' })).toBe(
    'Premium Monthly since March 5, 2026, by PayPal. The payment that was due on April 5, 2026 has not arrived yet. Premium stays yours until April 8, 2026.',
  );
});

it('a cancelled one says how long premium stays', () => {
  expect(subscriptionInWords({ ...subscription, status: 'cancelled' })).toMatch(/until April 5, 2026/);
});

it('an ended one promises nothing', () => {
  const ended = { ...subscription, status: 'ended', premium: false } as const;
  expect(subscriptionInWords(ended, Date.parse('2026-05-01'))).toBe(
    'Your premium ended on April 5, 2026. Your saved texts are still here.',
  );
});

it('one that was paid back within its period names no day that is still to come', () => {
  const ended = { ...subscription, status: 'ended', premium: false } as const;
  expect(subscriptionInWords(ended, Date.parse('2026-04-01'))).toBe(
    'Your premium has ended. Your saved texts are still here.',
  );
});
