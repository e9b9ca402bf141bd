import { expect, it } from 'vitest';
import { AUTH_RETURNS } from '#contract/account';
import { PAYMENT_RETURNS } from '#contract/billing';
import { readLanding } from './landing.ts';

it('an address without a message asks for nothing', () => {
  expect(readLanding('')).toBeNull();
  expect(readLanding('?utm_source=mail')).toBeNull();
  expect(readLanding('?payment=free-for-ever')).toBeNull();
});

it('a required payment comes with the address to fill in', () => {
  expect(readLanding('?payment=required&email=ada%40example.com')).toEqual({
    kind: 'payment',
    outcome: 'required',
    email: 'ada@example.com',
  });
});

it('a planted text does not reach the field', () => {
  const planted = encodeURIComponent('Call +1 555 0100 to claim your refund @ now');
  expect(readLanding(`?payment=required&email=${planted}`)).toEqual({
    kind: 'payment',
    outcome: 'required',
    email: null,
  });
});

it('every outcome that the server may send is understood', () => {
  for (const outcome of Object.values(PAYMENT_RETURNS)) {
    expect(readLanding(`?payment=${outcome}`)).toMatchObject({ kind: 'payment', outcome });
  }
  for (const outcome of Object.values(AUTH_RETURNS)) {
    expect(readLanding(`?auth=${outcome}`)).toEqual({ kind: 'auth', outcome });
  }
});
