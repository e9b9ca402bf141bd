import type { IncomingHttpHeaders } from 'node:http';
import type { SubscriptionPeriod } from './period.ts';

export interface ProviderState extends SubscriptionPeriod {
  reference: string;
  /** Our payment id, as stored at the provider; null without one. */
  paymentId: string | null;
  /** Whether plan, amount and currency are those of our premium plan. */
  isOurPlan: boolean;
  /** Whether money was taken or is guaranteed by the provider. Required for premium. */
  paid: boolean;
  /** Whether the payer of an unpaid subscription cancelled or can no longer pay. */
  abandoned: boolean;
  startedAt: Date;
  payerEmail: string | null;
  /** The latest payment. */
  lastPayment: { amount: string; currency: string; at: Date } | null;
}

export interface StartRequest {
  /** Our own id. The provider stores it, and a repeated start with it creates no second subscription. */
  paymentId: string;
  email: string;
  /** Addresses to which the payer's browser returns after approving or cancelling. */
  returnUrl: string;
  cancelUrl: string;
}

export type Started = { approvalUrl: string; reference: string } | { done: ProviderState };

/** A signed event of the provider. It is only a trigger: the server then reads the state from the provider. */
export interface ProviderEvent {
  /** The provider's id, the same for repeated deliveries. */
  id: string;
  type: string;
  /** Undefined if the event is not about a subscription. */
  reference: string | undefined;
  sale: { id: string; amount: string; currency: string; at: Date } | undefined;
  /** Whether the latest payment was fully refunded. */
  refunded: boolean;
}

export interface PaymentProvider {
  readonly name: 'paypal' | 'demo';
  /** Idempotent. @throws {AppError} `billing.provider_failed` */
  start(request: StartRequest): Promise<Started>;
  /** Undefined if the subscription does not exist (any more). */
  read(reference: string): Promise<ProviderState | undefined>;
  cancel(reference: string, reason: string): Promise<void>;
  /** @throws {AppError} `billing.forged_event` for an invalid signature. `body`: the raw bytes. */
  event(headers: IncomingHttpHeaders, body: string): Promise<ProviderEvent>;
}

export interface Providers {
  paypal: PaymentProvider | undefined;
  demo: PaymentProvider;
}

/** Undefined for granted premium, and if the provider is not configured. */
export function providerOf(
  providers: Providers,
  name: PaymentProvider['name'] | 'granted',
): PaymentProvider | undefined {
  return name === 'granted' ? undefined : providers[name];
}
