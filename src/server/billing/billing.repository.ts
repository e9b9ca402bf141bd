import { randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import type { RegistrationPayments } from '../registration/registration.repository.ts';
import {
  type BillingTables,
  type Database,
  type PaymentsTable,
  type SubscriptionsTable,
  type Transaction,
  withBillingTables,
} from './billing.tables.ts';
import { isPremium, mergePeriods } from './period.ts';
import type { ProviderState } from './provider.ts';

export type Payment = PaymentsTable;
export type Subscription = SubscriptionsTable;

/** The account or registration that a payment is for. */
export type Beneficiary = { registrationId: string } | { userId: string };

/** Unique key that allows one open payment per beneficiary. */
export function openKey(beneficiary: Beneficiary): string {
  return 'userId' in beneficiary
    ? `user:${beneficiary.userId}`
    : `registration:${beneficiary.registrationId}`;
}

/** The open payment of this beneficiary, created if needed. Parallel calls get the same one. */
export async function openPayment(
  transaction: Transaction,
  beneficiary: Beneficiary,
  provider: Payment['provider'],
  price: { amount: string; currency: string },
  now: Date,
): Promise<Payment> {
  const open_key = openKey(beneficiary);
  await transaction
    .insertInto('payments')
    .values({
      id: randomUUID(),
      registration_id: 'registrationId' in beneficiary ? beneficiary.registrationId : null,
      user_id: 'userId' in beneficiary ? beneficiary.userId : null,
      provider,
      reference: null,
      open_key,
      status: 'started',
      approval_url: null,
      ...price,
      created_at: now.toISOString(),
      next_check_at: nextCheck(now, now),
    })
    .onConflict((conflict) => conflict.column('open_key').doNothing())
    .execute();
  return transaction
    .selectFrom('payments')
    .selectAll()
    .where('open_key', '=', open_key)
    .executeTakeFirstOrThrow();
}

/** Polling interval of a payment: a tenth of its age, between a minute and an hour. */
export function nextCheck(createdAt: Date, now: Date): string {
  const age = now.getTime() - createdAt.getTime();
  const delay = Math.min(Math.max(age / 10, 60_000), 60 * 60_000);
  return new Date(now.getTime() + delay).toISOString();
}

export function lockPayment(transaction: Transaction, id: string): Promise<Payment | undefined> {
  return transaction
    .updateTable('payments')
    .set({ id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function updatePayment(
  transaction: Database | Transaction,
  id: string,
  change: Partial<Omit<Payment, 'id'>>,
): Promise<void> {
  await transaction.updateTable('payments').set(change).where('id', '=', id).execute();
}

/** The beneficiary may then start another payment. */
export function abandonPayment(database: Database | Transaction, id: string): Promise<void> {
  return updatePayment(database, id, { status: 'abandoned', open_key: null });
}

export interface MergedSubscription {
  subscription: Subscription;
  /** The previously stored state; undefined for a new subscription. */
  before: Subscription | undefined;
}

/** Merges a provider state into the stored state; the order of the calls does not matter. Locks the subscription's row. */
export async function mergeProviderState(
  transaction: Transaction,
  provider: Subscription['provider'],
  reading: ProviderState,
  now: Date,
): Promise<MergedSubscription> {
  const created = await transaction
    .insertInto('subscriptions')
    .values({
      id: randomUUID(),
      user_id: null,
      provider,
      reference: reading.reference,
      status: reading.status,
      started_at: reading.startedAt.toISOString(),
      period_end: reading.periodEnd.toISOString(),
      refunded_at: null,
      created_at: now.toISOString(),
      next_check_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'reference']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created) return { subscription: created, before: undefined };

  const before = await transaction
    .updateTable('subscriptions')
    .set({ provider })
    .where('provider', '=', provider)
    .where('reference', '=', reading.reference)
    .returningAll()
    .executeTakeFirstOrThrow();
  const period = mergePeriods(periodOf(before), reading);
  const subscription = await transaction
    .updateTable('subscriptions')
    .set({ status: period.status, period_end: period.periodEnd.toISOString() })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { subscription, before };
}

export function periodOf(row: Pick<Subscription, 'status' | 'period_end'>) {
  return { status: row.status, periodEnd: new Date(row.period_end) };
}

/** The user's effective subscription: one that gives premium now, else the latest. */
export async function subscriptionOf(
  database: Database | Transaction,
  userId: string,
  now: Date,
): Promise<Subscription | undefined> {
  const rows = await database
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('period_end', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
  return rows.find((row) => isPremium(periodOf(row), now)) ?? rows[0];
}

export async function recordSale(
  transaction: Transaction,
  provider: string,
  reference: string,
  sale: { id: string; amount: string; currency: string; at: Date },
): Promise<boolean> {
  const recorded = await transaction
    .insertInto('sales')
    .values({
      provider,
      sale_id: sale.id,
      reference,
      amount: sale.amount,
      currency: sale.currency,
      paid_at: sale.at.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'sale_id']).doNothing())
    .returning('sale_id')
    .executeTakeFirst();
  return recorded !== undefined;
}

const paymentsFor = (registration: Parameters<RegistrationPayments['isOpen']>[0]) =>
  expressionBuilder<BillingTables>()
    .selectFrom('payments')
    .select('payments.id')
    .where('payments.registration_id', '=', registration);

/** SQL expressions about a registration's payments, for statements of the registration slice. */
export const registrationPayments: RegistrationPayments = {
  isOpen(registration) {
    return expressionBuilder<BillingTables>().exists(
      paymentsFor(registration).where('payments.open_key', 'is not', null),
    );
  },

  startedSince(registration, since) {
    return expressionBuilder<BillingTables>().exists(
      paymentsFor(registration).where('payments.created_at', '>', since.toISOString()),
    );
  },

  async has(transaction, registrationId, ...stages) {
    let query = withBillingTables(transaction)
      .selectFrom('payments')
      .select('id')
      .where('registration_id', '=', registrationId);
    if (stages.length > 0)
      query = query.where(
        'status',
        'in',
        stages.flatMap((stage) => STATUSES[stage]),
      );
    return (await query.executeTakeFirst()) !== undefined;
  },
};

const STATUSES = {
  open: ['started', 'approval'],
  paid: ['paid'],
} satisfies Record<string, Array<Payment['status']>>;
