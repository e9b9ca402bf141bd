import { AppError, createError } from '../http/errors.ts';

export const signInRequired = () => createError('accounts.sign_in_required', 'Please sign in first.');

/** The page shows a signed-in user, but the session has ended. */
export const sessionEnded = () =>
  createError('accounts.session_ended', 'You were signed out. Sign in to continue.', {
    flags: { requiresAuth: true },
  });

/** The page shows one user, but another one is signed in. */
export const signedInAsAnother = (username: string) =>
  createError(
    'accounts.signed_in_as_another',
    `This browser is signed in as ${username} now. Nothing was done; try again to go on as ${username}.`,
  );

/** One error for a wrong password and an unknown name, so that it does not reveal which names exist. */
export const wrongCredentials = () =>
  createError('accounts.wrong_credentials', 'Wrong username or password.');

/** Returned only after a correct password, so that others do not learn about the second factor. */
export const secondFactorRequired = () =>
  createError('accounts.second_factor_required', 'Please enter the code that your authenticator app shows.', {
    flags: { requiresSecondFactor: true },
  });

export const wrongPassword = () =>
  createError('accounts.wrong_password', 'The current password is not right.');

export const tooManyAttempts = (seconds: number) =>
  createError('accounts.too_many_attempts', 'Too many attempts. Please wait a few minutes and try again.', {
    retryAfter: Math.max(1, seconds),
  });

export function tooManyMails(seconds: number): AppError {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait = minutes <= 60 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return createError(
    'accounts.too_many_mails',
    `We have sent several mails already. Please look into the spam folder as well, or ask for another in ${minutes === 1 ? 'a minute' : wait}.`,
    { retryAfter: Math.max(1, seconds) },
  );
}

export function isTooManyAttempts(error: unknown): boolean {
  return error instanceof AppError && error.code === 'accounts.too_many_attempts';
}

export const emailTaken = () =>
  createError('accounts.email_taken', 'This email address already has an account. Please sign in instead.');

export const commonPassword = () =>
  createError(
    'accounts.common_password',
    'This password is one of the most common ones. Please choose another.',
  );

export const passwordIsUsername = () =>
  createError('accounts.password_is_username', 'This password is your username. Please choose another.');

export const passwordIsAddress = () =>
  createError(
    'accounts.password_is_address',
    'This password is your email address, or its first part. Please choose another.',
  );

export const passwordIsBrand = () =>
  createError(
    'accounts.password_is_brand',
    'This password is the name of this service. Please choose another.',
  );

export const passwordsBusy = () =>
  createError(
    'accounts.passwords_busy',
    'Very many people are signing in at this moment. Please try again in a few seconds.',
    { retryAfter: 5 },
  );

export const linkSpent = () =>
  createError('accounts.link_spent', 'This link has expired or was already used. Please ask for a new one.');

export const wrongUsername = () =>
  createError('accounts.wrong_username', 'Please type your username exactly as it is.');

export const lastSignIn = () =>
  createError('accounts.last_sign_in', 'Set a password first: this is your only way to sign in.');
