import { describe, expect, it } from 'vitest';
import { type DialogTrigger, dialogFor } from './dialog-for.ts';

const signedOut = null;
const freeUser = { isPremium: false };
const premiumUser = { isPremium: true };
const limit = (flags: { requiresPayment?: boolean; requiresAuth?: boolean }): DialogTrigger => ({
  requiresPayment: false,
  requiresAuth: false,
  ...flags,
});

describe('while premium is coming soon', () => {
  const availability = 'coming-soon';

  it('the sign-in button opens the coming-soon dialog', () => {
    expect(dialogFor('sign-in', { availability, user: signedOut })).toEqual({ name: 'coming-soon' });
  });

  it.each([signedOut, freeUser])('every upgrade button opens the waitlist (%o)', (user) => {
    expect(dialogFor('upgrade', { availability, user })).toEqual({ name: 'waitlist' });
  });

  it('a limit that requires payment opens the payment, and a limit that requires a sign-in opens the login', () => {
    expect(dialogFor(limit({ requiresPayment: true }), { availability, user: freeUser })).toEqual({
      name: 'payment',
      reason: 'limit',
    });
    expect(dialogFor(limit({ requiresAuth: true }), { availability, user: signedOut })).toEqual({
      name: 'auth',
      tab: 'login',
      reason: 'limit',
    });
  });

  it('a limit that requires neither opens the waitlist', () => {
    expect(dialogFor(limit({}), { availability, user: freeUser })).toEqual({
      name: 'waitlist',
      reason: 'limit',
    });
  });
});

describe('while premium is available', () => {
  const availability = 'available';

  it('the sign-in button opens the login', () => {
    expect(dialogFor('sign-in', { availability, user: signedOut })).toEqual({ name: 'auth', tab: 'login' });
  });

  it('an upgrade button opens the registration for a visitor and the payment for a user', () => {
    expect(dialogFor('upgrade', { availability, user: signedOut })).toEqual({
      name: 'auth',
      tab: 'register',
    });
    expect(dialogFor('upgrade', { availability, user: freeUser })).toEqual({ name: 'payment' });
  });

  it('a limit that requires both opens the payment', () => {
    const both = limit({ requiresPayment: true, requiresAuth: true });
    expect(dialogFor(both, { availability, user: signedOut })).toEqual({
      name: 'payment',
      reason: 'limit',
    });
  });

  it('a limit that requires a sign-in opens the payment for a signed-in user', () => {
    expect(dialogFor(limit({ requiresAuth: true }), { availability, user: freeUser })).toEqual({
      name: 'payment',
      reason: 'limit',
    });
  });
});

it.each(['coming-soon', 'available'] as const)(
  'limit dialog: given a premium user (%s), offers no purchase',
  (availability) => {
    expect(dialogFor(limit({}), { availability, user: premiumUser })).toBeNull();
  },
);
