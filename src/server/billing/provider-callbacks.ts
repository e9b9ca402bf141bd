import type { IncomingHttpHeaders } from 'node:http';
import type { PAYMENT_OUTCOMES } from '#contract/return-urls';
import type { Logger } from '../platform/logger.ts';
import type { Beneficiary, Payment } from './billing.repository.ts';
import type { Database } from './billing.tables.ts';
import type { Fulfillment, SubscriptionCanceler } from './fulfillment.ts';
import { type PaymentProvider, type Providers, providerOf } from './provider.ts';

type Confirmed = Exclude<keyof typeof PAYMENT_OUTCOMES, 'required'>;

export interface ProviderCallbacks {
  /** Handles a returning browser: whether its payment is one of `own`, and paid. */
  confirm(own: readonly Beneficiary[], paymentId: string, cancelled: boolean): Promise<Confirmed>;
  /** Handles a webhook. Rejects if it should be delivered again. */
  handleEvent(provider: PaymentProvider, headers: IncomingHttpHeaders, body: string): Promise<void>;
}

interface ProviderCallbacksDependencies {
  database: Database;
  providers: Providers;
  fulfillment: Fulfillment;
  cancelSubscription: SubscriptionCanceler;
  logger: Logger;
}

export function createProviderCallbacks(dependencies: ProviderCallbacksDependencies): ProviderCallbacks {
  const { database, providers, fulfillment, cancelSubscription, logger } = dependencies;
  return {
    async confirm(own, paymentId, cancelled) {
      const payment = await database
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', paymentId)
        .executeTakeFirst();
      const isOwn = payment !== undefined && own.some((beneficiary) => isFor(payment, beneficiary));
      const provider = payment && providerOf(providers, payment.provider);
      if (!isOwn || !provider || payment.reference === null) return 'failed';
      const state = await provider.read(payment.reference);
      if (!state) return cancelled ? 'cancelled' : 'failed';
      const outcome = await fulfillment.fulfill(payment.id, state);
      if (outcome === 'orphaned') await cancelSubscription(provider, payment.reference);
      switch (outcome) {
        case 'applied':
          return payment.registration_id === null ? 'upgraded' : 'registered';
        case 'unclaimed':
          return 'claim';
        case 'waiting':
          return cancelled ? 'cancelled' : 'waiting';
        case 'abandoned':
          return 'cancelled';
        case 'refused':
        case 'orphaned':
          return 'failed';
      }
    },

    async handleEvent(provider, headers, body) {
      const event = await provider.event(headers, body);
      const known = await database
        .selectFrom('payment_events')
        .select('event_id')
        .where('provider', '=', provider.name)
        .where('event_id', '=', event.id)
        .executeTakeFirst();
      if (known) return;
      const state = event.reference === undefined ? undefined : await provider.read(event.reference);
      if (state) {
        if (event.refunded) await provider.cancel(state.reference, 'The payment was given back.');
        if (state.paymentId !== null) {
          const outcome = await fulfillment.fulfill(state.paymentId, state);
          if (outcome === 'orphaned') await cancelSubscription(provider, state.reference);
        }
      }
      await fulfillment.record(provider.name, event, state?.isOurPlan ? event.sale : undefined);
      logger.info({ event: event.id, type: event.type }, 'a payment event was applied');
    },
  };
}

function isFor(payment: Payment, beneficiary: Beneficiary): boolean {
  return 'userId' in beneficiary
    ? payment.user_id === beneficiary.userId
    : payment.registration_id === beneficiary.registrationId;
}
