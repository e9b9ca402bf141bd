import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { nextCheck, type Payment, type Subscription } from './billing.repository.ts';
import type { Database } from './billing.tables.ts';
import type { Fulfillment, SubscriptionCanceler } from './fulfillment.ts';
import { type Providers, providerOf } from './provider.ts';

const HOUR_MS = 60 * 60 * 1000;
/** After this time an unapproved payment is abandoned; a later approval is reported by the webhook. */
const APPROVAL_MS = 72 * HOUR_MS;
const SWEEP_SIZE = 50;

interface PaymentMaintenanceDependencies {
  database: Database;
  providers: Providers;
  fulfillment: Fulfillment;
  clock: Clock;
  logger: Logger;
  cancelSubscription: SubscriptionCanceler;
}

export interface PaymentMaintenance {
  /**
   * Polls the provider for open payments and due renewals. Also runs at the start, so that payments survive a crash.
   */
  sweep(): Promise<void>;
  /** Makes every open payment due for `sweep`. */
  makeAllDue(): Promise<void>;
}

export function createPaymentMaintenance(dependencies: PaymentMaintenanceDependencies): PaymentMaintenance {
  const { database, providers, fulfillment, clock, logger, cancelSubscription } = dependencies;

  /** Claims a check by moving the next one. False if another process has claimed it. */
  async function claim(
    table: 'payments' | 'subscriptions',
    row: { id: string; next_check_at: string },
    next: string,
  ): Promise<boolean> {
    const { numUpdatedRows } = await database
      .updateTable(table)
      .set({ next_check_at: next })
      .where('id', '=', row.id)
      .where('next_check_at', '=', row.next_check_at)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function checkPayment(payment: Payment): Promise<void> {
    const now = clock.now();
    const createdAt = new Date(payment.created_at);
    if (!(await claim('payments', payment, nextCheck(createdAt, now)))) return;
    const isExpired = now.getTime() - createdAt.getTime() > APPROVAL_MS;
    const provider = providerOf(providers, payment.provider);
    if (payment.reference !== null && provider) {
      const state = await provider.read(payment.reference);
      const outcome = state ? await fulfillment.fulfill(payment.id, state) : 'waiting';
      if (outcome === 'orphaned') await cancelSubscription(provider, payment.reference);
      if (outcome !== 'waiting') return;
    }
    if (!isExpired) return;
    await database
      .updateTable('payments')
      .set({ status: 'abandoned', open_key: null })
      .where('id', '=', payment.id)
      .where('status', 'in', ['started', 'approval'])
      .execute();
  }

  async function checkSubscription(subscription: Subscription): Promise<void> {
    const inAnHour = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    if (!(await claim('subscriptions', subscription, inAnHour))) return;
    const state = await providerOf(providers, subscription.provider)?.read(subscription.reference);
    if (state?.isOurPlan) await fulfillment.refresh(subscription.provider, state);
  }

  return {
    async sweep() {
      const now = clock.now().toISOString();
      const payments = await database
        .selectFrom('payments')
        .selectAll()
        .where('status', 'in', ['started', 'approval'])
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(SWEEP_SIZE)
        .execute();
      const subscriptions = await database
        .selectFrom('subscriptions')
        .selectAll()
        .where('status', '=', 'active')
        .where('period_end', '<=', now)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(SWEEP_SIZE)
        .execute();
      const logFailure = async (work: Promise<void>) =>
        work.catch((error) => logger.warn({ err: error }, 'a payment could not be checked yet'));
      for (const payment of payments) await logFailure(checkPayment(payment));
      for (const subscription of subscriptions) await logFailure(checkSubscription(subscription));
    },

    async makeAllDue() {
      await database
        .updateTable('payments')
        .set({ next_check_at: clock.now().toISOString() })
        .where('status', 'in', ['started', 'approval'])
        .execute();
    },
  };
}
