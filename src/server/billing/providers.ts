import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { createLocalRequestCheck } from '../http/local-request.ts';
import type { Clock } from '../platform/clock.ts';
import { createDemoProvider } from './demo-provider.ts';
import { PayPalClient } from './paypal-client.ts';
import { createPayPalProvider } from './paypal-provider.ts';
import type { PaymentProvider, Providers } from './provider.ts';

export interface ConfiguredProviders extends Providers {
  /** The payment provider for this request; undefined if there is none. */
  for(request: FastifyRequest): PaymentProvider | undefined;
}

export function createProviders(config: Config, clock: Clock): ConfiguredProviders {
  const paypal = createPayPal(config);
  const demo = createDemoProvider(clock);
  const isLocalRequest = createLocalRequestCheck(config);
  // The demo provider takes no money, so it is offered on localhost only, unless it is configured explicitly.
  const mayPayByDemo = (request: FastifyRequest) => config.payments === 'demo' || isLocalRequest(request);
  return { paypal, demo, for: (request) => paypal ?? (mayPayByDemo(request) ? demo : undefined) };
}

function createPayPal(config: Config): PaymentProvider | undefined {
  const { paypalClientId, paypalClientSecret, paypalWebhookId, paypalPlanId, paypalBaseUrl } = config;
  if (!paypalClientId || !paypalClientSecret || !paypalWebhookId) return undefined;
  const client = new PayPalClient({
    baseUrl: paypalBaseUrl,
    clientId: paypalClientId,
    clientSecret: paypalClientSecret,
  });
  return createPayPalProvider({ client, webhookId: paypalWebhookId, planId: paypalPlanId });
}
