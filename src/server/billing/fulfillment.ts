import type { MailTemplateContext } from '../accounts/accounts.mails.ts';
import { issueMailToken, revokeMailTokens } from '../accounts/mail-tokens.ts';
import { findUser, lockUser, type User } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Completed, Registrations } from '../registration/registration.repository.ts';
import { cancellationMail, claimMail, receiptMail } from './billing.mails.ts';
import {
  abandonPayment,
  lockPayment,
  type MergedSubscription,
  mergeProviderState,
  type Payment,
  recordSale,
  type Subscription,
  updatePayment,
} from './billing.repository.ts';
import type { Database, Transaction } from './billing.tables.ts';
import type { PaymentProvider, ProviderState } from './provider.ts';

/**
 * - `applied`: the account has premium
 * - `waiting`: the payer has not approved yet, or the provider has not collected yet
 * - `unclaimed`: the money arrived, but another account took the name or address: the payer chooses others
 * - `abandoned`: the payer cancelled; another payment may be started
 * - `refused`: the provider's subscription does not match this payment
 * - `orphaned`: the account was deleted or already has premium; nothing more may be collected
 */
export type FulfillmentOutcome = 'applied' | 'waiting' | 'unclaimed' | 'abandoned' | 'refused' | 'orphaned';

export type Sale = { id: string; amount: string; currency: string; at: Date };

export interface FulfillmentDependencies {
  database: Database;
  registrations: Registrations;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  publicUrl: string;
}

export type SubscriptionCanceler = (provider: PaymentProvider, reference: string) => Promise<void>;

/** Cancels a subscription without an account, so that nothing more is collected. */
export const createSubscriptionCanceler =
  (logger: Logger): SubscriptionCanceler =>
  async (provider, reference) => {
    logger.error({ reference }, 'a payment without an account was cancelled; refund it by hand');
    await provider.cancel(reference, 'The account that this was for does not exist any more.');
  };

/**
 * Applies a provider's states to accounts and premium exactly once, even if reports are repeated or out of order: every step
 * is one transaction that locks the payment's row and checks whether the payment was applied before.
 */
export class Fulfillment {
  readonly #deps: FulfillmentDependencies;

  constructor(deps: FulfillmentDependencies) {
    this.#deps = deps;
  }

