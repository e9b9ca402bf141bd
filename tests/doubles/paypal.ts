import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type DoubleRequest, type DoubleResponse, type Fault, HttpDouble } from './http-double.ts';

/**
 * PayPal's Subscriptions API as its documentation describes it, as a server of its own: tokens, catalogue, plans,
 * subscriptions with an approval page for the payer's browser, sales, and webhooks signed over their bytes.
 * Events are kept and delivered when a test says so, in its order and as often as it says; `deliverAtOnce` sends them
 * as they come.
 */

interface Money {
  currency_code: string;
  value: string;
}

interface Plan {
  id: string;
  product_id: string;
  name: string;
  status: string;
  billing_cycles: Array<{ pricing_scheme: { fixed_price: Money } } & Record<string, unknown>>;
}

type Status = 'APPROVAL_PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';

interface Subscription {
  id: string;
  plan_id: string;
  custom_id: string | undefined;
  status: Status;
  baToken: string;
  returnUrl: string;
  cancelUrl: string;
  email: string;
  create_time: string;
  nextBilling: Date;
  failed: number;
  sales: string[];
}

interface Sale {
  id: string;
  state: string;
  subscription: string;
  amount: Money;
  time: Date;
}

export interface PayPalEvent {
  id: string;
  event_type: string;
  body: string;
}

