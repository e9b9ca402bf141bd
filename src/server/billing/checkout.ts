import type { PaymentContext, PaymentResponse } from '#contract/billing';
import { payReturn } from '#contract/calls/billing';
import { PREMIUM_PRICE } from '#contract/product';
import { emailKey } from '../accounts/username.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { Registrations } from '../registration/registration.repository.ts';
import type { PaymentOf } from '../registration/registration.service.ts';
import {
  alreadyPaidFor,
  alreadyPremium,
  nothingToPayFor,
  otherAddress,
  paymentsUnavailable,
  registrationLapsed,
  wrongPrice,
} from './billing.errors.ts';
import {
  abandonPayment,
  type Beneficiary,
  openKey,
  openPayment,
  type Payment,
  periodOf,
  subscriptionOf,
} from './billing.repository.ts';
import type { Database } from './billing.tables.ts';
import type { Fulfillment, FulfillmentOutcome, SubscriptionCanceler } from './fulfillment.ts';
import type { Payer } from './payer.ts';
import { isPremium } from './period.ts';
import { type PaymentProvider, type Providers, providerOf } from './provider.ts';

/** Starts and continues payments at the provider. */
export interface Checkout {
  /** Data of the payment dialog. `provider`: the one that this request may use. */
  context(payer: Payer, provider: PaymentProvider | undefined): Promise<PaymentContext>;
  /**
   * Starts the payment of the browser's payer, or continues the open one. Idempotent.
   * @throws {AppError} 400 for another price, 409 if there is nothing to pay, 502, 503.
   */
  start(
    payer: Payer,
    request: { email: string; amount: string; currency: string },
    provider: PaymentProvider | undefined,
  ): Promise<PaymentResponse>;
  /** Reads the state at the provider, so that a new registration does not replace a paid one. */
  paymentOf: PaymentOf;
}

interface CheckoutDependencies {
  database: Database;
  providers: Providers;
  registrations: Registrations;
  fulfillment: Fulfillment;
  cancelSubscription: SubscriptionCanceler;
  clock: Clock;
  publicUrl: string;
}

export function createCheckout(dependencies: CheckoutDependencies): Checkout {
  const { database, providers, fulfillment, cancelSubscription } = dependencies;
  return {
    context: (payer, provider) => contextOf(dependencies, payer, provider),

    async start(payer, request, provider) {
      if (request.amount !== PREMIUM_PRICE.amount || request.currency !== PREMIUM_PRICE.currency) {
        throw wrongPrice();
      }
      if (payer.kind === 'none') throw nothingToPayFor();
      const { email } = payer.kind === 'person' ? payer.person : payer.registration;
      if (emailKey(email) !== emailKey(request.email)) throw otherAddress();
      if (payer.kind === 'registration' && payer.registration.user_id !== null) {
        return { status: 'completed', kind: 'registration' };
      }
      const paid =
        payer.kind === 'registration' ? await paidPayment(database, payer.registration.id) : undefined;
      const open = paid ?? (await openPaymentOf(database, beneficiaryOf(payer)));
      const openProvider = open && providerOf(providers, open.provider);
      if (open?.status === 'started' && open.provider !== provider?.name) {
        // The payment was started with another provider, but not requested there yet.
        await abandonPayment(database, open.id);
      } else if (open && openProvider) {
        const resumed = await resume(dependencies, open, openProvider);
        if (resumed) return resumed;
      }
      if (!provider) throw paymentsUnavailable();
      const payment = await reserve(dependencies, payer, provider);
      const paymentProvider = providerOf(providers, payment.provider);
      if (!paymentProvider) throw paymentsUnavailable();
      if (payment.status === 'started') return startPayment(dependencies, payment, paymentProvider, email);
      // A parallel request of this payer has already started the payment.
      const resumed = await resume(dependencies, payment, paymentProvider);
      if (!resumed) throw registrationLapsed();
      return resumed;
    },

    async paymentOf(registrationId) {
      const payment = await openPaymentOf(database, { registrationId });
      if (!payment) return 'none';
      const provider = providerOf(providers, payment.provider);
      if (!provider || payment.reference === null || payment.status === 'paid') return 'pending';
      switch (await readAndFulfill(fulfillment, payment.id, provider, payment.reference)) {
        case 'applied':
          return 'arrived';
        case 'waiting':
        case 'unclaimed':
          return 'pending';
        case 'orphaned':
          await cancelSubscription(provider, payment.reference);
          return 'none';
        case 'abandoned':
        case 'refused':
          await abandonPayment(database, payment.id);
          return 'none';
      }
    },
  };
}

