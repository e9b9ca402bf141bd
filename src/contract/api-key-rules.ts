/* Rules of API keys for page and server, without a schema. */

/** Prefix of every key, by which people and secret scanners recognize it. */
export const API_KEY_PREFIX = 'glyph_live_';

/** Maximum of keys per user. */
export const MAX_API_KEYS = 10;

/** Maximum of origins per key. */
export const MAX_KEY_ORIGINS = 10;

/** Names of localhost, where https is not required. */
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a text is the origin of a web page as browsers send it: `https://app.example.org`, without a path. */
export function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    origin === text && (protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.includes(hostname)))
  );
}

/** The scopes of a key with their descriptions for users. */
export const API_SCOPES = {
  read: 'Read pictures and documents',
  usage: 'See how much of the quota is used',
} as const;
export type ApiScope = keyof typeof API_SCOPES;

export const API_KEY_MESSAGES = {
  name: 'Please give the key a name',
  scopes: 'Please choose what the key is good for',
  origins: 'Please give each web page as its origin, such as https://app.example.org, without a path',
  tooManyOrigins: `Please name ${MAX_KEY_ORIGINS} web pages at most`,
} as const;

/** How many hours the result of a request with an `Idempotency-Key` is kept for repeats. */
export const REPEATED_ANSWER_HOURS = 24;

/** How many hours after a renewal webhooks are also signed with the former secret. */
export const FORMER_SECRET_HOURS = 24;
