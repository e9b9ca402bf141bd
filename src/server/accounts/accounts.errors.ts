import { AppError, createError } from '../http/errors.ts';

export const signInRequired = () =>
  createError('accounts.sign_in_required', 'nobody is signed in', 'Please sign in first.');

/** The page shows a user whose session has ended. */
export const sessionEnded = () =>
  createError(
    'accounts.session_ended',
    'the page shows a person whose session has ended',
    'You were signed out. Sign in to go on.',
    { flags: { requiresAuth: true } },
  );

/** The page shows one person, the session is another's. */
export const signedInAsAnother = (username: string) =>
  createError(
    'accounts.signed_in_as_another',
    'the page shows another person than is signed in',
    `This browser is signed in as ${username} now. Nothing was done; try again to go on as ${username}.`,
  );

/** The same for a wrong password and for a name that does not exist. */
export const wrongCredentials = () =>
  createError(
    'accounts.wrong_credentials',
    'username and password do not belong together',
    'Wrong username or password.',
  );

/** The password was right: only its owner learns that there is a second factor. */
export const secondFactorRequired = () =>
  createError(
    'accounts.second_factor_required',
    'the account asks for a second factor',
    'Please enter the code that your authenticator app shows.',
    { flags: { requiresSecondFactor: true } },
  );

export const wrongPassword = () =>
  createError(
    'accounts.wrong_password',
    'the current password is wrong',
    'The current password is not right.',
  );

export const tooManyAttempts = (seconds: number) =>
  createError(
    'accounts.too_many_attempts',
    'attempts are throttled',
    'Too many attempts. Please wait a few minutes and try again.',
    { retryAfter: Math.max(1, seconds) },
  );

export function tooManyMails(seconds: number): AppError {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait = minutes <= 60 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return createError(
    'accounts.too_many_mails',
    'mails to one mailbox or of one account are throttled',
    `We have sent several mails already. Please look into the spam folder as well, or ask for another in ${minutes === 1 ? 'a minute' : wait}.`,
    { retryAfter: Math.max(1, seconds) },
  );
}

export function isTooManyAttempts(error: unknown): boolean {
  return error instanceof AppError && error.code === 'accounts.too_many_attempts';
}

export const emailTaken = () =>
  createError(
    'accounts.email_taken',
    'the address belongs to an account',
    'This email address already has an account. Please sign in instead.',
  );

export const commonPassword = () =>
  createError(
    'accounts.common_password',
    'the password is among the most common ones',
    'This password is one of the most common ones. Please choose another.',
  );

export const passwordIsUsername = () =>
  createError(
    'accounts.password_is_username',
    'the password is the username',
    'This password is your username. Please choose another.',
  );

export const passwordIsAddress = () =>
  createError(
    'accounts.password_is_address',
    'the password is the address or its first part',
    'This password is your email address, or its first part. Please choose another.',
  );

export const passwordIsBrand = () =>
  createError(
    'accounts.password_is_brand',
    'the password is the name of the product',
    'This password is the name of this service. Please choose another.',
  );

export const passwordsBusy = () =>
  createError(
    'accounts.passwords_busy',
    'too many passwords wait to be hashed',
    'Very many people are signing in at this moment. Please try again in a few seconds.',
    { retryAfter: 5 },
  );

export const linkSpent = () =>
  createError(
    'accounts.link_spent',
    'the mailed token is unknown, used or expired',
    'This link has expired or was already used. Please ask for a new one.',
  );

export const wrongUsername = () =>
  createError(
    'accounts.wrong_username',
    'the username typed again is another',
    'Please type your username exactly as it is.',
  );

export const lastSignIn = () =>
  createError(
    'accounts.last_sign_in',
    'the only way to sign in cannot be removed',
    'Set a password first: this is your only way to sign in.',
  );
