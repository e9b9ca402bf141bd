import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { BRAND, numberInWords, PREMIUM_MONTHLY_LIMIT, PREMIUM_PRICE } from '#contract/product';
import { forgedEvent, providerFailed } from './billing.errors.ts';
import type { PayPalClient, PayPalSubscription, WebhookSignature } from './paypal-client.ts';
import { addMonths } from './period.ts';
import type { PaymentProvider, ProviderEvent, ProviderState } from './provider.ts';

/** PayPal accepts our own product id, so that any process finds the product. */
const PRODUCT = {
  id: 'GLYPHLIFT-PREMIUM',
  name: `${BRAND.name} Premium`,
  description: `Image to text, ${numberInWords(PREMIUM_MONTHLY_LIMIT)} extractions per month`,
};

/** The events that the webhook needs. */
export const WEBHOOK_EVENTS = [
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.UPDATED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
] as const;

interface PayPalProviderOptions {
  client: PayPalClient;
  webhookId: string;
  /** Found or created at the first payment if left out. */
  planId: string | undefined;
}

export function createPayPalProvider({ client, webhookId, planId }: PayPalProviderOptions): PaymentProvider {
  let plan: Promise<string> | undefined = planId === undefined ? undefined : Promise.resolve(planId);
  const knownPlans = new Map<string, boolean>();

  function premiumPlan(): Promise<string> {
    plan ??= ensurePlan(client).catch((error: unknown) => {
      plan = undefined;
      throw error;
    });
    return plan;
  }

  async function hasOurPlan(subscription: PayPalSubscription): Promise<boolean> {
    if (subscription.plan_overridden || (subscription.quantity ?? '1') !== '1') return false;
    const paid = subscription.billing_info?.last_payment?.amount;
    if (paid && !isPrice(paid)) return false;
    const known = knownPlans.get(subscription.plan_id);
    if (known !== undefined) return known;
    const isOurPlan =
      subscription.plan_id === (await premiumPlan()) || (await sellsPremium(client, subscription.plan_id));
    knownPlans.set(subscription.plan_id, isOurPlan);
    return isOurPlan;
  }

  return {
    name: 'paypal',

    async start({ paymentId, email, returnUrl, cancelUrl }) {
      const { id, approvalUrl } = await client.createSubscription({
        planId: await premiumPlan(),
        paymentId,
        email,
        brand: BRAND.name,
        returnUrl,
        cancelUrl,
      });
      if (!approvalUrl) throw providerFailed('PayPal returned no approval address for the subscription');
      return { approvalUrl, reference: id };
    },

    async read(reference) {
      const subscription = await client.subscription(reference);
      return subscription && toProviderState(subscription, await hasOurPlan(subscription));
    },

    cancel: (reference, reason) => client.cancel(reference, reason),

    async event(headers, body) {
      const event = parseEvent(body);
      const signature = signatureOf(headers);
      if (!event || !signature) throw forgedEvent();
      if (!(await client.verifyWebhook(webhookId, signature, body))) throw forgedEvent();
      return toEvent(client, event);
    },
  };
}

export async function ensurePlan(client: PayPalClient): Promise<string> {
  for (const id of await client.plansOf(PRODUCT.id)) {
    if (await sellsPremium(client, id)) return id;
  }
  await client.ensureProduct(PRODUCT.id, PRODUCT.name, PRODUCT.description);
  return client.createPlan({ productId: PRODUCT.id, name: 'Premium Monthly', ...PREMIUM_PRICE });
}

async function sellsPremium(client: PayPalClient, planId: string): Promise<boolean> {
  const cycles = (await client.plan(planId))?.billing_cycles ?? [];
  const [cycle] = cycles;
  const price = cycle?.pricing_scheme?.fixed_price;
  return (
    cycles.length === 1 &&
    cycle?.tenure_type === 'REGULAR' &&
    cycle.frequency.interval_unit === 'MONTH' &&
    cycle.frequency.interval_count === 1 &&
    price !== undefined &&
    isPrice(price)
  );
}

function isPrice(money: { value: string; currency_code: string }): boolean {
  return (
    money.currency_code === PREMIUM_PRICE.currency && Number(money.value) === Number(PREMIUM_PRICE.amount)
  );
}

