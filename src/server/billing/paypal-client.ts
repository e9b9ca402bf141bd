import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { providerFailed } from './billing.errors.ts';

/**
 * The calls of PayPal's REST API that a subscription needs, typed and checked. Amounts are decimal text, moments ISO 8601.
 * Each call has a time limit. A failed call that is safe to repeat (a read, or a write with an idempotency id) is repeated
 * up to twice.
 */

const moneySchema = z.object({ currency_code: z.string(), value: z.string() });

const pricingSchema = z.object({
  billing_cycles: z.array(
    z.object({
      tenure_type: z.string(),
      frequency: z.object({ interval_unit: z.string(), interval_count: z.number().default(1) }),
      pricing_scheme: z.object({ fixed_price: moneySchema.optional() }).optional(),
    }),
  ),
});

const linkSchema = z.object({ href: z.string(), rel: z.string() });

const createdSubscriptionSchema = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(linkSchema).default([]),
});

const subscriptionSchema = z.object({
  id: z.string(),
  status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
  plan_id: z.string(),
  custom_id: z.string().optional(),
  plan_overridden: z.boolean().optional(),
  quantity: z.string().optional(),
  start_time: z.string().optional(),
  create_time: z.string().optional(),
  status_update_time: z.string().optional(),
  subscriber: z.object({ email_address: z.string().optional() }).optional(),
  billing_info: z
    .object({
      outstanding_balance: moneySchema.optional(),
      failed_payments_count: z.number().default(0),
      next_billing_time: z.string().optional(),
      last_payment: z.object({ amount: moneySchema, time: z.string() }).optional(),
    })
    .optional(),
  links: z.array(linkSchema).default([]),
});
export type PayPalSubscription = z.infer<typeof subscriptionSchema>;

const saleSchema = z.object({
  id: z.string(),
  state: z.string(),
  billing_agreement_id: z.string().optional(),
});

const planSchema = z.object({ id: z.string(), status: z.string() }).extend(pricingSchema.partial().shape);
const planListSchema = z.object({
  plans: z.array(z.object({ id: z.string(), status: z.string() })).default([]),
});
const createdSchema = z.object({ id: z.string() });
const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number() });
const verificationSchema = z.object({ verification_status: z.string() });

export interface WebhookSignature {
  auth_algo: string;
  cert_url: string;
  transmission_id: string;
  transmission_sig: string;
  transmission_time: string;
}

interface PayPalClientOptions {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  timeoutMs?: number;
  retryDelayMs?: number;
}

interface PayPalRequest {
  method?: 'GET' | 'POST';
  body?: string;
  /** PayPal answers a repeated id with the result of the first call. */
  requestId?: string;
  /** Error statuses that the caller handles. */
  acceptedStatuses?: readonly number[];
}

const ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 300;

export class PayPalClient {
  readonly #deps: PayPalClientOptions;
  readonly #baseUrl: string;
  #token: { value: string; validUntil: number } | undefined;
  #fetching: Promise<string> | undefined;

  constructor(deps: PayPalClientOptions) {
    this.#deps = deps;
    this.#baseUrl = deps.baseUrl.replace(/\/$/, '');
  }

  #accessToken(): Promise<string> {
    if (this.#token && performance.now() < this.#token.validUntil) return Promise.resolve(this.#token.value);
    this.#fetching ??= this.#fetchToken().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchToken(): Promise<string> {
    const response = await this.#attempt('/v1/oauth2/token', true, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${this.#deps.clientId}:${this.#deps.clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    if (!response.ok) throw await errorOf('/v1/oauth2/token', response);
    const { access_token, expires_in } = await parseResponse(tokenSchema, response);
    // A minute early, so that the token does not expire during a request.
    this.#token = { value: access_token, validUntil: performance.now() + (expires_in - 60) * 1000 };
    return access_token;
  }

  async #call(path: string, { method = 'GET', body, requestId, acceptedStatuses = [] }: PayPalRequest = {}) {
    const send = async () =>
      this.#attempt(path, method === 'GET' || requestId !== undefined, {
        method,
        headers: {
          authorization: `Bearer ${await this.#accessToken()}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(requestId && { 'paypal-request-id': requestId }),
        },
        ...(body !== undefined && { body }),
      });
    let response = await send();
    if (response.status === 401) {
      this.#token = undefined;
      response = await send();
    }
    if (response.ok || acceptedStatuses.includes(response.status)) return response;
    throw await errorOf(path, response);
  }

  async #attempt(path: string, repeatable: boolean, init: RequestInit): Promise<Response> {
    for (let count = 1; ; count++) {
      const isLastAttempt = count === ATTEMPTS || !repeatable;
      try {
        const response = await fetch(`${this.#baseUrl}${path}`, {
          ...init,
          redirect: 'error',
          signal: AbortSignal.timeout(this.#deps.timeoutMs ?? TIMEOUT_MS),
        });
        if (isLastAttempt || (response.status < 500 && response.status !== 429)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLastAttempt) throw providerFailed(`PayPal did not answer ${withoutIds(path)}`, error);
      }
      await wait((this.#deps.retryDelayMs ?? RETRY_DELAY_MS) * 2 ** (count - 1));
    }
  }

