import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  cancelSubscription,
  claim,
  getPayment,
  getSubscription,
  pay,
  paypalWebhook,
  payReturn,
  previewClaim,
} from '#contract/calls/billing';
import { homeUrlAfter, PAYMENT_OUTCOMES } from '#contract/return-urls';
import { requireUser } from '../accounts/browser.ts';
import { route } from '../http/route.ts';
import type { RegistrationCookie } from '../registration/registration-cookie.ts';
import { emailRequired, forgedEvent } from './billing.errors.ts';
import type { Billing } from './billing.service.ts';
import type { Payers } from './payer.ts';
import type { ConfiguredProviders } from './providers.ts';
import type { WebhookLimiter } from './webhook-limiter.ts';

interface BillingRoutesOptions {
  billing: Billing;
  registrationCookie: RegistrationCookie;
  payers: Payers;
  addressOf: (request: FastifyRequest) => string;
  providers: ConfiguredProviders;
  limiter: WebhookLimiter;
}

export async function billingRoutes(app: FastifyInstance, options: BillingRoutesOptions): Promise<void> {
  const { billing, registrationCookie, payers, addressOf, providers, limiter } = options;

  route(app, getPayment, async ({ request }) =>
    billing.checkout.context(await payers.at(request), providers.for(request)),
  );

  route(
    app,
    pay,
    async ({ request, reply, body }) => {
      const payer = await payers.at(request);
      const answer = await billing.checkout.start(payer, body, providers.for(request));
      // A signed-in user may also have an open registration, whose payment may still arrive: it stays in its cookie.
      if (answer.status === 'completed' && payer.kind !== 'person') registrationCookie.clear(reply);
      return answer;
    },
    {
      async preHandler({ body }) {
        if (!z.object({ email: z.string().trim().min(1) }).safeParse(body).success) throw emailRequired();
      },
    },
  );

  route(app, payReturn, async ({ request, reply, query: { payment, cancelled } }) => {
    const outcome = await billing.providerCallbacks
      .confirm(await payers.beneficiariesAt(request), payment, cancelled !== undefined)
      .catch((error: unknown) => {
        // The payer need not see the error: the webhook or the next sweep finds the payment.
        request.log.warn({ err: error }, 'a payment could not be confirmed yet');
        return 'waiting' as const;
      });
    const id = registrationCookie.id(request) ?? registrationCookie.completedId(request);
    if (outcome === 'registered' && id !== undefined) registrationCookie.markCompleted(reply, id);
    return reply.redirect(homeUrlAfter({ payment: PAYMENT_OUTCOMES[outcome] }), 303);
  });

  route(app, previewClaim, async ({ body }) => billing.registrationClaims.preview(body.token));

  route(app, claim, async ({ request, body: { token, ...choice } }) => {
    await billing.registrationClaims.claim(token, choice, addressOf(request));
  });

  route(app, getSubscription, async ({ request }) => {
    const { userId } = requireUser(request);
    return { subscription: await billing.subscriptions.state(userId) };
  });

  route(app, cancelSubscription, async ({ request }) => {
    const { userId } = requireUser(request);
    await billing.subscriptions.cancel(userId);
    return { subscription: await billing.subscriptions.state(userId) };
  });

  // The signature of a webhook covers the raw bytes, so its body is not parsed.
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    route(webhooks, paypalWebhook, async ({ request }) => {
      const { paypal } = providers;
      if (!paypal || typeof request.body !== 'string') throw forgedEvent();
      const { headers, body } = request;
      await limiter.run(addressOf(request), () =>
        billing.providerCallbacks.handleEvent(paypal, headers, body),
      );
    });
  });
}
