import { z } from 'zod';
import { currentPasswordSchema } from './account.ts';
import { API_KEY_MESSAGES, type ApiScope, isPageOrigin, MAX_KEY_ORIGINS } from './api-key-rules.ts';

const scopeSchema = z.enum(['read', 'usage'] satisfies ApiScope[]);

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
  origins: z
    .array(z.string().max(255).refine(isPageOrigin, { error: API_KEY_MESSAGES.origins }), {
      error: API_KEY_MESSAGES.origins,
    })
    .max(MAX_KEY_ORIGINS, { error: API_KEY_MESSAGES.tooManyOrigins })
    .optional()
    .describe(
      'Origins of web pages that may call with the key from a browser (CORS), such as https://app.example.org. Without any, no page of another site can.',
    ),
  currentPassword: currentPasswordSchema,
});

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  origins: z.array(z.string()),
  /** Its last characters, so that its owner can identify it. */
  ending: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute; null before its first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeysResponseSchema = z.object({ keys: z.array(apiKeySchema) });
export type ApiKeysResponse = z.infer<typeof apiKeysResponseSchema>;

/** `secret`: the key itself, shown once. */
export const madeApiKeySchema = z.object({ key: apiKeySchema, secret: z.string() });
