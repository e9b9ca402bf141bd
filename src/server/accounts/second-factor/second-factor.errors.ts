import { createError } from '../../http/errors.ts';

/** `signingIn`: 401 as for a wrong password. For a signed-in user, 401 would mean that the session has ended. */
export const wrongCode = (signingIn: boolean) =>
  createError(
    'second_factor.wrong_code',
    'This code is not right, or was already used. Please enter the newest one; if it fails again, check the clock of the device that shows it.',
    { status: signingIn ? 401 : 403, ...(signingIn && { flags: { requiresSecondFactor: true } }) },
  );

export const wrongRecoveryCode = (signingIn: boolean) =>
  createError('second_factor.wrong_recovery_code', 'This recovery code is not right, or was already used.', {
    status: signingIn ? 401 : 403,
    ...(signingIn && { flags: { requiresSecondFactor: true } }),
  });

export const signInOver = () =>
  createError('second_factor.sign_in_over', 'This took too long. Please sign in with your password again.');

export const alreadyOn = () =>
  createError(
    'second_factor.already_on',
    'Two-step sign-in is already on. Turn it off first to set it up again.',
  );

export const notStarted = () =>
  createError('second_factor.not_started', 'This took too long. Please begin again, and scan the new code.');

export const secondFactorOff = () =>
  createError('second_factor.off', 'Two-step sign-in is off. Please reload the page.');

export const unreadableSecret = (cause: unknown) =>
  createError(
    'second_factor.unreadable_secret',
    'Codes cannot be checked at the moment. Please use a recovery code, or write to our support.',
    { cause },
  );
