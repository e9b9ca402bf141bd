import type { FastifyInstance } from 'fastify';
import { getWebhookSecret, renewWebhookSecret } from '#contract/calls/webhooks';
import type { Browser } from '../accounts/browser.ts';
import { route } from '../http/route.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

interface WebhooksRoutesOptions {
  secrets: WebhookSecrets;
  browser: Browser;
}

export async function webhooksRoutes(
  app: FastifyInstance,
  { secrets, browser }: WebhooksRoutesOptions,
): Promise<void> {
  route(app, getWebhookSecret, async ({ request }) =>
    secrets.state((await browser.requirePerson(request)).userId),
  );

  route(app, renewWebhookSecret, async ({ request, body }) =>
    secrets.renew(await browser.requirePerson(request), body.currentPassword),
  );
}
