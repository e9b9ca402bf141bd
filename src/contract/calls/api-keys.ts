import { z } from 'zod';
import { apiKeysResponseSchema, madeApiKeySchema, makeApiKeyRequestSchema } from '../api-key.ts';
import { call, DONE } from '../call.ts';
import { PASSWORD_CHECK } from '../error-codes.ts';

/*
 * API keys, for clients that act for a user. Their owner creates, lists and revokes them while signed in; these calls do not
 * accept API keys.
 */

export const listApiKeys = call({
  method: 'GET',
  path: '/api/account/keys',
  summary: 'List the API keys, newest first',
  access: 'user',
  answers: { 200: apiKeysResponseSchema },
});

export const makeApiKey = call({
  method: 'POST',
  path: '/api/account/keys',
  summary: 'Create an API key',
  description: 'Premium only. The key is shown only in this answer; the server stores its hash.',
  access: 'user',
  body: makeApiKeyRequestSchema,
  answers: { 201: madeApiKeySchema },
  errors: ['api_keys.premium_required', 'api_keys.too_many', 'accounts.wrong_password', ...PASSWORD_CHECK],
});

export const revokeApiKey = call({
  method: 'DELETE',
  path: '/api/account/keys/:id',
  summary: 'Revoke an API key',
  access: 'user',
  params: z.object({ id: z.string().max(100) }),
  answers: { 200: DONE },
  errors: ['http.not_found'],
});
