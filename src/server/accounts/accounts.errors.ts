import { AppError } from '../http/errors.ts';

export function signInRequired(): AppError {
  return new AppError('accounts.sign_in_required', 'nobody is signed in', {
    status: 401,
    userMessage: 'Please sign in first.',
  });
}

/** The page shows somebody whose session has ended. */
export function sessionEnded(): AppError {
  return new AppError('accounts.session_ended', 'the page shows a person whose session has ended', {
    status: 401,
    userMessage: 'You were signed out. Sign in to go on.',
    flags: { requiresAuth: true },
  });
}

/** The page shows one person, the session is another's. */
export function signedInAsAnother(username: string): AppError {
  return new AppError('accounts.signed_in_as_another', 'the page shows another person than is signed in', {
    status: 409,
    userMessage: `This browser is signed in as ${username} now. Nothing was done; try again to go on as ${username}.`,
  });
}

/** The same for a wrong password and for a name that does not exist. */
export function wrongCredentials(): AppError {
  return new AppError('accounts.wrong_credentials', 'username and password do not belong together', {
    status: 401,
    userMessage: 'Wrong username or password.',
  });
}

/** The password was right: only its owner learns that there is a second factor. */
export function secondFactorRequired(): AppError {
  return new AppError('accounts.second_factor_required', 'the account asks for a second factor', {
    status: 401,
    userMessage: 'Please enter the code that your authenticator app shows.',
    flags: { requiresSecondFactor: true },
  });
}

export function wrongPassword(): AppError {
  return new AppError('accounts.wrong_password', 'the current password is wrong', {
    status: 403,
    userMessage: 'The current password is not right.',
  });
}

export function tooManyAttempts(seconds: number): AppError {
  return new AppError('accounts.too_many_attempts', 'attempts are throttled', {
    status: 429,
    userMessage: 'Too many attempts. Please wait a few minutes and try again.',
    retryAfter: Math.max(1, seconds),
  });
}

export function tooManyMails(seconds: number): AppError {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait = minutes <= 60 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return new AppError('accounts.too_many_mails', 'mails to one mailbox or of one account are throttled', {
    status: 429,
    userMessage: `We have sent several mails already. Please look into the spam folder as well, or ask for another in ${minutes === 1 ? 'a minute' : wait}.`,
    retryAfter: Math.max(1, seconds),
  });
}

export function isTooManyAttempts(error: unknown): boolean {
  return error instanceof AppError && error.code === 'accounts.too_many_attempts';
}

export function emailTaken(): AppError {
  return new AppError('accounts.email_taken', 'the address belongs to an account', {
    status: 409,
    userMessage: 'This email address already has an account. Please sign in instead.',
  });
}

export function commonPassword(): AppError {
  return new AppError('accounts.common_password', 'the password is among the most common ones', {
    status: 400,
    userMessage: 'This password is one of the most common ones. Please choose another.',
  });
}

export function passwordIsUsername(): AppError {
  return new AppError('accounts.password_is_username', 'the password is the username', {
    status: 400,
    userMessage: 'This password is your username. Please choose another.',
  });
}

export function passwordIsAddress(): AppError {
  return new AppError('accounts.password_is_address', 'the password is the address or its first part', {
    status: 400,
    userMessage: 'This password is your email address, or its first part. Please choose another.',
  });
}

export function passwordIsBrand(): AppError {
  return new AppError('accounts.password_is_brand', 'the password is the name of the product', {
    status: 400,
    userMessage: 'This password is the name of this service. Please choose another.',
  });
}

export function passwordsBusy(): AppError {
  return new AppError('accounts.passwords_busy', 'too many passwords wait to be hashed', {
    status: 503,
    userMessage: 'Very many people are signing in at this moment. Please try again in a few seconds.',
    retryAfter: 5,
  });
}

export function linkSpent(): AppError {
  return new AppError('accounts.link_spent', 'the mailed token is unknown, used or expired', {
    status: 400,
    userMessage: 'This link has expired or was already used. Please ask for a new one.',
  });
}

export function wrongUsername(): AppError {
  return new AppError('accounts.wrong_username', 'the username typed again is another', {
    status: 400,
    userMessage: 'Please type your username exactly as it is.',
  });
}

export function lastSignIn(): AppError {
  return new AppError('accounts.last_sign_in', 'the only way to sign in cannot be removed', {
    status: 409,
    userMessage: 'Set a password first: this is your only way to sign in.',
  });
}
