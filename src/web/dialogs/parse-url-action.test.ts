import { expect, it } from 'vitest';
import { PAGES } from '#contract/paths';
import { AUTH_OUTCOMES, PAYMENT_OUTCOMES } from '#contract/return-urls';
import { parseUrlAction } from './parse-url-action.ts';

const fromSearch = (search: string) => parseUrlAction({ search, hash: '' });
const fromHash = (hash: string) => parseUrlAction({ search: '', hash });

it('parseUrlAction: given a URL without an action, returns null', () => {
  expect(fromSearch('')).toBeNull();
  expect(fromSearch('?utm_source=mail')).toBeNull();
  expect(fromSearch('?payment=free-for-ever')).toBeNull();
});

it('parseUrlAction: given a required payment, returns the action with the email address', () => {
  expect(fromSearch('?payment=required&email=ada%40example.com')).toEqual({
    kind: 'payment',
    outcome: 'required',
    email: 'ada@example.com',
  });
});

it('parseUrlAction: given a text that is not an email address, drops it', () => {
  const forged = encodeURIComponent('Call +1 555 0100 to claim your refund @ now');
  expect(fromSearch(`?payment=required&email=${forged}`)).toEqual({
    kind: 'payment',
    outcome: 'required',
    email: null,
  });
});

it('parseUrlAction: given any outcome that the server sends, returns its action', () => {
  for (const outcome of Object.values(PAYMENT_OUTCOMES)) {
    expect(fromSearch(`?payment=${outcome}`)).toMatchObject({ kind: 'payment', outcome });
  }
  for (const outcome of Object.values(AUTH_OUTCOMES)) {
    expect(fromSearch(`?auth=${outcome}`)).toEqual({ kind: 'auth', outcome });
  }
});

it('parseUrlAction: given a mailed link, returns its page and token', () => {
  expect(fromHash('#reset=Zm9v-bar_1')).toEqual({
    kind: 'link',
    page: PAGES.resetPassword,
    token: 'Zm9v-bar_1',
  });
  expect(fromHash('#verify=a')).toMatchObject({ page: PAGES.verifyEmail });
  expect(fromHash('#claim=a')).toMatchObject({ page: PAGES.claim });
  expect(fromHash('#content')).toBeNull();
  expect(fromHash('#toString=a')).toBeNull();
});
