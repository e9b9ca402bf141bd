import { AppError, createError } from '../http/errors.ts';

/**
 * The same error for names of accounts and of registrations, so that it does not reveal which. It explains what the owner of a
 * registration can do.
 */
export const usernameTaken = () =>
  createError(
    'accounts.username_taken',
    'This username is already taken. Please choose another. If it is yours and not paid for yet, go on in the browser where you registered, or register here with the same email address and password; without a payment it is free again after 24 hours.',
  );

export function isUsernameTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'accounts.username_taken';
}

/** Only for a caller who has proven that the registration is theirs. */
export const paymentUnderWay = () =>
  createError(
    'accounts.payment_under_way',
    'A payment for this registration was started in another browser and may still arrive. Please finish it there, or look for our mail. If you gave it up, register with another username here, or with this one after three days.',
  );

/** Only for a caller who has proven that the registration is theirs. */
export const alreadyRegistered = () =>
  createError(
    'accounts.already_registered',
    'Your payment has arrived and your account is ready. Please sign in.',
  );

export const registrationPaid = () =>
  createError(
    'accounts.registration_paid',
    'Your payment has arrived, so this registration cannot be dropped. Choose another username or address to finish it.',
  );

export const registrationUnavailable = () =>
  createError(
    'accounts.registration_unavailable',
    'Registration is not possible at the moment, because payment is not set up on this server.',
  );

export const signInProviderMissing = () =>
  createError('accounts.sign_in_provider_missing', 'Third-party sign-in is not set up on this server.');
