import { AppError } from '../http/errors.ts';

/**
 * The same whoever has the name. What a registration's owner can do stands in it for everybody, so that it tells nobody
 * whether there is such a registration.
 */
export function usernameTaken(): AppError {
  return new AppError('accounts.username_taken', 'the username is taken or reserved', {
    status: 409,
    userMessage:
      'This username is already taken. Please choose another. If it is yours and not paid for yet, go on in the browser where you registered, or register here with the same email address and password; without a payment it is free again after 24 hours.',
  });
}

export function isUsernameTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'accounts.username_taken';
}

/** Only to somebody who has proven that the registration is theirs. */
export function paymentUnderWay(): AppError {
  return new AppError('accounts.payment_under_way', 'the registration has a payment that may still arrive', {
    status: 409,
    userMessage:
      'A payment for this registration was begun in another browser and may still arrive. Please finish it there, or look for our mail. If you gave it up, register with another username here, or with this one after three days.',
  });
}

/** Only to somebody who has proven that the registration is theirs. */
export function alreadyRegistered(): AppError {
  return new AppError(
    'accounts.already_registered',
    'the registration is paid for and has become an account',
    {
      status: 409,
      userMessage: 'Your payment has arrived and your account is ready. Please sign in.',
    },
  );
}

export function registrationPaid(): AppError {
  return new AppError(
    'accounts.registration_paid',
    'a registration whose payment was taken cannot be dropped',
    {
      status: 409,
      userMessage:
        'Your payment has arrived, so this registration cannot be dropped. Choose another username or address to finish it.',
    },
  );
}

export function registrationUnavailable(): AppError {
  return new AppError('accounts.registration_unavailable', 'no payment provider is configured', {
    status: 503,
    userMessage: 'Registration is not possible at the moment, because payment is not set up on this server.',
  });
}

export function signInProviderMissing(): AppError {
  return new AppError('accounts.sign_in_provider_missing', 'no sign-in provider is configured', {
    status: 503,
    userMessage: 'Third-party sign-in is not set up on this server.',
  });
}
