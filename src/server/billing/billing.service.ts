import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentContext, PaymentResponse } from '#contract/billing';
import { payReturn } from '#contract/calls/billing';
import type { PAYMENT_RETURNS } from '#contract/landings';
import { PREMIUM_PRICE } from '#contract/product';
import type { MailTemplateContext } from '../accounts/accounts.mails.ts';
import type { PasswordHasher } from '../accounts/password.ts';
import type { PersonalDataSource } from '../accounts/personal-data.ts';
import type { Throttle } from '../accounts/throttle.ts';
import { emailKey } from '../accounts/username.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Registrations } from '../registration/registration.repository.ts';
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
  type Beneficiary,
  openKey,
  openPayment,
  type Payment,
  periodOf,
  subscriptionOf,
  updatePayment,
} from './billing.repository.ts';
import type { Database } from './billing.tables.ts';
import { createUpkeep } from './billing.upkeep.ts';
import { createClaims } from './claims.ts';
import type { Payer } from './payer.ts';
import { isPremium } from './period.ts';
import { type PaymentProvider, type Providers, providerOf } from './provider.ts';
import { createSettlement, type SettlementOutcome } from './settlement.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface BillingDependencies {
  database: Database;
  providers: Providers;
  registrations: Registrations;
  mails: MailQueue;
  mailContext: MailTemplateContext;
  throttle: Throttle;
  hasher: PasswordHasher;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  publicUrl: string;
}

export type BillingService = ReturnType<typeof createBillingService>;
type Confirmed = Exclude<keyof typeof PAYMENT_RETURNS, 'required'>;

