import { AppError } from '../../http/errors.ts';

/** `signingIn`: 401 as for a wrong password. To somebody who is signed in, 401 would mean that they are no more. */
export function wrongCode(signingIn: boolean): AppError {
  return new AppError('second_factor.wrong_code', 'the code is wrong, used or too old', {
    status: signingIn ? 401 : 403,
    userMessage:
      'This code is not right, or was already used. Please enter the newest one; if it fails again, check the clock of the device that shows it.',
    ...(signingIn && { flags: { requiresSecondFactor: true } }),
  });
}

export function wrongRecoveryCode(signingIn: boolean): AppError {
  return new AppError('second_factor.wrong_recovery_code', 'the recovery code is unknown or used', {
    status: signingIn ? 401 : 403,
    userMessage: 'This recovery code is not right, or was already used.',
    ...(signingIn && { flags: { requiresSecondFactor: true } }),
  });
}

export function signInOver(): AppError {
  return new AppError('second_factor.sign_in_over', 'no sign-in waits for a code in this browser', {
    status: 401,
    userMessage: 'This took too long. Please sign in with your password again.',
  });
}

export function alreadyOn(): AppError {
  return new AppError('second_factor.already_on', 'the second factor is on', {
    status: 409,
    userMessage: 'Two-step sign-in is on already. Turn it off first to set it up anew.',
  });
}

export function notStarted(): AppError {
  return new AppError('second_factor.not_started', 'no secret waits to be confirmed', {
    status: 409,
    userMessage: 'This took too long. Please begin again, and scan the new code.',
  });
}

export function isOff(): AppError {
  return new AppError('second_factor.off', 'the second factor is off', {
    status: 409,
    userMessage: 'Two-step sign-in is off. Please reload the page.',
  });
}

export function unreadableSecret(cause: unknown): AppError {
  return new AppError('second_factor.unreadable_secret', 'a sealed secret cannot be opened', {
    status: 503,
    userMessage:
      'Codes cannot be checked at the moment. Please use a recovery code, or write to our support.',
    cause,
  });
}
