import { z } from 'zod';
import { currentPasswordSchema } from '../account.ts';
import { FORMER_SECRET_HOURS } from '../api-key-rules.ts';
import { call } from '../call.ts';
import { PASSWORD_CHECK } from '../error-codes.ts';
import { madeWebhookSecretSchema, webhookSecretStateSchema } from '../job.ts';

/*
 * The secret that signs webhooks: its owner makes and renews it while signed in, and sees it once; no key opens these
 * calls.
 */

export const getWebhookSecret = call({
  method: 'GET',
  path: '/api/account/webhook-secret',
  summary: 'Whether there is a secret that webhooks are signed with',
  access: 'user',
  answers: { 200: webhookSecretStateSchema },
});

export const renewWebhookSecret = call({
  method: 'POST',
  path: '/api/account/webhook-secret',
  summary: 'Make the secret that webhooks are signed with, or renew it',
  description: `For premium. The secret is in this answer and nowhere else. For ${FORMER_SECRET_HOURS} hours webhooks are signed with the former one too.`,
  access: 'user',
  body: z.object({ currentPassword: currentPasswordSchema }),
  answers: { 201: madeWebhookSecretSchema },
  errors: ['api_keys.premium_required', 'accounts.wrong_password', ...PASSWORD_CHECK],
});