  async #grant(
    transaction: Transaction,
    payment: Payment,
    { subscription }: MergedSubscription,
    user: User,
  ): Promise<void> {
    await transaction
      .updateTable('subscriptions')
      .set({ user_id: user.id })
      .where('id', '=', subscription.id)
      .execute();
    await updatePayment(transaction, payment.id, {
      status: 'applied',
      open_key: null,
      user_id: user.id,
      reference: subscription.reference,
    });
    await revokeMailTokens(transaction, { paymentId: payment.id });
  }

  /** The payer's address is more reliable than the registration's, which is unconfirmed. */
  async #offerClaim(
    transaction: Transaction,
    payment: Payment,
    state: ProviderState,
    taken: 'username' | 'email',
  ): Promise<void> {
    await updatePayment(transaction, payment.id, { status: 'paid', reference: state.reference });
    if (payment.status === 'paid') return;
    const registration = await this.#deps.registrations.find(payment.registration_id ?? '', transaction);
    const to = state.payerEmail ?? (taken === 'username' ? registration?.email : undefined);
    if (to === undefined) {
      this.#deps.logger.warn(
        { payment: payment.id },
        'a payment waits to be claimed, and there is no address to notify',
      );
      return;
    }
    const link = { purpose: 'claim', email: to } as const;
    const token = await issueMailToken(transaction, { paymentId: payment.id }, link, this.#deps.clock.now());
    await this.#deps.mails.enqueue(transaction, claimMail(to, this.#deps.publicUrl, token));
  }

  async #apply(transaction: Transaction, payment: Payment, merged: MergedSubscription, state: ProviderState) {
    if (payment.registration_id !== null) {
      const completed = await this.#deps.registrations.complete(transaction, payment.registration_id);
      if ('taken' in completed) {
        await this.#offerClaim(transaction, payment, state, completed.taken);
        return 'unclaimed';
      }
      if ('user' in completed) {
        await this.#grant(transaction, payment, merged, completed.user);
        return 'applied';
      }
    } else if (payment.user_id !== null) {
      const user = await lockUser(transaction, payment.user_id);
      if (user) {
        await this.#grant(transaction, payment, merged, user);
        return 'applied';
      }
    }
    await updatePayment(transaction, payment.id, {
      status: 'abandoned',
      open_key: null,
      reference: state.reference,
    });
    return 'orphaned';
  }

  #count(outcome: FulfillmentOutcome, before: Payment | undefined): void {
    const repeated = outcome === 'applied' && before?.status === 'applied';
    this.#deps.metrics.add('glyphlift_payments_total', { outcome: repeated ? 'repeated' : outcome });
    if (outcome === 'applied' && !repeated && before?.registration_id) {
      this.#deps.metrics.add('glyphlift_registrations_completed_total', {});
    }
  }

  async #notifyOfCancellation(transaction: Transaction, { subscription, before }: MergedSubscription) {
    if (before?.status !== 'active' || subscription.status !== 'cancelled') return;
    const user = await ownerOf(transaction, subscription);
    if (!user) return;
    const mailFields = this.#deps.mailContext.mailFields(user);
    await this.#deps.mails.enqueue(
      transaction,
      cancellationMail(mailFields, new Date(subscription.period_end)),
    );
  }

  async fulfill(paymentId: string, state: ProviderState): Promise<FulfillmentOutcome> {
    if (!state.isOurPlan || state.paymentId !== paymentId) {
      this.#deps.logger.warn(
        { payment: paymentId, isOurPlan: state.isOurPlan },
        'a subscription does not belong to its payment and is ignored',
      );
      return 'refused';
    }
    let payment: Payment | undefined;
    const outcome = await withTransaction(
      this.#deps.database,
      async (transaction): Promise<FulfillmentOutcome> => {
        payment = await lockPayment(transaction, paymentId);
        if (!payment) return 'refused';
        if (!state.paid) {
          if (payment.status === 'applied' || !state.abandoned) return 'waiting';
          await abandonPayment(transaction, payment.id);
          return 'abandoned';
        }
        const merged = await mergeProviderState(transaction, payment.provider, state, this.#deps.clock.now());
        if (payment.status === 'applied') {
          await this.#notifyOfCancellation(transaction, merged);
          return 'applied';
        }
        return this.#apply(transaction, payment, merged, state);
      },
    );
    this.#count(outcome, payment);
    this.#deps.mails.wake();
    return outcome;
  }

  /** Merges the state into an active subscription, and notifies its owner of changes. */
  async refresh(provider: Subscription['provider'], state: ProviderState): Promise<void> {
    await withTransaction(this.#deps.database, async (transaction) => {
      await this.#notifyOfCancellation(
        transaction,
        await mergeProviderState(transaction, provider, state, this.#deps.clock.now()),
      );
    });
    this.#deps.mails.wake();
  }

  /** Stores an event with its sale and refund. False if the event was already applied. */
  async record(
    provider: 'paypal' | 'demo',
    event: { id: string; type: string; reference: string | undefined; refunded: boolean },
    sale: Sale | undefined,
  ): Promise<boolean> {
    const applied = await withTransaction(this.#deps.database, async (transaction) => {
      const now = this.#deps.clock.now().toISOString();
      const first = await transaction
        .insertInto('payment_events')
        .values({ provider, event_id: event.id, type: event.type, applied_at: now })
        .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
        .returning('event_id')
        .executeTakeFirst();
      if (!first) return false;
      if (event.reference === undefined) return true;
      if (event.refunded) {
        await transaction
          .updateTable('subscriptions')
          .set({ status: 'ended', refunded_at: now })
          .where('provider', '=', provider)
          .where('reference', '=', event.reference)
          .execute();
      }
      if (sale && (await recordSale(transaction, provider, event.reference, sale))) {
        const user = await ownerOf(transaction, { provider, reference: event.reference });
        if (user) {
          await this.#deps.mails.enqueue(
            transaction,
            receiptMail(this.#deps.mailContext.mailFields(user), sale),
          );
        }
      }
      return true;
    });
    this.#deps.mails.wake();
    return applied;
  }

  /** Applies an unclaimed payment to the account that its payer has chosen. */
  async claim(transaction: Transaction, payment: Payment): Promise<Completed> {
    const completed = await this.#deps.registrations.complete(transaction, payment.registration_id ?? '');
    if (!('user' in completed)) return completed;
    const subscription = await transaction
      .selectFrom('subscriptions')
      .selectAll()
      .where('provider', '=', payment.provider)
      .where('reference', '=', payment.reference ?? '')
      .executeTakeFirstOrThrow();
    await this.#grant(transaction, payment, { subscription, before: undefined }, completed.user);
    return completed;
  }
}

async function ownerOf(
  transaction: Transaction,
  { provider, reference }: Pick<Subscription, 'provider' | 'reference'>,
): Promise<User | undefined> {
  const subscription = await transaction
    .selectFrom('subscriptions')
    .select('user_id')
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return subscription?.user_id ? findUser(transaction, subscription.user_id) : undefined;
}
