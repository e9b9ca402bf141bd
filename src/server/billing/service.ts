import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PAYMENT_RETURNS, PaymentContext, PaymentResponse, SubscriptionState } from '#contract/billing';
import { PREMIUM_PRICE } from '#contract/limits';
import { emailTaken, usernameTaken } from '../accounts/errors.ts';
import { redeemMailToken } from '../accounts/mail-tokens.ts';
import { isEmailTaken, type Registration, reviseRegistration } from '../accounts/registrations.ts';
import { lockUser } from '../accounts/repository.ts';
import type { SignedIn } from '../accounts/sessions.ts';
import { emailKey, usernameKey } from '../accounts/username.ts';
import { type Database, type Transaction, withTransaction } from '../database/database.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail-queue.ts';
import { hashToken } from '../platform/token.ts';
import {
  alreadyPaidFor,
  alreadyPremium,
  noSubscription,
  nothingToClaim,
  nothingToPayFor,
  otherAddress,
  paymentsUnavailable,
  registrationLapsed,
  wrongPrice,
} from './errors.ts';
import { cancellationMail } from './mails.ts';
import { billingMonth, isPremium, premiumUntil } from './period.ts';
import type { PaymentProvider } from './provider.ts';
import {
  nextCheck,
  openKey,
  openPayment,
  type Payment,
  type Subscription,
  standingOf,
  subscriptionOf,
  updatePayment,
} from './repository.ts';
import { createSettlement, type Outcome } from './settlement.ts';

/** Who sits at the browser: a session comes before a registration that waits there. */
export interface Payer {
  person: SignedIn | null;
  registration: Registration | undefined;
}

export interface BillingDependencies {
  database: Database;
  providers: { paypal: PaymentProvider | undefined; demo: PaymentProvider };
  mails: MailQueue;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
}

export type BillingService = ReturnType<typeof createBillingService>;
export type PaymentReturn = keyof typeof PAYMENT_RETURNS;

/** Where PayPal sends the payer's browser back to. */
export const RETURN_PATH = '/api/payment/paypal/return';

const HOUR_MS = 60 * 60 * 1000;
/** A payer who has not approved by then has given up; should they approve all the same, the webhook tells. */
const APPROVAL_MS = 72 * HOUR_MS;
const SWEEP_SIZE = 50;

