import { randomUUID } from 'node:crypto';
import type { SubscriptionState } from '#contract/billing';
import type { MailTemplateContext } from '../accounts/accounts.mails.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { noSubscription, paymentsUnavailable } from './billing.errors.ts';
import { cancellationMail } from './billing.mails.ts';
import { periodOf, type Subscription, subscriptionOf } from './billing.repository.ts';
import type { Database } from './billing.tables.ts';
import { billingMonth, isPremium, premiumUntil } from './period.ts';
import { type Providers, providerOf } from './provider.ts';

interface SubscriptionsDependencies {
  database: Database;
  providers: Providers;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  clock: Clock;
}

export interface Subscriptions {
  /** The current billing month of a premium user; null for others. A new subscription starts with an empty quota. */
  premiumMonth(userId: string): Promise<{ subscription: string; starts: Date; ends: Date } | null>;
  isPremium(userId: string): Promise<boolean>;
  state(userId: string): Promise<SubscriptionState | null>;
  /** Payments and sales of the user, for the data export. */
  payments(userId: string): Promise<object[]>;
  /** Cancels the renewal; premium stays until the period ends. @throws {AppError} 409 */
  cancel(userId: string): Promise<void>;
  /** The operator grants premium without a payment. */
  grant(userId: string, until: Date): Promise<void>;
  /** After a refund by the operator: ends premium now, and cancels the renewal. */
  markRefunded(userId: string): Promise<void>;
  /** Runs before an account is deleted: cancels the renewal, and anonymizes the payment records that the law requires. */
  endAll(userId: string): Promise<void>;
}

export function createSubscriptions(dependencies: SubscriptionsDependencies): Subscriptions {
  const { database, providers, mails, mailContext, clock } = dependencies;

  async function cancelAt(subscription: Subscription, reason: string): Promise<void> {
    const provider = providerOf(providers, subscription.provider);
    if (!provider && subscription.provider !== 'granted') throw paymentsUnavailable();
    await provider?.cancel(subscription.reference, reason);
  }

  async function premiumMonth(userId: string) {
    const now = clock.now();
    const row = await subscriptionOf(database, userId, now);
    if (!row || !isPremium(periodOf(row), now)) return null;
    const { start, end } = billingMonth(new Date(row.started_at), now);
    const { status, periodEnd } = periodOf(row);
    // A cancelled subscription has no month after its end.
    const ends = status === 'cancelled' && periodEnd < end ? periodEnd : end;
    return { subscription: row.id, starts: start, ends };
  }

  return {
    premiumMonth,

    state: (userId) => stateOf(database, userId, clock.now()),

    payments: (userId) => paymentsOf(database, userId),

    async isPremium(userId) {
      return (await premiumMonth(userId)) !== null;
    },

    async cancel(userId) {
      const row = await subscriptionOf(database, userId, clock.now());
      if (row?.status !== 'active') throw noSubscription();
      await cancelAt(row, 'Cancelled by the subscriber.');
      await withTransaction(database, async (transaction) => {
        const user = await lockUser(transaction, userId);
        const cancelled = await transaction
          .updateTable('subscriptions')
          .set({ status: 'cancelled' })
          .where('id', '=', row.id)
          .where('status', '=', 'active')
          .returning('period_end')
          .executeTakeFirst();
        if (!user || !cancelled) return;
        const mailFields = mailContext.mailFields(user);
        await mails.enqueue(transaction, cancellationMail(mailFields, new Date(cancelled.period_end)));
      });
      mails.wake();
    },

    async grant(userId, until) {
      const now = clock.now().toISOString();
      await database
        .insertInto('subscriptions')
        .values({
          id: randomUUID(),
          user_id: userId,
          provider: 'granted',
          reference: randomUUID(),
          // Stored like a cancelled subscription, because it is not renewed.
          status: 'cancelled',
          started_at: now,
          period_end: until.toISOString(),
          refunded_at: null,
          created_at: now,
          next_check_at: now,
        })
        .execute();
    },

    async markRefunded(userId) {
      const row = await subscriptionOf(database, userId, clock.now());
      if (!row || row.status === 'ended') throw noSubscription();
      if (row.status === 'active') await cancelAt(row, 'The payment was given back.');
      await database
        .updateTable('subscriptions')
        .set({ status: 'ended', refunded_at: clock.now().toISOString() })
        .where('id', '=', row.id)
        .execute();
    },

    async endAll(userId) {
      const rows = await database
        .selectFrom('subscriptions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('status', '=', 'active')
        .execute();
      for (const row of rows) await cancelAt(row, 'The account was deleted.');
      await anonymize(database, userId);
    },
  };
}

async function stateOf(database: Database, userId: string, now: Date): Promise<SubscriptionState | null> {
  const row = await subscriptionOf(database, userId, now);
  if (!row) return null;
  const period = periodOf(row);
  const premium = isPremium(period, now);
  const late = premium && row.status === 'active' && period.periodEnd <= now;
  return {
    status: row.status === 'cancelled' && !premium ? 'ended' : row.status,
    provider: row.provider,
    startedAt: row.started_at,
    periodEnd: row.period_end,
    graceUntil: late ? (premiumUntil(period)?.toISOString() ?? null) : null,
    premium,
  };
}

/** Returns each payment with its sales. */
async function paymentsOf(database: Database, userId: string): Promise<object[]> {
  const payments = await database
    .selectFrom('payments')
    .select(['provider', 'reference', 'status', 'amount', 'currency', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const sales = await database
    .selectFrom('sales')
    .innerJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.provider', '=', 'sales.provider')
        .onRef('subscriptions.reference', '=', 'sales.reference'),
    )
    .select(['sales.reference', 'sales.amount', 'sales.currency', 'paid_at'])
    .where('subscriptions.user_id', '=', userId)
    .orderBy('paid_at')
    .execute();
  return payments.map(({ created_at, ...payment }) => ({
    ...payment,
    createdAt: created_at,
    collected: sales
      .filter(({ reference }) => reference === payment.reference)
      .map(({ amount, currency, paid_at }) => ({ amount, currency, paidAt: paid_at })),
  }));
}

/** Removes the user from payment records of a deleted account. */
async function anonymize(database: Database, userId: string): Promise<void> {
  await withTransaction(database, async (transaction) => {
    await transaction
      .updateTable('subscriptions')
      .set({ user_id: null, status: 'ended' })
      .where('user_id', '=', userId)
      .execute();
    await transaction
      .updateTable('payments')
      .set({ user_id: null, registration_id: null, open_key: null })
      .where('user_id', '=', userId)
      .execute();
  });
}
