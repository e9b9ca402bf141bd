import { PAGES } from './paths.ts';

/** Where the server and its mails send a browser, and what the page reads out of it. Without zod: the first view holds it. */

export const AUTH_RETURNS = {
  /** Toast "{provider} authentication failed". */
  failed: 'failed',
  /** The address already has an account: sign in first, then link the provider in the settings. */
  exists: 'exists',
  /** A new user where nothing can be paid, so that no account can be made. */
  unpayable: 'unpayable',
  signedIn: 'signed-in',
  /** The account asks for a second factor, and this browser may answer with one. */
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
  /** Paid, but the name or the address has been lost: the Register tab opens. */
  claim: 'claim',
} as const;
export type PaymentReturn = (typeof PAYMENT_RETURNS)[keyof typeof PAYMENT_RETURNS];

type Home =
  | { auth: AuthReturn }
  | { payment: Exclude<PaymentReturn, 'required'> }
  | { payment: 'required'; email: string };

/** The home page, with the outcome of a redirect. */
export const homeAfter = (outcome: Home): string => `${PAGES.home}?${new URLSearchParams(outcome)}`;

/** The first word behind the `#` of a mailed link, and the page that answers it. */
export const MAILED_LINKS = {
  verify: PAGES.verifyEmail,
  reset: PAGES.resetPassword,
  claim: PAGES.claim,
} as const;

/** A link that carries its token behind the `#`: browsers send that part to no server. */
export const mailedLink = (publicUrl: string, word: keyof typeof MAILED_LINKS, token: string): string =>
  `${publicUrl}${PAGES.home}#${word}=${token}`;
