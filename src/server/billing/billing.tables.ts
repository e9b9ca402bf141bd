import type { ColumnDefinitionBuilder } from 'kysely';
import * as platform from '../platform/database.ts';
import { key, type Migrations, required } from '../platform/migrate.ts';

/**
 * One payment of one registration or one user: `started` → `approval` (the payer is at the provider) → `paid` (money taken,
 * but no account because the name was taken) → `applied`, or `abandoned`.
 */
export interface PaymentsTable {
  id: string;
  registration_id: string | null;
  user_id: string | null;
  provider: 'paypal' | 'demo';
  reference: string | null;
  /** Unique key that allows one open payment per registration or user; null once it is decided. */
  open_key: string | null;
  status: 'started' | 'approval' | 'paid' | 'applied' | 'abandoned';
  approval_url: string | null;
  amount: string;
  currency: string;
  created_at: string;
  /** When the provider is polled next. */
  next_check_at: string;
}

/** Kept as bookkeeping after the user is deleted, without `user_id`. */
export interface SubscriptionsTable {
  id: string;
  user_id: string | null;
  provider: 'paypal' | 'demo' | 'granted';
  reference: string;
  status: 'active' | 'cancelled' | 'ended';
  started_at: string;
  period_end: string;
  refunded_at: string | null;
  created_at: string;
  next_check_at: string;
}

export interface PaymentEventsTable {
  provider: string;
  event_id: string;
  type: string;
  applied_at: string;
}

export interface SalesTable {
  provider: string;
  sale_id: string;
  reference: string;
  amount: string;
  currency: string;
  paid_at: string;
}

export interface BillingTables {
  payments: PaymentsTable;
  subscriptions: SubscriptionsTable;
  payment_events: PaymentEventsTable;
  sales: SalesTable;
}

export type Database = platform.Database<BillingTables>;
export type Transaction = platform.Transaction<BillingTables>;

/** Types another slice's database or transaction as having the tables of this slice. */
export const withBillingTables = platform.withTables<BillingTables>();

const unique = (column: ColumnDefinitionBuilder) => column.unique();

export const billingMigrations: Migrations = {
  async '0003-billing'({ schema }) {
    await schema
      .createTable('payments')
      .addColumn('id', 'text', key)
      .addColumn('registration_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('provider', 'text', required)
      .addColumn('reference', 'text', unique)
      .addColumn('open_key', 'text', unique)
      .addColumn('status', 'text', required)
      .addColumn('approval_url', 'text')
      .addColumn('amount', 'text', required)
      .addColumn('currency', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('next_check_at', 'text', required)
      .execute();
    await schema.createIndex('payments_by_registration').on('payments').column('registration_id').execute();
    await schema
      .createIndex('payments_by_check')
      .on('payments')
      .columns(['status', 'next_check_at'])
      .execute();
    await schema
      .createTable('subscriptions')
      .addColumn('id', 'text', key)
      .addColumn('user_id', 'text')
      .addColumn('provider', 'text', required)
      .addColumn('reference', 'text', required)
      .addColumn('status', 'text', required)
      .addColumn('started_at', 'text', required)
      .addColumn('period_end', 'text', required)
      .addColumn('refunded_at', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('next_check_at', 'text', required)
      .addUniqueConstraint('subscriptions_reference', ['provider', 'reference'])
      .execute();
    await schema.createIndex('subscriptions_by_user').on('subscriptions').column('user_id').execute();
    await schema
      .createTable('payment_events')
      .addColumn('provider', 'text', required)
      .addColumn('event_id', 'text', required)
      .addColumn('type', 'text', required)
      .addColumn('applied_at', 'text', required)
      .addPrimaryKeyConstraint('payment_events_key', ['provider', 'event_id'])
      .execute();
    await schema
      .createTable('sales')
      .addColumn('provider', 'text', required)
      .addColumn('sale_id', 'text', required)
      .addColumn('reference', 'text', required)
      .addColumn('amount', 'text', required)
      .addColumn('currency', 'text', required)
      .addColumn('paid_at', 'text', required)
      .addPrimaryKeyConstraint('sales_key', ['provider', 'sale_id'])
      .execute();
  },
};
