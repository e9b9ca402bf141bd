/* Rules of API keys for page and server, without a schema. */

/** How every key begins, so that people, and programs that look for secrets in published files, know one when they see it. */
export const API_KEY_PREFIX = 'glyph_live_';

/** Keys that one person may have at a time. */
export const MAX_API_KEYS = 10;

/** The scopes of a key, each with its meaning for the person who makes one. */
export const API_SCOPES = {
  read: 'Read pictures and documents',
  usage: 'See how much of the quota is used',
} as const;
export type ApiScope = keyof typeof API_SCOPES;

export const API_KEY_MESSAGES = {
  name: 'Please give the key a name',
  scopes: 'Please choose what the key is good for',
} as const;

/** For so many hours after a secret was renewed webhooks are signed with the former one too. */
export const FORMER_SECRET_HOURS = 24;
