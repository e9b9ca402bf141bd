/* Rules of API keys for page and server, without a schema library. */

/** Prefix of every key, by which people and secret scanners recognize it. */
export const API_KEY_PREFIX = 'glyph_live_';

/** Maximum number of keys per user. */
export const MAX_API_KEYS = 10;

/** Maximum number of origins per key. */
export const MAX_KEY_ORIGINS = 10;

/** Names of localhost, where https is not required. */
const LOCALHOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a text is the origin of a web page as browsers send it: `https://app.example.org`, without a path. */
export function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    origin === text && (protocol === 'https:' || (protocol === 'http:' && LOCALHOSTS.includes(hostname)))
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

/** Hours for which a repeated request with the same `Idempotency-Key` gets the stored response. */
export const REPEATED_ANSWER_HOURS = 24;

/** Hours after a renewal in which webhooks are also signed with the previous secret. */
export const PREVIOUS_SECRET_HOURS = 24;