export function createBillingService(dependencies: BillingDependencies) {
  const { database, providers, mails, clock, logger, publicUrl } = dependencies;
  const settlement = createSettlement(dependencies);

  function providerOf(name: Subscription['provider']): PaymentProvider | undefined {
    return name === 'granted' ? undefined : providers[name];
  }

  /** Takes the one place for an open payment, if the account may be paid for at all. */
  function reserve(payer: Payer, provider: PaymentProvider): Promise<Payment> {
    return withTransaction(database, async (transaction) => {
      const now = clock.now();
      if (payer.person) {
        const { userId } = payer.person;
        await lockUser(transaction, userId);
        const subscription = await subscriptionOf(transaction, userId, now);
        if (subscription && isPremium(standingOf(subscription), now)) {
          throw alreadyPremium(premiumUntil(standingOf(subscription)) ?? now);
        }
        return openPayment(transaction, { userId }, provider.name, PREMIUM_PRICE, now);
      }
      const { id } = payer.registration as Registration;
      if (!(await isStillReserved(transaction, payer.registration as Registration, now))) {
        throw registrationLapsed();
      }
      return openPayment(transaction, { registrationId: id }, provider.name, PREMIUM_PRICE, now);
    });
  }

  /** Asks the provider to begin; what it answers is written down before anything is made of it. */
  async function begin(payment: Payment, provider: PaymentProvider, email: string): Promise<PaymentResponse> {
    const query = `payment=${payment.id}`;
    const started = await provider.start({
      paymentId: payment.id,
      email,
      returnUrl: `${publicUrl}${RETURN_PATH}?${query}`,
      cancelUrl: `${publicUrl}${RETURN_PATH}?${query}&cancelled=1`,
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

  async function cancelAt(subscription: Subscription, reason: string): Promise<void> {
    const provider = providerOf(subscription.provider);
    if (!provider && subscription.provider !== 'granted') throw paymentsUnavailable();
    await provider?.cancel(subscription.reference, reason);
  }

  /** Nothing may go on being collected for somebody who gets nothing for it. */
  async function stopCollecting(provider: PaymentProvider, reference: string): Promise<void> {
    logger.error({ reference }, 'a payment belongs to nobody: it is cancelled; refund it by hand');
    await provider.cancel(reference, 'The account that this was for does not exist any more.');
  }

  async function checkPayment(payment: Payment): Promise<void> {
    const now = clock.now();
    const createdAt = new Date(payment.created_at);
    await updatePayment(database, payment.id, { next_check_at: nextCheck(createdAt, now) });
    const old = now.getTime() - createdAt.getTime() > APPROVAL_MS;
    const provider = providerOf(payment.provider);
    if (payment.reference !== null && provider) {
      const reading = await provider.read(payment.reference);
      const outcome = reading ? await settlement.settle(payment.id, reading) : 'waiting';
      if (outcome === 'orphaned') await stopCollecting(provider, payment.reference);
      if (outcome !== 'waiting') return;
    }
    if (!old) return;
    await database
      .updateTable('payments')
      .set({ status: 'abandoned', open_key: null })
      .where('id', '=', payment.id)
      .where('status', 'in', ['started', 'approval'])
      .execute();
  }

  async function checkSubscription(subscription: Subscription): Promise<void> {
    await database
      .updateTable('subscriptions')
      .set({ next_check_at: new Date(clock.now().getTime() + HOUR_MS).toISOString() })
      .where('id', '=', subscription.id)
      .execute();
    const reading = await providerOf(subscription.provider)?.read(subscription.reference);
    if (reading?.asSold) await settlement.refresh(subscription.provider, reading);
  }

  return {
    /** What the payment dialog shows before money is asked for. `provider`: the one this request may use. */
    async context(payer: Payer, provider: PaymentProvider | undefined): Promise<PaymentContext> {
      const { person, registration } = payer;
      const waiting = registration?.user_id === null ? registration : undefined;
      const unclaimed = !person && waiting ? await paidPayment(database, waiting.id) : undefined;
      return {
        provider: provider?.name ?? null,
        payingFor: person
          ? { kind: 'upgrade', username: person.username, email: person.email }
          : waiting
            ? { kind: 'registration', username: waiting.username, email: waiting.email }
            : null,
        claim:
          waiting && unclaimed ? await database.transaction().execute((one) => lossOf(one, waiting)) : null,
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
      const paidFor = payer.person ?? payer.registration;
      if (!paidFor) throw nothingToPayFor();
      if (emailKey(paidFor.email) !== emailKey(request.email)) throw otherAddress();
      if (!payer.person && payer.registration?.user_id) return { status: 'completed', kind: 'registration' };
      const paid = payer.person ? undefined : await paidPayment(database, payer.registration?.id ?? '');
      const open = paid ?? (await currentPayment(database, payer));
      const own = open && providerOf(open.provider);
      if (open && own) {
        const resumed = await resume(open, own);
        if (resumed) return resumed;
      }
      if (!provider) throw paymentsUnavailable();
      const payment = await reserve(payer, provider);
      const chosen = providerOf(payment.provider);
      if (!chosen) throw paymentsUnavailable();
      if (payment.status === 'started') return begin(payment, chosen, paidFor.email);
      // Another request of this payer was faster.
      const resumed = await resume(payment, chosen);
      if (!resumed) throw registrationLapsed();
      return resumed;
    },

    /** The payer's browser is back from the provider: is what it brings this browser's, and paid? */
    async confirm(payer: Payer, paymentId: string, cancelled: boolean): Promise<PaymentReturn> {
      const payment = await database
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', paymentId)
        .executeTakeFirst();
      const own =
        payment &&
        ((payer.person !== null && payment.user_id === payer.person.userId) ||
          (payer.registration !== undefined && payment.registration_id === payer.registration.id));
      const provider = payment && providerOf(payment.provider);
      if (!own || !provider || payment.reference === null) return 'failed';
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

    async subscription(userId: string): Promise<SubscriptionState | null> {
      const now = clock.now();
      const row = await subscriptionOf(database, userId, now);
      if (!row) return null;
      const premium = isPremium(standingOf(row), now);
      return {
        status: row.status === 'cancelled' && !premium ? 'ended' : row.status,
        provider: row.provider,
        startedAt: row.started_at,
        periodEnd: row.period_end,
        premium,
      };
    },

    /** The running billing month of a premium user; null for everybody else. A new subscription counts from nothing. */
    async premiumMonth(userId: string): Promise<{ subscription: string; starts: Date; ends: Date } | null> {
      const now = clock.now();
      const row = await subscriptionOf(database, userId, now);
      if (!row || !isPremium(standingOf(row), now)) return null;
      const { start, end } = billingMonth(new Date(row.started_at), now);
      return { subscription: row.id, starts: start, ends: end };
    },

    /** Nothing more is collected; premium stays until the period ends. */
    async cancel(userId: string): Promise<void> {
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
        const letter = { to: user.email, username: user.username, publicUrl };
        await mails.enqueue(transaction, cancellationMail(letter, new Date(cancelled.period_end)));
      });
      mails.wake();
    },

    /** The operator gives premium away, until a day. */
    async grant(userId: string, until: Date): Promise<void> {
      const now = clock.now().toISOString();
      await database
        .insertInto('subscriptions')
        .values({
          id: randomUUID(),
          user_id: userId,
          provider: 'granted',
          reference: randomUUID(),
          // It is not renewed, so it has the form of one that is cancelled and runs out.
          status: 'cancelled',
          started_at: now,
          period_end: until.toISOString(),
          refunded_at: null,
          created_at: now,
          next_check_at: now,
        })
        .execute();
    },

    /** The operator has given the money back: premium ends now, and nothing more is collected. */
    async markRefunded(userId: string): Promise<void> {
      const row = await subscriptionOf(database, userId, clock.now());
      if (!row || row.status === 'ended') throw noSubscription();
      if (row.status === 'active') await cancelAt(row, 'The payment was given back.');
      await database
        .updateTable('subscriptions')
        .set({ status: 'ended', refunded_at: clock.now().toISOString() })
        .where('id', '=', row.id)
        .execute();
    },

    /** Before an account goes: nothing more is collected, and what must be kept names nobody. */
    async letGo(userId: string): Promise<void> {
      const rows = await database
        .selectFrom('subscriptions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('status', '=', 'active')
        .execute();
      for (const row of rows) await cancelAt(row, 'The account was deleted.');
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
    },

    /** What a mailed claim link stands for. */
    async previewClaim(token: string) {
      return withTransaction(database, async (transaction) => {
        const { registration } = await claimOf(transaction, token, clock.now());
        return {
          ...(await lossOf(transaction, registration)),
          needsPassword: registration.password_hash === null && registration.provider === null,
        };
      });
    },

    /** Finishes a registration whose payment was taken, under another name or address. */
    async claim(
      token: string,
      choice: { username?: string | undefined; email?: string | undefined; passwordHash: string | null },
    ): Promise<void> {
      await withTransaction(database, async (transaction) => {
        const now = clock.now();
        const { payment, registration } = await claimOf(transaction, token, now);
        await redeemMailToken(transaction, 'claim', token, now);
        const revised = {
          username: choice.username ?? registration.username,
          email: choice.email ?? registration.email,
          passwordHash: choice.passwordHash ?? registration.password_hash,
        };
        if (!(await reviseRegistration(transaction, registration, revised, now))) throw usernameTaken();
        const completed = await settlement.claim(transaction, payment);
        if ('taken' in completed) throw completed.taken === 'email' ? emailTaken() : usernameTaken();
        if (!('user' in completed)) throw nothingToClaim();
      });
      mails.wake();
    },

    /**
     * Looks after what no browser and no webhook has brought to its end: payments that are open, renewals that were
     * not announced. Runs at the start, so that a payment survives whatever ended the process before.
     */
    async sweep(): Promise<void> {
      const now = clock.now().toISOString();
      const payments = await database
        .selectFrom('payments')
        .selectAll()
        .where('status', 'in', ['started', 'approval'])
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(SWEEP_SIZE)
        .execute();
      const subscriptions = await database
        .selectFrom('subscriptions')
        .selectAll()
        .where('status', '=', 'active')
        .where('period_end', '<=', now)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(SWEEP_SIZE)
        .execute();
      const guarded = async (work: Promise<void>) =>
        work.catch((error) => logger.warn({ err: error }, 'a payment could not be checked yet'));
      for (const payment of payments) await guarded(checkPayment(payment));
      for (const subscription of subscriptions) await guarded(checkSubscription(subscription));
    },

    /** Lets `sweep` look at every open payment, however recently it did. */
    async checkAllSoon(): Promise<void> {
      await database
        .updateTable('payments')
        .set({ next_check_at: clock.now().toISOString() })
        .where('status', 'in', ['started', 'approval'])
        .execute();
    },
  };
}

function completed(payment: Payment, outcome: Outcome): PaymentResponse {
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

function currentPayment(database: Database, payer: Payer): Promise<Payment | undefined> {
  const key = openKey(
    payer.person ? { userId: payer.person.userId } : { registrationId: payer.registration?.id ?? '' },
  );
  return database.selectFrom('payments').selectAll().where('open_key', '=', key).executeTakeFirst();
}

/** Whether the registration could become an account now; it is then kept for as long as its payment is open. */
async function isStillReserved(
  transaction: Transaction,
  registration: Registration,
  now: Date,
): Promise<boolean> {
  const kept = await transaction
    .updateTable('registrations')
    .set({ expires_at: new Date(now.getTime() + 24 * HOUR_MS).toISOString() })
    .where('id', '=', registration.id)
    .where('user_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  const { usernameTaken: lost, emailTaken: used } = await lossOf(transaction, registration);
  return kept !== undefined && !lost && !used;
}

/** What a registration has lost to others meanwhile. */
async function lossOf(transaction: Transaction, registration: Registration) {
  const holder = await transaction
    .selectFrom('names')
    .select('registration_id')
    .where('name_key', '=', usernameKey(registration.username))
    .executeTakeFirst();
  return {
    username: registration.username,
    email: registration.email,
    usernameTaken: holder !== undefined && holder.registration_id !== registration.id,
    emailTaken: await isEmailTaken(transaction, registration.email_key),
  };
}

async function claimOf(transaction: Transaction, token: string, now: Date) {
  const link = await transaction
    .selectFrom('mail_tokens')
    .select('payment_id')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', 'claim')
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  const payment = await transaction
    .updateTable('payments')
    .set({ status: 'paid' })
    .where('id', '=', link?.payment_id ?? '')
    .where('status', '=', 'paid')
    .returningAll()
    .executeTakeFirst();
  const registration = await transaction
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', payment?.registration_id ?? '')
    .executeTakeFirst();
  if (!payment || !registration) throw nothingToClaim();
  return { payment, registration };
}
