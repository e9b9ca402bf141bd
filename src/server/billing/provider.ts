import type { IncomingHttpHeaders } from 'node:http';
import type { SubscriptionPeriod } from './period.ts';

export interface ProviderState extends SubscriptionPeriod {
  reference: string;
  /** The payment that it was made for, as the provider stored it; null when it carries none. */
  paymentId: string | null;
  /** False when plan, amount or currency are not those that we sell. */
  asSold: boolean;
  /** Money was taken, or the provider vouches for it. Until then it gives no premium. */
  paid: boolean;
  /** The payer gave up, or never will pay; only while it is not paid. */
  abandoned: boolean;
  startedAt: Date;
  payerEmail: string | null;
  /** The latest payment. */
  lastPayment: { amount: string; currency: string; at: Date } | null;
}

export interface StartRequest {
  /** Ours; the provider keeps it, and a repeated start with it makes no second subscription. */
  paymentId: string;
  email: string;
  /** Where the payer's browser comes back to, after approving or giving up. */
  returnUrl: string;
  cancelUrl: string;
}

export type Started = { approvalUrl: string; reference: string } | { done: ProviderState };

/** An event that the provider has signed. It only says where to look: the facts are read from the provider. */
export interface ProviderEvent {
  /** The provider's; a repeated delivery has the same. */
  id: string;
  type: string;
  /** Undefined when the event concerns no subscription. */
  reference: string | undefined;
  sale: { id: string; amount: string; currency: string; at: Date } | undefined;
  /** The whole of the latest payment was given back. */
  refunded: boolean;
}

export interface PaymentProvider {
  readonly name: 'paypal' | 'demo';
  /** @throws {AppError} `billing.provider_failed`; the same call may then be repeated. */
  start(request: StartRequest): Promise<Started>;
  /** Undefined when the provider knows no such subscription (any more). */
  read(reference: string): Promise<ProviderState | undefined>;
  cancel(reference: string, reason: string): Promise<void>;
  /** @throws {AppError} `billing.forged_event` when the signature is not the provider's. `body`: the bytes as they came. */
  event(headers: IncomingHttpHeaders, body: string): Promise<ProviderEvent>;
}

export interface Providers {
  paypal: PaymentProvider | undefined;
  demo: PaymentProvider;
}

/** Undefined for premium that was given away, and while the provider is not configured. */
export function providerOf(
  providers: Providers,
  name: PaymentProvider['name'] | 'granted',
): PaymentProvider | undefined {
  return name === 'granted' ? undefined : providers[name];
}