async function contextOf(
  { database, registrations }: CheckoutDependencies,
  payer: Payer,
  provider: PaymentProvider | undefined,
): Promise<PaymentContext> {
  const none = { provider: provider?.name ?? null, payingFor: null, finished: null, claim: null };
  if (payer.kind === 'none') return none;
  if (payer.kind === 'person') {
    const { username, email } = payer.person;
    const underWay = (await openPaymentOf(database, beneficiaryOf(payer))) !== undefined;
    return {
      ...none,
      payingFor: { kind: 'upgrade', username, email, keptUntil: null, underWay, lost: false },
    };
  }
  const { registration } = payer;
  const { username, email } = registration;
  if (registration.user_id !== null) return { ...none, finished: { username } };
  const conflict = await registrations.nameConflictOf(registration);
  const paid = await paidPayment(database, registration.id);
  const underWay = !paid && (await openPaymentOf(database, beneficiaryOf(payer))) !== undefined;
  return {
    ...none,
    payingFor: {
      kind: 'registration',
      username,
      email,
      keptUntil: underWay || paid ? null : registration.expires_at,
      underWay,
      lost: !paid && (conflict.usernameTaken || conflict.emailTaken),
    },
    claim: paid ? conflict : null,
  };
}

/** Creates the single open payment, if the account can be paid for. */
function reserve(
  { database, registrations, clock }: CheckoutDependencies,
  payer: KnownPayer,
  provider: PaymentProvider,
): Promise<Payment> {
  return withTransaction(database, async (transaction) => {
    const now = clock.now();
    if (payer.kind === 'person') {
      const { userId } = payer.person;
      await lockUser(transaction, userId);
      const subscription = await subscriptionOf(transaction, userId, now);
      if (subscription && isPremium(periodOf(subscription), now)) {
        throw alreadyPremium(periodOf(subscription).periodEnd);
      }
    } else if (!(await registrations.extend(transaction, payer.registration))) {
      throw registrationLapsed();
    }
    return openPayment(transaction, beneficiaryOf(payer), provider.name, PREMIUM_PRICE, now);
  });
}

async function startPayment(
  { database, fulfillment, publicUrl }: CheckoutDependencies,
  payment: Payment,
  provider: PaymentProvider,
  email: string,
): Promise<PaymentResponse> {
  const query = `payment=${payment.id}`;
  const started = await provider.start({
    paymentId: payment.id,
    email,
    returnUrl: `${publicUrl}${payReturn.path}?${query}`,
    cancelUrl: `${publicUrl}${payReturn.path}?${query}&cancelled=1`,
  });
  const done = 'done' in started;
  await database
    .updateTable('payments')
    .set({
      status: 'approval',
      reference: done ? started.done.reference : started.reference,
      approval_url: done ? null : started.approvalUrl,
    })
    .where('id', '=', payment.id)
    .where('status', '=', 'started')
    .execute();
  if (!done) return { status: 'approval', approvalUrl: started.approvalUrl };
  return completed(payment, await fulfillment.fulfill(payment.id, started.done));
}

/** Continues an open payment of this payer; undefined if a new one is needed. */
async function resume(
  { database, fulfillment }: CheckoutDependencies,
  payment: Payment,
  provider: PaymentProvider,
): Promise<PaymentResponse | undefined> {
  if (payment.reference === null) return undefined;
  const outcome = await readAndFulfill(fulfillment, payment.id, provider, payment.reference);
  if (outcome === 'waiting' && payment.approval_url !== null) {
    return { status: 'approval', approvalUrl: payment.approval_url };
  }
  if (outcome === 'applied' || outcome === 'unclaimed') return completed(payment, outcome);
  await abandonPayment(database, payment.id);
  return undefined;
}

/** Applies the payment's state at the provider. A subscription that does not exist there is `abandoned`. */
async function readAndFulfill(
  fulfillment: Fulfillment,
  paymentId: string,
  provider: PaymentProvider,
  reference: string,
): Promise<FulfillmentOutcome> {
  const state = await provider.read(reference);
  return state ? fulfillment.fulfill(paymentId, state) : 'abandoned';
}

function completed(payment: Payment, outcome: FulfillmentOutcome): PaymentResponse {
  if (outcome === 'applied') {
    return { status: 'completed', kind: payment.registration_id === null ? 'upgrade' : 'registration' };
  }
  if (outcome === 'unclaimed') throw alreadyPaidFor();
  throw registrationLapsed();
}

function paidPayment(database: Database, registrationId: string): Promise<Payment | undefined> {
  return database
    .selectFrom('payments')
    .selectAll()
    .where('registration_id', '=', registrationId)
    .where('status', '=', 'paid')
    .executeTakeFirst();
}

function openPaymentOf(database: Database, beneficiary: Beneficiary): Promise<Payment | undefined> {
  return database
    .selectFrom('payments')
    .selectAll()
    .where('open_key', '=', openKey(beneficiary))
    .executeTakeFirst();
}

type KnownPayer = Exclude<Payer, { kind: 'none' }>;

function beneficiaryOf(payer: KnownPayer): Beneficiary {
  return payer.kind === 'person'
    ? { userId: payer.person.userId }
    : { registrationId: payer.registration.id };
}
