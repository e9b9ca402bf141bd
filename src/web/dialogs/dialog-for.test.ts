import { describe, expect, it } from 'vitest';
import { type DialogTrigger, whichDialog } from './which-dialog.ts';

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

  it('the sign-in button opens the small dialog', () => {
    expect(whichDialog('sign-in', { availability, user: signedOut })).toEqual({ name: 'coming-soon' });
  });

  it.each([signedOut, freeUser])('every way to upgrade opens the waitlist (%o)', (user) => {
    expect(whichDialog('upgrade', { availability, user })).toEqual({ name: 'waitlist' });
  });

  it('a limit that asks for payment opens payment, and one that asks for a sign-in opens it', () => {
    expect(whichDialog(limit({ requiresPayment: true }), { availability, user: freeUser })).toEqual({
      name: 'payment',
      because: 'limit',
    });
    expect(whichDialog(limit({ requiresAuth: true }), { availability, user: signedOut })).toEqual({
      name: 'auth',
      tab: 'login',
      because: 'limit',
    });
  });

  it('a limit that asks for nothing opens the waitlist', () => {
    expect(whichDialog(limit({}), { availability, user: freeUser })).toEqual({
      name: 'waitlist',
      because: 'limit',
    });
  });
});

describe('while premium can be bought', () => {
  const availability = 'available';

  it('the sign-in button opens the login', () => {
    expect(whichDialog('sign-in', { availability, user: signedOut })).toEqual({ name: 'auth', tab: 'login' });
  });

  it('upgrading starts with registration for a visitor and with payment for a user', () => {
    expect(whichDialog('upgrade', { availability, user: signedOut })).toEqual({
      name: 'auth',
      tab: 'register',
    });
    expect(whichDialog('upgrade', { availability, user: freeUser })).toEqual({ name: 'payment' });
  });

  it('payment goes before sign-in when a limit asks for both', () => {
    const both = limit({ requiresPayment: true, requiresAuth: true });
    expect(whichDialog(both, { availability, user: signedOut })).toEqual({
      name: 'payment',
      because: 'limit',
    });
  });

  it('a limit that asks a signed-in user to sign in leads to the upgrade', () => {
    expect(whichDialog(limit({ requiresAuth: true }), { availability, user: freeUser })).toEqual({
      name: 'payment',
      because: 'limit',
    });
  });
});

it.each(['coming-soon', 'available'] as const)(
  'limit dialog: given a premium user (%s), offers no purchase',
  (availability) => {
    expect(whichDialog(limit({}), { availability, user: premiumUser })).toBeNull();
  },
);
