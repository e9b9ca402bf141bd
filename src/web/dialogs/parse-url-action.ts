import {
  AUTH_OUTCOMES,
  type AuthOutcome,
  MAILED_LINKS,
  PAYMENT_OUTCOMES,
  type PaymentOutcome,
} from '#contract/return-urls';

/** An action in a URL that the server redirected to or that a mail contains. No part of the URL is shown as text. */
export type UrlAction =
  | { kind: 'payment'; outcome: PaymentOutcome; email: string | null }
  | { kind: 'auth'; outcome: AuthOutcome }
  /** A mailed link: the page that it opens, and the token that proves who opened it. */
  | { kind: 'link'; page: string; token: string };

const EMAIL_MAX_LENGTH = 254;
const LINK_MAX_LENGTH = 400;

/** Parses the query and the hash of a URL. Null if they contain no action. */
export function parseUrlAction({ search, hash }: { search: string; hash: string }): UrlAction | null {
  const [, linkName = '', token = ''] =
    (hash.length <= LINK_MAX_LENGTH && /^#([a-z]+)=([\w.~-]+)$/.exec(hash)) || [];
  const page = Object.entries(MAILED_LINKS).find(([known]) => known === linkName)?.[1];
  if (page) return { kind: 'link', page, token };
  const query = new URLSearchParams(search);
  const payment = Object.values(PAYMENT_OUTCOMES).find((outcome) => outcome === query.get('payment'));
  if (payment) return { kind: 'payment', outcome: payment, email: plausibleEmail(query.get('email')) };
  const auth = Object.values(AUTH_OUTCOMES).find((outcome) => outcome === query.get('auth'));
  return auth ? { kind: 'auth', outcome: auth } : null;
}

/** Accepts only an email address, because anyone can craft a URL. */
function plausibleEmail(value: string | null): string | null {
  const email = value?.trim() ?? '';
  return email.length <= EMAIL_MAX_LENGTH && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email) ? email : null;
}
