import { longDate } from '#contract/long-date';
import { createError } from '../http/errors.ts';

export const emailRequired = () =>
  createError('billing.email_required', 'Please enter your email address to continue with payment.');

export const wrongPrice = () =>
  createError('billing.wrong_price', 'The price has changed. Please reload the page and try again.');

export const nothingToPayFor = () =>
  createError(
    'billing.nothing_to_pay_for',
    'Please register first: a payment needs an account that it is for.',
  );

export const otherAddress = () =>
  createError(
    'billing.other_address',
    'This is not the email address of the account that you are paying for.',
  );

/** The message formats `periodEnd` like the account page does. */
export const alreadyPremium = (periodEnd: Date) =>
  createError(
    'billing.already_premium',
    `You already have premium: it is paid until ${longDate(periodEnd)}. Nothing was charged.`,
  );

export const alreadyPaidFor = () =>
  createError(
    'billing.already_paid_for',
    'Your payment has arrived. Choose a username and an address to finish your registration.',
  );

export const registrationLapsed = () =>
  createError(
    'billing.registration_lapsed',
    'The username or email address has been taken meanwhile. Please register again.',
  );

export const paymentsUnavailable = () =>
  createError('billing.unavailable', 'Payment is not set up on this server.');

export const providerFailed = (message: string, cause?: unknown) =>
  createError(
    'billing.provider_failed',
    'The payment provider could not be reached. Nothing was charged. Please try again in a moment.',
    { reason: message, cause },
  );

export const tooManyEvents = (status: 429 | 503, retryAfter: number) =>
  createError('billing.too_many_events', 'Too many events. Please send this one again later.', {
    status,
    retryAfter,
  });

export const forgedEvent = () => createError('billing.forged_event', 'The signature is not valid.');

export const nothingToClaim = () =>
  createError('billing.nothing_to_claim', 'This link has expired or was already used.');

export const noSubscription = () =>
  createError('billing.no_subscription', 'There is no subscription to cancel.');
