/** What an address that the server or a link led to asks of the page. Nothing of it is ever shown as text. */
export type Landing =
  | { kind: 'payment'; outcome: PaymentReturn; email: string | null }
  | { kind: 'auth'; outcome: AuthReturn };

const PAYMENT_OUTCOMES = [
  'required',
  'registered',
  'upgraded',
  'waiting',
  'cancelled',
  'failed',
  'claim',
] as const;
const AUTH_OUTCOMES = ['failed', 'exists', 'signed-in', 'linked'] as const;

/** Spelled out here, so that the first view does without the contract's schemas; a test holds them together. */
export type PaymentReturn = (typeof PAYMENT_OUTCOMES)[number];
export type AuthReturn = (typeof AUTH_OUTCOMES)[number];

const EMAIL_MAX_LENGTH = 254;

/** Reads the query of an address; null when it asks for nothing. */
export function readLanding(search: string): Landing | null {
  const query = new URLSearchParams(search);
  const payment = PAYMENT_OUTCOMES.find((outcome) => outcome === query.get('payment'));
  if (payment) return { kind: 'payment', outcome: payment, email: plausibleEmail(query.get('email')) };
  const auth = AUTH_OUTCOMES.find((outcome) => outcome === query.get('auth'));
  return auth ? { kind: 'auth', outcome: auth } : null;
}

/** Anybody can plant a link: what is no address does not even fill in the field. */
function plausibleEmail(value: string | null): string | null {
  const email = value?.trim() ?? '';
  return email.length <= EMAIL_MAX_LENGTH && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email) ? email : null;
}
