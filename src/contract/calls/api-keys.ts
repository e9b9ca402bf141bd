import { z } from 'zod';
import { apiKeysResponseSchema, madeApiKeySchema, makeApiKeyRequestSchema } from '../api-key.ts';
import { call, DONE } from '../call.ts';
import { PASSWORD_CHECK } from '../error-codes.ts';

/*
 * API keys: how a program calls for a user. Their owner makes, lists and revokes them while signed in; no key opens
 * these calls.
 */

export const listApiKeys = call({
  method: 'GET',
  path: '/api/account/keys',
  summary: 'The keys of who is signed in, newest first',
  access: 'user',
  answers: { 200: apiKeysResponseSchema },
});

export const makeApiKey = call({
  method: 'POST',
  path: '/api/account/keys',
  summary: 'Make a key for a program',
  description: 'For premium. The key itself is in this answer and nowhere else; only its hash is kept.',
  access: 'user',
  body: makeApiKeyRequestSchema,
  answers: { 201: madeApiKeySchema },
  errors: ['api_keys.premium_required', 'api_keys.too_many', 'accounts.wrong_password', ...PASSWORD_CHECK],
});

export const revokeApiKey = call({
  method: 'DELETE',
  path: '/api/account/keys/:id',
  summary: 'Revoke a key at once',
  access: 'user',
  params: z.object({ id: z.string().max(100) }),
  answers: { 200: DONE },
  errors: ['http.not_found'],
});
