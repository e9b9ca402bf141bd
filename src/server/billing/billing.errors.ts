import { longDate } from '#contract/long-date';
import { createError } from '../http/errors.ts';

export const emailRequired = () =>
  createError(
    'billing.email_required',
    'no address in the payment',
    'Please enter your email address to continue with payment.',
  );

export const wrongPrice = () =>
  createError(
    'billing.wrong_price',
    'the payment names another amount or currency',
    'The price has changed. Please reload the page and try again.',
  );

export const nothingToPayFor = () =>
  createError(
    'billing.nothing_to_pay_for',
    'this browser has neither a session nor a registration',
    'Please register first: a payment needs an account that it is for.',
  );

export const otherAddress = () =>
  createError(
    'billing.other_address',
    'the address is not that of the account paid for',
    'This is not the email address of the account that you are paying for.',
  );

/** `periodEnd`: as the account page shows it. */
export const alreadyPremium = (periodEnd: Date) =>
  createError(
    'billing.already_premium',
    'the account has premium',
    `You already have premium: it is paid until ${longDate(periodEnd)}. Nothing was charged.`,
  );

export const alreadyPaidFor = () =>
  createError(
    'billing.already_paid_for',
    'the payment waits to be claimed',
    'Your payment has arrived. Choose a username and an address to finish your registration.',
  );

export const registrationLapsed = () =>
  createError(
    'billing.registration_lapsed',
    'the name or the address was taken meanwhile',
    'The username or email address has been taken meanwhile. Please register again.',
  );

export const paymentsUnavailable = () =>
  createError(
    'billing.unavailable',
    'no payment provider is configured',
    'Payment is not set up on this server.',
  );

export const providerFailed = (message: string, cause?: unknown) =>
  createError(
    'billing.provider_failed',
    message,
    'The payment provider could not be reached. Nothing was charged. Please try again in a moment.',
    { cause },
  );

export const tooManyEvents = (status: 429 | 503, retryAfter: number) =>
  createError(
    'billing.too_many_events',
    'more events than the provider is asked about',
    'Too many events. Please send this one again later.',
    { status, retryAfter },
  );

export const forgedEvent = () =>
  createError(
    'billing.forged_event',
    'the event is not signed by the payment provider',
    'The signature is not valid.',
  );

export const nothingToClaim = () =>
  createError(
    'billing.nothing_to_claim',
    'no payment waits to be claimed here',
    'This link has expired or was already used.',
  );

export const noSubscription = () =>
  createError(
    'billing.no_subscription',
    'there is no subscription to cancel',
    'There is no subscription to cancel.',
  );
