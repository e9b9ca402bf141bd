import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  claimPreviewRequestSchema,
  claimPreviewSchema,
  claimRequestSchema,
  paymentContextSchema,
  paymentRequestSchema,
  paymentResponseSchema,
  subscriptionResponseSchema,
} from '#contract/billing';
import { payReturn } from '#contract/calls/paying';
import { homeAfter, PAYMENT_RETURNS } from '#contract/landings';
import { API } from '#contract/paths';
import { readBody } from '../http/body.ts';
import type { HeldRegistration } from '../joining/held-registration.ts';
import type { Browser } from '../people/browser.ts';
import { emailRequired, forgedEvent } from './errors.ts';
import type { Payers } from './payer.ts';
import type { ConfiguredProviders } from './providers.ts';
import type { BillingService } from './service.ts';
import type { WebhookCeiling } from './webhook-ceiling.ts';

interface BillingRoutesOptions {
  service: BillingService;
  browser: Browser;
  held: HeldRegistration;
  payers: Payers;
  /** The caller's network address, hashed. */
  addressOf: (request: FastifyRequest) => string;
  providers: ConfiguredProviders;
  ceiling: WebhookCeiling;
}

const WEBHOOK_BYTES = 256 * 1024;

export const billingRoutes: FastifyPluginAsyncZod<BillingRoutesOptions> = async (app, options) => {
  const { service, browser, held, payers, addressOf, providers, ceiling } = options;
  const visitor = { config: { access: 'visitor' as const } };
  const user = { config: { access: 'user' as const } };

  app.get(API.payment, { ...visitor, schema: { response: { 200: paymentContextSchema } } }, async (request) =>
    service.context(await payers.at(request), providers.for(request)),
  );

  app.post(
    API.pay,
    { ...visitor, schema: { response: { 200: paymentResponseSchema } } },
    async (request, reply) => {
      const sent = z.object({ email: z.string().trim().min(1) }).safeParse(request.body);
      if (!sent.success) throw emailRequired();
      const payment = readBody(paymentRequestSchema, request.body);
      const payer = await payers.at(request);
      const answer = await service.start(payer, payment, providers.for(request));
      // While a session is there the registration is left alone: its payment may still be to come.
      if (answer.status === 'completed' && payer.kind !== 'person') held.release(reply);
      return answer;
    },
  );

  app.get(
    payReturn.path,
    {
      ...visitor,
      schema: { querystring: z.object({ payment: z.string().max(100), cancelled: z.string().optional() }) },
    },
    async (request, reply) => {
      const { payment, cancelled } = request.query;
      const outcome = await service
        .confirm(await payers.beneficiariesAt(request), payment, cancelled !== undefined)
        .catch((error: unknown) => {
          // The payer sees a page whatever happens; what was paid is found by the webhook or the next sweep.
          request.log.warn({ err: error }, 'a payment could not be confirmed yet');
          return 'waiting' as const;
        });
      if (outcome === 'registered') held.release(reply);
      return reply.redirect(homeAfter({ payment: PAYMENT_RETURNS[outcome] }), 303);
    },
  );

  app.post(
    API.claimPreview,
    { ...visitor, schema: { response: { 200: claimPreviewSchema } } },
    async (request) => service.previewClaim(readBody(claimPreviewRequestSchema, request.body).token),
  );

  app.post(API.claim, visitor, async (request) => {
    const { token, ...choice } = readBody(claimRequestSchema, request.body);
    await service.claim(token, choice, addressOf(request));
    return {};
  });

  app.get(
    API.subscription,
    { ...user, schema: { response: { 200: subscriptionResponseSchema } } },
    async (request) => {
      const { userId } = await browser.requirePerson(request);
      return { subscription: await service.subscription(userId) };
    },
  );

  app.post(
    API.cancelSubscription,
    { ...user, schema: { response: { 200: subscriptionResponseSchema } } },
    async (request) => {
      const { userId } = await browser.requirePerson(request);
      await service.cancel(userId);
      return { subscription: await service.subscription(userId) };
    },
  );

  // A webhook's signature covers its bytes, so here, and only here, a body is left as it came.
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    webhooks.post(
      API.paypalWebhook,
      { config: { access: 'provider' }, bodyLimit: WEBHOOK_BYTES },
      async (request) => {
        const { paypal } = providers;
        if (!paypal || typeof request.body !== 'string') throw forgedEvent();
        const { headers, body } = request;
        await ceiling.admit(addressOf(request), () => service.handleEvent(paypal, headers, body));
        return {};
      },
    );
  });
};