/**
 * Meaning of PayPal's states:
 * - ACTIVE is paid until the next billing time; while a payment is overdue, that time is only PayPal's next attempt
 * - SUSPENDED (by failed payments) is active without renewal: the grace period runs out, and a later payment reactivates it
 * - CANCELLED and EXPIRED are cancelled; PayPal then returns no next billing time, so the period ends a month after the last
 *   payment
 * - APPROVAL_PENDING and APPROVED are not paid yet
 */
export function toProviderState(subscription: PayPalSubscription, isOurPlan: boolean): ProviderState {
  const { billing_info: billing, status } = subscription;
  const last = billing?.last_payment;
  const startedAt = dateOf(subscription.start_time ?? subscription.create_time);
  const hasEnded = status === 'CANCELLED' || status === 'EXPIRED';
  const isOverdue =
    (billing?.failed_payments_count ?? 0) > 0 || Number(billing?.outstanding_balance?.value ?? 0) > 0;

  const afterLastPayment = last ? addMonths(dateOf(last.time), 1) : startedAt;
  const next = billing?.next_billing_time;
  return {
    reference: subscription.id,
    paymentId: subscription.custom_id ?? null,
    isOurPlan,
    paid: status === 'ACTIVE' || last !== undefined,
    abandoned: hasEnded && last === undefined,
    status: hasEnded ? 'cancelled' : 'active',
    startedAt,
    periodEnd: status === 'ACTIVE' && next !== undefined && !isOverdue ? dateOf(next) : afterLastPayment,
    payerEmail: subscription.subscriber?.email_address ?? null,
    lastPayment: last
      ? { amount: last.amount.value, currency: last.amount.currency_code, at: dateOf(last.time) }
      : null,
  };
}

function dateOf(text: string | undefined): Date {
  const date = new Date(text ?? Number.NaN);
  if (Number.isNaN(date.getTime())) throw providerFailed('PayPal answered with an invalid date');
  return date;
}

const eventSchema = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  resource: z.looseObject({
    id: z.string().optional(),
    billing_agreement_id: z.string().optional(),
    sale_id: z.string().optional(),
    create_time: z.string().optional(),
    amount: z.looseObject({ total: z.string().optional(), currency: z.string().optional() }).optional(),
  }),
});
type PayPalEvent = z.infer<typeof eventSchema>;

function parseEvent(body: string): PayPalEvent | undefined {
  try {
    return eventSchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

async function toEvent(client: PayPalClient, event: PayPalEvent): Promise<ProviderEvent> {
  const { id, event_type: type, resource } = event;
  const noChange = { id, type, reference: undefined, sale: undefined, refunded: false };
  if (type.startsWith('BILLING.SUBSCRIPTION.')) return { ...noChange, reference: resource.id };
  if (type === 'PAYMENT.SALE.COMPLETED') {
    const { total, currency } = resource.amount ?? {};
    const known = resource.id && total && currency && resource.create_time;
    return {
      ...noChange,
      reference: resource.billing_agreement_id,
      sale: known
        ? { id: resource.id ?? '', amount: total, currency, at: dateOf(resource.create_time) }
        : undefined,
    };
  }
  if (type === 'PAYMENT.SALE.REFUNDED' || type === 'PAYMENT.SALE.REVERSED') {
    // The refund event contains only the sale's id; the sale contains the subscription and whether it was fully refunded.
    const saleId = resource.sale_id ?? resource.id;
    const sale = saleId === undefined ? undefined : await client.sale(saleId);
    const isFullRefund = sale?.state === 'refunded' || sale?.state === 'reversed';
    return { ...noChange, reference: sale?.billing_agreement_id, refunded: isFullRefund };
  }
  return noChange;
}

function signatureOf(headers: IncomingHttpHeaders): WebhookSignature | undefined {
  const result = z
    .object({
      'paypal-auth-algo': z.string().max(100),
      'paypal-cert-url': z.string().max(500),
      'paypal-transmission-id': z.string().max(50),
      'paypal-transmission-sig': z.string().max(500),
      'paypal-transmission-time': z.string().max(100),
    })
    .safeParse(headers);
  if (!result.success) return undefined;
  return {
    auth_algo: result.data['paypal-auth-algo'],
    cert_url: result.data['paypal-cert-url'],
    transmission_id: result.data['paypal-transmission-id'],
    transmission_sig: result.data['paypal-transmission-sig'],
    transmission_time: result.data['paypal-transmission-time'],
  };
}
