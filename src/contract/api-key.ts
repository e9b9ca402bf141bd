import { z } from 'zod';
import { presentedPasswordSchema } from './account.ts';

/** How every key begins, so that people, and programs that look for secrets in published files, know one when they see it. */
export const API_KEY_PREFIX = 'glyph_live_';

/** Keys that one person may have at a time. */
export const MAX_API_KEYS = 10;

/** What a key may be good for, each with what that means to whoever makes one. */
export const API_SCOPES = {
  read: 'Read pictures and documents',
  usage: 'See how much of the quota is used',
} as const;
export type ApiScope = keyof typeof API_SCOPES;

const scopeSchema = z.enum(['read', 'usage'] satisfies ApiScope[]);

export const API_KEY_MESSAGES = {
  name: 'Please give the key a name',
  scopes: 'Please choose what the key is good for',
} as const;

/** May be left out by a person who has none. */
export const currentPasswordSchema = presentedPasswordSchema.optional();

/** `POST /api/account/keys`. `currentPassword` may be left out by a person who has none. */
export const makeApiKeyRequestSchema = z.object({
  name: z
    .string({ error: API_KEY_MESSAGES.name })
    .trim()
    .min(1, { error: API_KEY_MESSAGES.name })
    .max(60, { error: 'Please give the key a shorter name' }),
  scopes: z
    .array(scopeSchema, { error: API_KEY_MESSAGES.scopes })
    .min(1, { error: API_KEY_MESSAGES.scopes })
    .max(2, { error: API_KEY_MESSAGES.scopes }),
  currentPassword: currentPasswordSchema,
});

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  /** Its last characters, by which its owner finds it where it is used. */
  ending: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute; null before its first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** `GET /api/account/keys`, newest first. */
export const apiKeysResponseSchema = z.object({ keys: z.array(apiKeySchema) });

/** `secret`: the key itself, told this once. */
export const madeApiKeySchema = z.object({ key: apiKeySchema, secret: z.string() });
