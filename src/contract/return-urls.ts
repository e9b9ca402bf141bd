import { PAGES } from './paths.ts';

/** URLs of redirects and mailed links. Without zod, because the page's first view imports this file. */

/** Values of the query parameter `auth`, set when a sign-in provider redirects back to the home page. */
export const AUTH_OUTCOMES = {
  /** Toast "{provider} authentication failed". */
  failed: 'failed',
  /** The address already has an account: sign in first, then link the provider in the settings. */
  exists: 'exists',
  /** A new user on a server without a payment provider, so that no account can be created. */
  unpayable: 'unpayable',
  signedIn: 'signed-in',
  /** A second factor is required in this browser. */
  secondFactor: 'second-factor',
  linked: 'linked',
} as const;
export type AuthOutcome = (typeof AUTH_OUTCOMES)[keyof typeof AUTH_OUTCOMES];

/** Values of the query parameter `payment`, set when a payment provider redirects back to the home page. */
export const PAYMENT_OUTCOMES = {
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
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[keyof typeof PAYMENT_OUTCOMES];

type RedirectOutcome =
  | { auth: AuthOutcome }
  | { payment: Exclude<PaymentOutcome, 'required'> }
  | { payment: 'required'; email: string };

/** URL of the home page with the outcome of a redirect. */
export const homeUrlAfter = (outcome: RedirectOutcome): string =>
  `${PAGES.home}?${new URLSearchParams(outcome)}`;

/** Pages of mailed links, by the word at the start of the link's fragment. */
export const MAILED_LINKS = {
  verify: PAGES.verifyEmail,
  reset: PAGES.resetPassword,
  claim: PAGES.claim,
} as const;

/** A link with its token in the URL fragment, which browsers do not send to the server. */
export const mailedLink = (publicUrl: string, word: keyof typeof MAILED_LINKS, token: string): string =>
  `${publicUrl}${PAGES.home}#${word}=${token}`;
