import { PREMIUM_PRICE } from '#contract/product';
import type { Clock } from '../platform/clock.ts';
import { forgedEvent } from './billing.errors.ts';
import { addMonths } from './period.ts';
import type { PaymentProvider, ProviderState } from './provider.ts';

/**
 * Confirms payments at once and takes no money, so that the product can be tried without a payment provider. Its name is
 * shown wherever it is used. Stateless: the reference contains the payment's id and time, and it renews forever.
 */
export function createDemoProvider(clock: Clock): PaymentProvider {
  return {
    name: 'demo',
    async start({ paymentId, email }) {
      return { done: stateOf(`demo_${clock.now().getTime()}_${paymentId}`, email, clock.now()) };
    },
    async read(reference) {
      return /^demo_\d+_[\w-]+$/.test(reference) ? stateOf(reference, null, clock.now()) : undefined;
    },
    async cancel() {},
    async event() {
      throw forgedEvent();
    },
  };
}

function stateOf(reference: string, payerEmail: string | null, now: Date): ProviderState {
  const [, started, paymentId = null] = reference.split('_');
  const startedAt = new Date(Number(started));
  let months = 1;
  while (addMonths(startedAt, months) <= now) months++;
  return {
    reference,
    paymentId,
    isOurPlan: true,
    paid: true,
    abandoned: false,
    status: 'active',
    startedAt,
    periodEnd: addMonths(startedAt, months),
    payerEmail,
    lastPayment: { ...PREMIUM_PRICE, at: addMonths(startedAt, months - 1) },
  };
}
