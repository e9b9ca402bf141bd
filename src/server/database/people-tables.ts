/** Tables of accounts, payment, saved texts and the waitlist. The rules of `schema.ts` hold: text and whole numbers only. */

/** Every username once, whether somebody has it or a registration that waits for its payment reserves it. */
interface NamesTable {
  /** Lower case. */
  name_key: string;
  user_id: string | null;
  registration_id: string | null;
}

export interface UsersTable {
  id: string;
  username: string;
  email: string;
  email_key: string;
  email_verified_at: string | null;
  /** A new address that waits for its mailed link to be opened. */
  pending_email: string | null;
  /** Null for somebody who signs in with a provider only. */
  password_hash: string | null;
  /** Bytes of saved texts, names included. */
  storage_bytes: number;
  created_at: string;
  /** The last time; null before the first. */
  signed_in_at: string | null;
}

/** What a person's authenticator app computes codes from. */
export interface SecondFactorsTable {
  user_id: string;
  sealed_secret: string;
  created_at: string;
  /** Null until a first right code has shown that the app has the secret. */
  confirmed_at: string | null;
  /** The last step of time whose code was used: RFC 6238 lets each work once. */
  last_step: number;
}

/** Each works once, and is deleted by it. */
interface RecoveryCodesTable {
  code_hash: string;
  user_id: string;
}

/** A browser that a person has signed in with before. */
interface KnownDevicesTable {
  /** The token itself is in the browser's cookie only. */
  token_hash: string;
  user_id: string;
  device: string;
  last_seen_at: string;
  expires_at: string;
}

interface IdentitiesTable {
  provider: string;
  /** The provider's own id of the person. */
  subject: string;
  user_id: string;
  email: string;
  created_at: string;
}

interface SessionsTable {
  /** The token itself is in the browser's cookie only. */
  token_hash: string;
  /** Names the session to its owner. */
  id: string;
  user_id: string;
  device: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

/** A registration that waits for its payment. It belongs to the browser that holds its id in a signed cookie. */
export interface RegistrationsTable {
  id: string;
  username: string;
  email: string;
  email_key: string;
  password_hash: string | null;
  /** Of a third-party sign-in. */
  provider: string | null;
  subject: string | null;
  /** 1 when the provider vouches for the address. */
  email_verified: number;
  created_at: string;
  /** Until then the name is reserved; longer while a payment is open. */
  expires_at: string;
  /** The account that it became. */
  user_id: string | null;
}

export interface MailTokensTable {
  token_hash: string;
  purpose: 'verify' | 'reset' | 'claim';
  user_id: string | null;
  payment_id: string | null;
  /** The address that the link was mailed to. */
  email: string;
  expires_at: string;
}

/** Mails that are still to be handed over; written in the transaction that is their reason. */
interface OutgoingMailsTable {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  unsubscribe_url: string | null;
  created_at: string;
  attempts: number;
  next_attempt_at: string;
}

/** What somebody asked to be mailed, until it is looked at. */
export interface MailRequestsTable {
  id: string;
  purpose: 'reset' | 'waitlist';
  email: string;
  email_key: string;
  created_at: string;
}

interface ThrottlesTable {
  key: string;
  attempts: number;
  window_ends: string;
}

/**
 * One payment of one registration or one user:
 * `started` → `approval` (the payer is at the provider) → `paid` (money taken, account not made: a name was lost)
 * → `applied`, or `abandoned`.
 */
export interface PaymentsTable {
  id: string;
  registration_id: string | null;
  user_id: string | null;
  provider: 'paypal' | 'demo';
  reference: string | null;
  /** Holds the one place for an open payment of its registration or user; null once it is decided. */
  open_key: string | null;
  status: 'started' | 'approval' | 'paid' | 'applied' | 'abandoned';
  approval_url: string | null;
  amount: string;
  currency: string;
  created_at: string;
  /** When the provider is asked next what became of it. */
  next_check_at: string;
}

/** Outlives its user as bookkeeping, then without `user_id`. */
export interface SubscriptionsTable {
  id: string;
  user_id: string | null;
  provider: 'paypal' | 'demo' | 'granted';
  reference: string;
  status: 'active' | 'cancelled' | 'ended';
  started_at: string;
  period_end: string;
  refunded_at: string | null;
  created_at: string;
  next_check_at: string;
}

interface PaymentEventsTable {
  provider: string;
  event_id: string;
  type: string;
  applied_at: string;
}

interface SalesTable {
  provider: string;
  sale_id: string;
  reference: string;
  amount: string;
  currency: string;
  paid_at: string;
}

interface SavedTextsTable {
  id: string;
  user_id: string;
  name: string;
  text: string;
  /** Name and text in lower case, to search in: neither database folds every script by itself. */
  folded: string;
  bytes: number;
  language: string;
  created_at: string;
}

interface WaitlistTable {
  email_key: string;
  email: string;
  created_at: string;
}

export interface PeopleTables {
  names: NamesTable;
  users: UsersTable;
  identities: IdentitiesTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  known_devices: KnownDevicesTable;
  registrations: RegistrationsTable;
  mail_tokens: MailTokensTable;
  mail_requests: MailRequestsTable;
  outgoing_mails: OutgoingMailsTable;
  throttles: ThrottlesTable;
  payments: PaymentsTable;
  subscriptions: SubscriptionsTable;
  payment_events: PaymentEventsTable;
  sales: SalesTable;
  saved_texts: SavedTextsTable;
  waitlist: WaitlistTable;
}
