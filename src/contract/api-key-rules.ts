/* Rules of API keys for page and server, without a schema. */

/** How every key begins, so that people, and programs that look for secrets in published files, know one when they see it. */
export const API_KEY_PREFIX = 'glyph_live_';

/** Keys that one person may have at a time. */
export const MAX_API_KEYS = 10;

/** Origins of web pages that one key may name. */
export const MAX_KEY_ORIGINS = 10;

/** Names of the reader's own machine, where a page under development needs no https. */
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a text is the origin of a web page as browsers send it: `https://app.example.org`, without a path. */
export function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    origin === text && (protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.includes(hostname)))
  );
}

/** The scopes of a key, each with its meaning for the person who makes one. */
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

/** For so many hours a program gets the same answer to a request that it repeats with its `Idempotency-Key`. */
export const REPEATED_ANSWER_HOURS = 24;

/** For so many hours after a secret was renewed webhooks are signed with the former one too. */
export const FORMER_SECRET_HOURS = 24;
