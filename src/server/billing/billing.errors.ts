import { longDate } from '#contract/long-date';
import { AppError } from '../http/errors.ts';

export function emailRequired(): AppError {
  return new AppError('billing.email_required', 'no address in the payment', {
    status: 400,
    userMessage: 'Please enter your email address to continue with payment.',
  });
}

export function wrongPrice(): AppError {
  return new AppError('billing.wrong_price', 'the payment names another amount or currency', {
    status: 400,
    userMessage: 'The price has changed. Please reload the page and try again.',
  });
}

export function nothingToPayFor(): AppError {
  return new AppError('billing.nothing_to_pay_for', 'this browser has neither a session nor a registration', {
    status: 409,
    userMessage: 'Please register first: a payment needs an account that it is for.',
  });
}

export function otherAddress(): AppError {
  return new AppError('billing.other_address', 'the address is not that of the account paid for', {
    status: 409,
    userMessage: 'This is not the email address of the account that you are paying for.',
  });
}

/** `periodEnd`: as the account page tells it. */
export function alreadyPremium(periodEnd: Date): AppError {
  return new AppError('billing.already_premium', 'the account has premium', {
    status: 409,
    userMessage: `You already have premium: it is paid until ${longDate(periodEnd)}. Nothing was charged.`,
  });
}

export function alreadyPaidFor(): AppError {
  return new AppError('billing.already_paid_for', 'the payment waits to be claimed', {
    status: 409,
    userMessage: 'Your payment has arrived. Choose a username and an address to finish your registration.',
  });
}

export function registrationLapsed(): AppError {
  return new AppError('billing.registration_lapsed', 'the name or the address was taken meanwhile', {
    status: 409,
    userMessage: 'The username or email address has been taken meanwhile. Please register again.',
  });
}

export function paymentsUnavailable(): AppError {
  return new AppError('billing.unavailable', 'no payment provider is configured', {
    status: 503,
    userMessage: 'Payment is not set up on this server.',
  });
}

export function providerFailed(message: string, cause?: unknown): AppError {
  return new AppError('billing.provider_failed', message, {
    status: 502,
    userMessage:
      'The payment provider could not be reached. Nothing was charged. Please try again in a moment.',
    cause,
  });
}

export function tooManyEvents(status: 429 | 503, retryAfter: number): AppError {
  return new AppError('billing.too_many_events', 'more events than the provider is asked about', {
    status,
    userMessage: 'Too many events. Please send this one again later.',
    retryAfter,
  });
}

export function forgedEvent(): AppError {
  return new AppError('billing.forged_event', 'the event is not signed by the payment provider', {
    status: 400,
    userMessage: 'The signature is not valid.',
  });
}

export function nothingToClaim(): AppError {
  return new AppError('billing.nothing_to_claim', 'no payment waits to be claimed here', {
    status: 400,
    userMessage: 'This link has expired or was already used.',
  });
}

export function noSubscription(): AppError {
  return new AppError('billing.no_subscription', 'there is no subscription to cancel', {
    status: 409,
    userMessage: 'There is no subscription to cancel.',
  });
}