interface PayPalDoubleOptions {
  clientId?: string;
  clientSecret?: string;
  webhookId?: string;
  now?: () => Date;
  port?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export class PayPalDouble {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  readonly events: PayPalEvent[] = [];
  readonly subscriptions = new Map<string, Subscription>();
  readonly sales = new Map<string, Sale>();
  readonly plans = new Map<string, Plan>();
  /** Where webhooks go. */
  webhookUrl: string | undefined;
  deliverAtOnce = false;
  /** Whom the approval page says is paying. */
  payerEmail = 'payer@paypal.example';

  private readonly http = new HttpDouble((request) => this.handle(request));
  private readonly now: () => Date;
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly tokens = new Set<string>();
  private readonly products = new Set<string>();
  /** Answers by `PayPal-Request-Id`: a repeated call gets the first one's. */
  private readonly repeats = new Map<string, DoubleResponse>();

  private constructor(options: PayPalDoubleOptions) {
    this.clientId = options.clientId ?? 'client';
    this.clientSecret = options.clientSecret ?? 'secret';
    this.webhookId = options.webhookId ?? 'WEBHOOK1';
    this.now = options.now ?? (() => new Date());
  }

  static async start(options: PayPalDoubleOptions = {}): Promise<PayPalDouble> {
    const double = new PayPalDouble(options);
    await double.http.listen(options.port);
    return double;
  }

  get url(): string {
    return this.http.url;
  }
  get calls(): readonly string[] {
    return this.http.calls;
  }
  fault(pattern: RegExp, fault: Fault, times?: number): void {
    this.http.fault(pattern, fault, times);
  }
  close(): Promise<void> {
    return this.http.close();
  }

  /** Settings that point the server here. */
  get env(): Record<string, string> {
    return {
      PAYPAL_CLIENT_ID: this.clientId,
      PAYPAL_CLIENT_SECRET: this.clientSecret,
      PAYPAL_WEBHOOK_ID: this.webhookId,
      PAYPAL_BASE_URL: this.url,
    };
  }

  /** Tokens that were handed out stop working, as when they expire. */
  expireTokens(): void {
    this.tokens.clear();
  }

  /** The payer approves; the first month is collected. Answers where the browser is sent. */
  approve(id: string): string {
    const subscription = this.find(id);
    if (subscription.status === 'APPROVAL_PENDING') {
      subscription.status = 'ACTIVE';
      subscription.email = this.payerEmail;
      subscription.nextBilling = this.now();
      this.emit('BILLING.SUBSCRIPTION.ACTIVATED', this.present(subscription));
      this.collect(id);
    }
    const url = new URL(subscription.returnUrl);
    url.searchParams.set('subscription_id', id);
    url.searchParams.set('ba_token', subscription.baToken);
    url.searchParams.set('token', subscription.baToken.slice(3));
    return url.href;
  }

  /** A month is collected, and the next one is due a month later. */
  collect(id: string): Sale {
    const subscription = this.find(id);
    const sale: Sale = {
      id: reference('SALE'),
      state: 'completed',
      subscription: id,
      amount: this.priceOf(subscription),
      time: this.now(),
    };
    this.sales.set(sale.id, sale);
    subscription.sales.push(sale.id);
    subscription.failed = 0;
    subscription.status = 'ACTIVE';
    const next = new Date(subscription.nextBilling);
    next.setUTCMonth(next.getUTCMonth() + 1);
    subscription.nextBilling = next;
    this.emit('PAYMENT.SALE.COMPLETED', {
      id: sale.id,
      state: 'completed',
      billing_agreement_id: id,
      amount: { total: sale.amount.value, currency: sale.amount.currency_code },
      create_time: sale.time.toISOString(),
    });
    return sale;
  }

  /** A renewal is declined; PayPal tries again five days later, and gives up after the second time. */
  failRenewal(id: string): void {
    const subscription = this.find(id);
    subscription.failed++;
    subscription.nextBilling = new Date(this.now().getTime() + 5 * DAY_MS);
    this.emit('BILLING.SUBSCRIPTION.PAYMENT.FAILED', this.present(subscription));
    if (subscription.failed < 2) return;
    subscription.status = 'SUSPENDED';
    this.emit('BILLING.SUBSCRIPTION.SUSPENDED', this.present(subscription));
  }

  /** The subscriber cancels at PayPal. */
  cancel(id: string): void {
    const subscription = this.find(id);
    subscription.status = 'CANCELLED';
    this.emit('BILLING.SUBSCRIPTION.CANCELLED', this.present(subscription));
  }

  refund(saleId: string): void {
    const sale = this.sales.get(saleId);
    if (!sale) throw new Error('no such sale');
    sale.state = 'refunded';
    this.emit('PAYMENT.SALE.REFUNDED', {
      id: reference('REFUND'),
      sale_id: saleId,
      state: 'completed',
      amount: { total: `-${sale.amount.value}`, currency: sale.amount.currency_code },
    });
  }

  /** Sends one event to the webhook, signed; `forge` spoils the signature. Answers the webhook's status. */
  async deliver(event: PayPalEvent, { forge = false } = {}): Promise<number> {
    if (!this.webhookUrl) throw new Error('no webhook is registered');
    const response = await fetch(this.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.sign(event.body, forge) },
      body: event.body,
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Headers with which PayPal signs these bytes. */
  sign(body: string, forge = false): Record<string, string> {
    const id = `${randomBytes(8).toString('hex')}-t`;
    const time = this.now().toISOString();
    const signature = sign('sha256', Buffer.from(this.signed(id, time, body)), this.keys.privateKey);
    if (forge) signature[0] = (signature[0] ?? 0) ^ 1;
    return {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': `${this.url}/v1/notifications/certs/CERT-1`,
      'paypal-transmission-id': id,
      'paypal-transmission-sig': signature.toString('base64'),
      'paypal-transmission-time': time,
    };
  }

  private signed(id: string, time: string, body: string): string {
    return `${id}|${time}|${this.webhookId}|${crc32(body)}`;
  }

  private emit(type: string, resource: unknown): void {
    const id = reference('WH');
    // Not as JSON.stringify would write it, so that verifying a rewritten event fails.
    const fields = { id, event_version: '1.0', create_time: this.now().toISOString(), event_type: type };
    const body = `${JSON.stringify(fields, null, 1).slice(0, -2)},\n "resource" : ${JSON.stringify(resource).replaceAll('/', '\\/')} }`;
    const event = { id, event_type: type, body };
    this.events.push(event);
    if (this.deliverAtOnce) void this.deliver(event).catch(() => {});
  }

  private find(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error(`no subscription ${id}`);
    return subscription;
  }

  private priceOf(subscription: Subscription): Money {
    const price = this.plans.get(subscription.plan_id)?.billing_cycles[0]?.pricing_scheme.fixed_price;
    return price ?? { currency_code: 'USD', value: '4.99' };
  }

  private present(subscription: Subscription) {
    const { id, status, plan_id, custom_id, email, create_time, nextBilling, failed } = subscription;
    const last = this.sales.get(subscription.sales.at(-1) ?? '');
    const pending = status === 'APPROVAL_PENDING';
    return {
      id,
      status,
      plan_id,
      custom_id,
      plan_overridden: false,
      quantity: '1',
      create_time,
      start_time: create_time,
      subscriber: { email_address: email },
      ...(!pending && {
        billing_info: {
          outstanding_balance: { currency_code: 'USD', value: failed > 0 ? '4.99' : '0.0' },
          failed_payments_count: failed,
          ...(status === 'ACTIVE' && { next_billing_time: nextBilling.toISOString() }),
          ...(last && { last_payment: { amount: last.amount, time: last.time.toISOString() } }),
        },
      }),
      links: [
        { href: `${this.url}/v1/billing/subscriptions/${id}`, rel: 'self', method: 'GET' },
        ...(pending
          ? [
              {
                href: `${this.url}/webapps/billing/subscriptions?ba_token=${subscription.baToken}`,
                rel: 'approve',
                method: 'GET',
              },
            ]
          : []),
      ],
    };
  }

  private handle(request: DoubleRequest): DoubleResponse {
    const { method, path } = request;
    if (path.startsWith('/webapps/')) return this.approvalPage(request);
    if (path === '/v1/oauth2/token') return this.token(request);
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!token || !this.tokens.has(token)) {
      return { status: 401, body: { error: 'invalid_token', error_description: 'Token signature failed' } };
    }
    const repeatId = request.headers['paypal-request-id'];
    const key = method === 'POST' && repeatId ? `${path} ${repeatId}` : undefined;
    const known = key && this.repeats.get(key);
    if (known) return known;
    const answer = this.api(request);
    if (key && answer.status < 400) this.repeats.set(key, answer);
    return answer;
  }

  private api({ method, path, query, body }: DoubleRequest): DoubleResponse {
    const [, , area = '', kind = '', id = '', action = ''] = path.split('/');
    const resource = `${method} ${area}/${kind}${id ? '/:id' : ''}${action ? `/${action}` : ''}`;
    switch (resource) {
      case 'GET catalogs/products/:id':
        return this.products.has(id) ? { status: 200, body: { id } } : notFound();
      case 'POST catalogs/products': {
        const product = JSON.parse(body) as { id: string };
        this.products.add(product.id);
        return { status: 201, body: product };
      }
      case 'GET billing/plans': {
        const plans = [...this.plans.values()].filter(
          ({ product_id }) => product_id === query.get('product_id'),
        );
        // As PayPal does, without the prices.
        return { status: 200, body: { plans: plans.map(({ billing_cycles: _, ...plan }) => plan) } };
      }
      case 'GET billing/plans/:id': {
        const plan = this.plans.get(id);
        return plan ? { status: 200, body: plan } : notFound();
      }
      case 'POST billing/plans': {
        const plan = { ...(JSON.parse(body) as Plan), id: reference('P') };
        this.plans.set(plan.id, plan);
        return { status: 201, body: plan };
      }
      case 'POST billing/subscriptions':
        return this.createSubscription(body);
      case 'GET billing/subscriptions/:id': {
        const subscription = this.subscriptions.get(id);
        return subscription ? { status: 200, body: this.present(subscription) } : notFound();
      }
      case 'POST billing/subscriptions/:id/cancel': {
        const subscription = this.subscriptions.get(id);
        if (!subscription) return notFound();
        if (subscription.status !== 'ACTIVE' && subscription.status !== 'SUSPENDED') {
          return problem(422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID');
        }
        this.cancel(id);
        return { status: 204 };
      }
      case 'GET payments/sale/:id': {
        const sale = this.sales.get(id);
        if (!sale) return notFound();
        return { status: 200, body: { id, state: sale.state, billing_agreement_id: sale.subscription } };
      }
      case 'POST notifications/webhooks': {
        this.webhookUrl = (JSON.parse(body) as { url: string }).url;
        return { status: 201, body: { id: this.webhookId, url: this.webhookUrl } };
      }
      case 'POST notifications/verify-webhook-signature':
        return this.verifySignature(body);
      default:
        return notFound();
    }
  }

  private token({ headers, body }: DoubleRequest): DoubleResponse {
    const wanted = `Basic ${Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64')}`;
    if (headers.authorization !== wanted || body !== 'grant_type=client_credentials') {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    const token = randomBytes(20).toString('hex');
    this.tokens.add(token);
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', app_id: 'APP-1', expires_in: 32_400 },
    };
  }

  private createSubscription(body: string): DoubleResponse {
    const wanted = JSON.parse(body) as {
      plan_id: string;
      custom_id?: string;
      subscriber?: { email_address?: string };
      application_context: { return_url: string; cancel_url: string };
    };
    if (!this.plans.has(wanted.plan_id)) return problem(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_VALUE');
    const subscription: Subscription = {
      id: reference('I'),
      plan_id: wanted.plan_id,
      custom_id: wanted.custom_id,
      status: 'APPROVAL_PENDING',
      baToken: reference('BA'),
      returnUrl: wanted.application_context.return_url,
      cancelUrl: wanted.application_context.cancel_url,
      email: wanted.subscriber?.email_address ?? '',
      create_time: this.now().toISOString(),
      nextBilling: this.now(),
      failed: 0,
      sales: [],
    };
    this.subscriptions.set(subscription.id, subscription);
    return { status: 201, body: this.present(subscription) };
  }

  /** Judges the event's bytes as they stand in the request, which is all that PayPal has. */
  private verifySignature(body: string): DoubleResponse {
    const at = body.indexOf('"webhook_event":');
    const event = body.slice(at + '"webhook_event":'.length, -1);
    const claims = JSON.parse(body) as Record<string, string>;
    const signature = Buffer.from(claims.transmission_sig ?? '', 'base64');
    const signed = this.signed(claims.transmission_id ?? '', claims.transmission_time ?? '', event);
    const valid =
      claims.webhook_id === this.webhookId &&
      verify('sha256', Buffer.from(signed), this.keys.publicKey, signature);
    return { status: 200, body: { verification_status: valid ? 'SUCCESS' : 'FAILURE' } };
  }

  /** What the payer sees in the browser. */
  private approvalPage({ method, path, query, body }: DoubleRequest): DoubleResponse {
    const token = query.get('ba_token') ?? new URLSearchParams(body).get('ba_token');
    const subscription = [...this.subscriptions.values()].find(({ baToken }) => baToken === token);
    if (!subscription) return { status: 404, body: '<h1>This agreement has expired</h1>' };
    if (method === 'GET') {
      const { value, currency_code } = this.priceOf(subscription);
      return {
        status: 200,
        body: `<!doctype html><title>PayPal</title><h1>PayPal (test double)</h1><p>${value} ${currency_code} per month</p><form method="post" action="/webapps/approve"><input type="hidden" name="ba_token" value="${token}"><button>Agree and subscribe</button></form><form method="post" action="/webapps/cancel"><input type="hidden" name="ba_token" value="${token}"><button>Cancel and return</button></form>`,
      };
    }
    const location = path === '/webapps/approve' ? this.approve(subscription.id) : subscription.cancelUrl;
    return { status: 303, headers: { location } };
  }
}

function reference(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex').toUpperCase()}`;
}

function notFound(): DoubleResponse {
  return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
}

function problem(status: number, name: string, issue: string): DoubleResponse {
  return { status, body: { name, debug_id: randomBytes(6).toString('hex'), details: [{ issue }] } };
}
