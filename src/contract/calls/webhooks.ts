import { z } from 'zod';
import { currentPasswordSchema } from '../account.ts';
import { PREVIOUS_SECRET_HOURS } from '../api-key-rules.ts';
import { call } from '../call.ts';
import { PASSWORD_CHECK } from '../error-codes.ts';
import { madeWebhookSecretSchema, webhookSecretStateSchema } from '../job.ts';

/*
 * The secret that signs webhooks. Its owner creates and renews it while signed in, and sees it once; these calls do not accept
 * API keys.
 */

export const getWebhookSecret = call({
  method: 'GET',
  path: '/api/account/webhook-secret',
  summary: 'Get the state of the webhook secret',
  access: 'user',
  answers: { 200: webhookSecretStateSchema },
});

export const renewWebhookSecret = call({
  method: 'POST',
  path: '/api/account/webhook-secret',
  summary: 'Create or renew the webhook secret',
  description: `Premium only. The secret is shown only in this answer. For ${PREVIOUS_SECRET_HOURS} hours webhooks are also signed with the previous one.`,
  access: 'user',
  body: z.object({ currentPassword: currentPasswordSchema }),
  answers: { 201: madeWebhookSecretSchema },
  errors: ['api_keys.premium_required', 'accounts.wrong_password', ...PASSWORD_CHECK],
});