export function createBillingService(dependencies: BillingDependencies) {
  const { database, providers, registrations, clock, logger, publicUrl } = dependencies;
  const settlement = createSettlement(dependencies);

  /** Nothing may go on being collected for somebody who gets nothing for it. */
  async function stopCollecting(provider: PaymentProvider, reference: string): Promise<void> {
    logger.error({ reference }, 'a payment belongs to nobody: it is cancelled; refund it by hand');
    await provider.cancel(reference, 'The account that this was for does not exist any more.');
  }

  /** Takes the one place for an open payment, if the account may be paid for at all. */
  function reserve(payer: PayingOne, provider: PaymentProvider): Promise<Payment> {
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

  /** Asks the provider to begin; what it answers is written down before anything is made of it. */
  async function begin(payment: Payment, provider: PaymentProvider, email: string): Promise<PaymentResponse> {
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
    return completed(payment, await settlement.settle(payment.id, started.done));
  }

  /** Goes on with a payment that this payer began before: undefined when it has to begin anew. */
  async function resume(payment: Payment, provider: PaymentProvider): Promise<PaymentResponse | undefined> {
    if (payment.reference === null) return undefined;
    const reading = await provider.read(payment.reference);
    const outcome = reading ? await settlement.settle(payment.id, reading) : 'abandoned';
    if (outcome === 'waiting' && payment.approval_url !== null) {
      return { status: 'approval', approvalUrl: payment.approval_url };
    }
    if (outcome === 'applied' || outcome === 'unclaimed') return completed(payment, outcome);
    await updatePayment(database, payment.id, { status: 'abandoned', open_key: null });
    return undefined;
  }

  const upkeep = createUpkeep({ database, providers, settlement, clock, logger, stopCollecting });
  const subscriptions = createSubscriptions(dependencies);
  return {
    ...subscriptions,
    ...createClaims({ ...dependencies, settlement }),
    ...upkeep,

    personalData: {
      export: async ({ id }) => ({
        subscription: await subscriptions.subscription(id),
        payments: await subscriptions.paymentsOf(id),
      }),
      prepareDelete: (userId) => subscriptions.prepareDelete(userId),
    } satisfies PersonalDataSource,

    /** What the payment dialog shows before money is asked for. `provider`: the one this request may use. */
    async context(payer: Payer, provider: PaymentProvider | undefined): Promise<PaymentContext> {
      const none = { provider: provider?.name ?? null, payingFor: null, finished: null, claim: null };
      if (payer.kind === 'nobody') return none;
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
      const loss = await registrations.lossOf(registration);
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
          lost: !paid && (loss.usernameTaken || loss.emailTaken),
        },
        claim: paid ? loss : null,
      };
    },

    /**
     * Begins the payment of whoever sits at the browser, or goes on with the one that is open: repeating it charges
     * nothing twice.
     * @throws {AppError} 400 for another price, 409 when there is nothing to pay for, 502, 503.
     */
    async start(
      payer: Payer,
      request: { email: string; amount: string; currency: string },
      provider: PaymentProvider | undefined,
    ): Promise<PaymentResponse> {
      if (request.amount !== PREMIUM_PRICE.amount || request.currency !== PREMIUM_PRICE.currency) {
        throw wrongPrice();
      }
      if (payer.kind === 'nobody') throw nothingToPayFor();
      const { email } = payer.kind === 'person' ? payer.person : payer.registration;
      if (emailKey(email) !== emailKey(request.email)) throw otherAddress();
      if (payer.kind === 'registration' && payer.registration.user_id !== null) {
        return { status: 'completed', kind: 'registration' };
      }
      const paid =
        payer.kind === 'registration' ? await paidPayment(database, payer.registration.id) : undefined;
      const open = paid ?? (await openPaymentOf(database, beneficiaryOf(payer)));
      const own = open && providerOf(providers, open.provider);
      if (open?.status === 'started' && open.provider !== provider?.name) {
        // The server was set up differently when it began; nobody has been asked for money yet.
        await updatePayment(database, open.id, { status: 'abandoned', open_key: null });
      } else if (open && own) {
        const resumed = await resume(open, own);
        if (resumed) return resumed;
      }
      if (!provider) throw paymentsUnavailable();
      const payment = await reserve(payer, provider);
      const chosen = providerOf(providers, payment.provider);
      if (!chosen) throw paymentsUnavailable();
      if (payment.status === 'started') return begin(payment, chosen, email);
      // Another request of this payer was faster.
      const resumed = await resume(payment, chosen);
      if (!resumed) throw registrationLapsed();
      return resumed;
    },

    /**
     * What has become of the payment that a registration waits for; the provider is asked, so that nobody starts anew
     * what is paid for already.
     */
    async paymentOf(registrationId: string): Promise<'none' | 'under-way' | 'arrived'> {
      const payment = await openPaymentOf(database, { registrationId });
      if (!payment) return 'none';
      const provider = providerOf(providers, payment.provider);
      if (!provider || payment.reference === null || payment.status === 'paid') return 'under-way';
      const reading = await provider.read(payment.reference);
      const outcome = reading ? await settlement.settle(payment.id, reading) : 'abandoned';
      switch (outcome) {
        case 'applied':
          return 'arrived';
        case 'waiting':
        case 'unclaimed':
          return 'under-way';
        case 'orphaned':
          await stopCollecting(provider, payment.reference);
          return 'none';
        case 'abandoned':
        case 'refused':
          await updatePayment(database, payment.id, { status: 'abandoned', open_key: null });
          return 'none';
      }
    },

    /** A browser is back from the provider: is the payment that it brings one of `own`, and paid? */
    async confirm(own: readonly Beneficiary[], paymentId: string, cancelled: boolean): Promise<Confirmed> {
      const payment = await database
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', paymentId)
        .executeTakeFirst();
      const isOwn = payment !== undefined && own.some((beneficiary) => isFor(payment, beneficiary));
      const provider = payment && providerOf(providers, payment.provider);
      if (!isOwn || !provider || payment.reference === null) return 'failed';
      const reading = await provider.read(payment.reference);
      if (!reading) return cancelled ? 'cancelled' : 'failed';
      const outcome = await settlement.settle(payment.id, reading);
      if (outcome === 'orphaned') await stopCollecting(provider, payment.reference);
      switch (outcome) {
        case 'applied':
          return payment.registration_id === null ? 'upgraded' : 'registered';
        case 'unclaimed':
          return 'claim';
        case 'waiting':
          return cancelled ? 'cancelled' : 'waiting';
        case 'abandoned':
          return 'cancelled';
        case 'refused':
        case 'orphaned':
          return 'failed';
      }
    },

    /** A webhook. Rejects when it should be delivered again. */
    async handleEvent(provider: PaymentProvider, headers: IncomingHttpHeaders, body: string): Promise<void> {
      const event = await provider.event(headers, body);
      const known = await database
        .selectFrom('payment_events')
        .select('event_id')
        .where('provider', '=', provider.name)
        .where('event_id', '=', event.id)
        .executeTakeFirst();
      if (known) return;
      const reading = event.reference === undefined ? undefined : await provider.read(event.reference);
      if (reading) {
        if (event.refunded) await provider.cancel(reading.reference, 'The payment was given back.');
        if (reading.paymentId !== null) {
          const outcome = await settlement.settle(reading.paymentId, reading);
          if (outcome === 'orphaned') await stopCollecting(provider, reading.reference);
        }
      }
      await settlement.record(provider.name, event, reading?.asSold ? event.sale : undefined);
      logger.info({ event: event.id, type: event.type }, 'a payment event was applied');
    },
  };
}

function completed(payment: Payment, outcome: SettlementOutcome): PaymentResponse {
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

/** Somebody there is something to pay for. */
type PayingOne = Exclude<Payer, { kind: 'nobody' }>;

function beneficiaryOf(payer: PayingOne): Beneficiary {
  return payer.kind === 'person'
    ? { userId: payer.person.userId }
    : { registrationId: payer.registration.id };
}

function isFor(payment: Payment, beneficiary: Beneficiary): boolean {
  return 'userId' in beneficiary
    ? payment.user_id === beneficiary.userId
    : payment.registration_id === beneficiary.registrationId;
}
