import type { FastifyInstance } from 'fastify';
import { getWebhookSecret, renewWebhookSecret } from '#contract/calls/webhooks';
import { requireUser } from '../accounts/browser.ts';
import { route } from '../http/route.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

interface WebhooksRoutesOptions {
  secrets: WebhookSecrets;
}

export async function webhooksRoutes(
  app: FastifyInstance,
  { secrets }: WebhooksRoutesOptions,
): Promise<void> {
  route(app, getWebhookSecret, async ({ request }) => secrets.state(requireUser(request).userId));

  route(app, renewWebhookSecret, async ({ request, body }) =>
    secrets.renew(requireUser(request), body.currentPassword),
  );
}