  async createSubscription(request: {
    planId: string;
    paymentId: string;
    email: string;
    brand: string;
    returnUrl: string;
    cancelUrl: string;
  }): Promise<{ id: string; approvalUrl: string | undefined }> {
    const response = await this.#call('/v1/billing/subscriptions', {
      method: 'POST',
      requestId: request.paymentId,
      body: JSON.stringify({
        plan_id: request.planId,
        custom_id: request.paymentId,
        quantity: '1',
        subscriber: { email_address: request.email },
        application_context: {
          brand_name: request.brand,
          user_action: 'SUBSCRIBE_NOW',
          shipping_preference: 'NO_SHIPPING',
          return_url: request.returnUrl,
          cancel_url: request.cancelUrl,
        },
      }),
    });
    const created = await parseResponse(createdSubscriptionSchema, response);
    return { id: created.id, approvalUrl: created.links.find((link) => link.rel === 'approve')?.href };
  }

  /** Undefined if the subscription does not exist: PayPal deletes those that were never approved. */
  async subscription(id: string): Promise<PayPalSubscription | undefined> {
    const response = await this.#call(`/v1/billing/subscriptions/${encodeURIComponent(id)}`, {
      acceptedStatuses: [404],
    });
    if (response.status === 404) return undefined;
    return parseResponse(subscriptionSchema, response);
  }

  async cancel(id: string, reason: string): Promise<void> {
    const response = await this.#call(`/v1/billing/subscriptions/${encodeURIComponent(id)}/cancel`, {
      method: 'POST',
      requestId: `cancel-${id}`,
      body: JSON.stringify({ reason: reason.slice(0, 127) }),
      // 422: already cancelled. 404: deleted.
      acceptedStatuses: [404, 422],
    });
    await response.body?.cancel();
  }

  async sale(id: string) {
    const response = await this.#call(`/v1/payments/sale/${encodeURIComponent(id)}`, {
      acceptedStatuses: [404],
    });
    if (response.status === 404) return undefined;
    return parseResponse(saleSchema, response);
  }

  /** `event` is sent byte for byte, because PayPal signs the bytes and not the JSON value. */
  async verifyWebhook(webhookId: string, signature: WebhookSignature, event: string): Promise<boolean> {
    const envelope = JSON.stringify({ ...signature, webhook_id: webhookId });
    const response = await this.#call('/v1/notifications/verify-webhook-signature', {
      method: 'POST',
      body: `${envelope.slice(0, -1)},"webhook_event":${event}}`,
      acceptedStatuses: [400, 422],
    });
    if (!response.ok) return false;
    return (await parseResponse(verificationSchema, response)).verification_status === 'SUCCESS';
  }

  async plan(id: string) {
    const response = await this.#call(`/v1/billing/plans/${encodeURIComponent(id)}`, {
      acceptedStatuses: [404],
    });
    if (response.status === 404) return undefined;
    return parseResponse(planSchema, response);
  }

  async plansOf(productId: string): Promise<string[]> {
    const response = await this.#call(
      `/v1/billing/plans?page_size=20&product_id=${encodeURIComponent(productId)}`,
      { acceptedStatuses: [404] },
    );
    if (response.status === 404) return [];
    const { plans } = await parseResponse(planListSchema, response);
    return plans.filter((plan) => plan.status === 'ACTIVE').map((plan) => plan.id);
  }

  /** Idempotent by our own id: succeeds if the product already exists. */
  async ensureProduct(id: string, name: string, description: string): Promise<void> {
    const existing = await this.#call(`/v1/catalogs/products/${encodeURIComponent(id)}`, {
      acceptedStatuses: [404],
    });
    await existing.body?.cancel();
    if (existing.ok) return;
    const created = await this.#call('/v1/catalogs/products', {
      method: 'POST',
      requestId: `product-${id}`,
      body: JSON.stringify({ id, name, description, type: 'SERVICE', category: 'SOFTWARE' }),
    });
    await created.body?.cancel();
  }

  async createPlan(plan: {
    productId: string;
    name: string;
    amount: string;
    currency: string;
  }): Promise<string> {
    const response = await this.#call('/v1/billing/plans', {
      method: 'POST',
      requestId: `plan-${plan.productId}-${plan.amount}-${plan.currency}`,
      body: JSON.stringify({
        product_id: plan.productId,
        name: plan.name,
        status: 'ACTIVE',
        billing_cycles: [
          {
            frequency: { interval_unit: 'MONTH', interval_count: 1 },
            tenure_type: 'REGULAR',
            sequence: 1,
            total_cycles: 0,
            pricing_scheme: { fixed_price: { value: plan.amount, currency_code: plan.currency } },
          },
        ],
        payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 2 },
      }),
    });
    return (await parseResponse(createdSchema, response)).id;
  }

  async createWebhook(url: string, eventTypes: readonly string[]): Promise<string> {
    const response = await this.#call('/v1/notifications/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url, event_types: eventTypes.map((name) => ({ name })) }),
    });
    return (await parseResponse(createdSchema, response)).id;
  }
}

async function parseResponse<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
  const result = schema.safeParse(await response.json().catch(() => undefined));
  if (result.success) return result.data;
  throw providerFailed('PayPal answered in an unknown format', result.error);
}

async function errorOf(path: string, response: Response) {
  const body = z
    .object({ name: z.string().optional(), error: z.string().optional(), debug_id: z.string().optional() })
    .safeParse(await response.json().catch(() => undefined));
  const { name, error, debug_id } = body.data ?? {};
  return providerFailed(
    `PayPal answered ${withoutIds(path)} with ${response.status} ${name ?? error ?? ''} (debug id ${debug_id ?? 'none'})`,
  );
}

/** The path for logs, without ids, which identify people. */
function withoutIds(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replace(/\/(I|P|CP)-[^/]+/g, '/…')
    .replace(/\/sale\/[^/]+/g, '/sale/…');
}
