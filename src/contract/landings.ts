import { PAGES } from './paths.ts';

/** URLs of redirects and mails, and their parsing by the page. Without zod, because it is part of the first view. */

export const AUTH_RETURNS = {
  /** Toast "{provider} authentication failed". */
  failed: 'failed',
  /** The address already has an account: sign in first, then link the provider in the settings. */
  exists: 'exists',
  /** A new user without a payment provider, so that no account can be created. */
  unpayable: 'unpayable',
  signedIn: 'signed-in',
  /** A second factor is required in this browser. */
  secondFactor: 'second-factor',
  linked: 'linked',
} as const;
export type AuthReturn = (typeof AUTH_RETURNS)[keyof typeof AUTH_RETURNS];

/** Values of the query parameter `payment` with which the provider's return ends on the home page. */
export const PAYMENT_RETURNS = {
  /** Opens the payment dialog, filled in with the `email` parameter. */
  required: 'required',
  /** The account exists: "Registration Successful!", then the Login tab. */
  registered: 'registered',
  upgraded: 'upgraded',
  /** Approved, but the provider has not confirmed yet; a mail follows. */
  waiting: 'waiting',
  cancelled: 'cancelled',
  failed: 'failed',
  /** Paid, but the name or address was taken meanwhile: the Register tab opens. */
  claim: 'claim',
} as const;
export type PaymentReturn = (typeof PAYMENT_RETURNS)[keyof typeof PAYMENT_RETURNS];

type Home =
  | { auth: AuthReturn }
  | { payment: Exclude<PaymentReturn, 'required'> }
  | { payment: 'required'; email: string };

/** The home page, with the outcome of a redirect. */
export const homeAfter = (outcome: Home): string => `${PAGES.home}?${new URLSearchParams(outcome)}`;

/** The first word in the fragment of a mailed link, and its page. */
export const MAILED_LINKS = {
  verify: PAGES.verifyEmail,
  reset: PAGES.resetPassword,
  claim: PAGES.claim,
} as const;

/** A link with its token in the fragment, which browsers send to no server. */
export const mailedLink = (publicUrl: string, word: keyof typeof MAILED_LINKS, token: string): string =>
  `${publicUrl}${PAGES.home}#${word}=${token}`;
