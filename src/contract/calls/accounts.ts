import { z } from 'zod';
import {
  accountSchema,
  changeEmailRequestSchema,
  changePasswordRequestSchema,
  deleteAccountRequestSchema,
  forgotPasswordRequestSchema,
  loginRequestSchema,
  resetPasswordRequestSchema,
  sessionsResponseSchema,
  userResponseSchema,
  verifyEmailRequestSchema,
} from '../account.ts';
import { call, DONE } from '../call.ts';
import { PASSWORD_CHECK, WEAK_PASSWORD } from '../error-codes.ts';
import {
  changeSecondFactorRequestSchema,
  confirmSecondFactorRequestSchema,
  loginSecondFactorRequestSchema,
  recoveryCodesResponseSchema,
  secondFactorStatusSchema,
  startSecondFactorRequestSchema,
  startSecondFactorResponseSchema,
} from '../second-factor.ts';

/* Accounts: signing in and out, what users may see and change about their account, and the second factor. */

/** Requires the current password. */
const PASSWORD_ERRORS = ['accounts.wrong_password', ...PASSWORD_CHECK] as const;

const CODE_ERRORS = [
  'second_factor.wrong_code',
  'second_factor.wrong_recovery_code',
  'second_factor.unreadable_secret',
  'accounts.too_many_attempts',
] as const;

export const getUser = call({
  method: 'GET',
  path: '/api/user',
  summary: 'Get the signed-in user',
  description: '401 if no one is signed in, which is not an error.',
  access: 'visitor',
  answers: { 200: userResponseSchema },
  errors: ['accounts.sign_in_required'],
});

export const login = call({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in with a username or an email address, and a password',
  description:
    'For an account with two-step sign-in the correct password is answered with 401 and requiresSecondFactor; a code must follow within ten minutes.',
  access: 'visitor',
  body: loginRequestSchema,
  answers: { 200: userResponseSchema },
  errors: [
    'accounts.wrong_credentials',
    'accounts.second_factor_required',
    'accounts.sign_in_required',
    ...PASSWORD_CHECK,
  ],
});

export const loginSecondFactor = call({
  method: 'POST',
  path: '/api/login/second-factor',
  summary: 'Finish signing in with a code',
  description: 'Either code, the six digits of the authenticator app, or recoveryCode.',
  access: 'visitor',
  body: loginSecondFactorRequestSchema,
  answers: { 200: userResponseSchema },
  errors: ['second_factor.sign_in_over', 'accounts.sign_in_required', ...CODE_ERRORS],
});

export const logout = call({
  method: 'POST',
  path: '/api/logout',
  summary: 'Sign out',
  access: 'visitor',
  answers: { 200: DONE },
});

export const forgotPassword = call({
  method: 'POST',
  path: '/api/password/forgot',
  summary: 'Request a password reset',
  description:
    'The answer is the same for known and unknown addresses. The link is mailed some seconds later; it works once, for an hour.',
  access: 'visitor',
  body: forgotPasswordRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.too_many_attempts', 'accounts.too_many_mails'],
});

export const resetPassword = call({
  method: 'POST',
  path: '/api/password/reset',
  summary: 'Reset the password with the token of a mailed link',
  description: 'Ends all sessions. API keys keep working unless they are revoked in the same call.',
  access: 'visitor',
  body: resetPasswordRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.link_spent', ...WEAK_PASSWORD, ...PASSWORD_CHECK],
});

export const getAccount = call({
  method: 'GET',
  path: '/api/account',
  summary: 'Get the account settings',
  access: 'user',
  answers: { 200: accountSchema },
});

export const verifyEmail = call({
  method: 'POST',
  path: '/api/account/verify',
  summary: 'Verify an email address with the token of a mailed link',
  description: 'Its owner must be signed in.',
  access: 'user',
  body: verifyEmailRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.link_spent', 'accounts.email_taken'],
});

export const resendVerification = call({
  method: 'POST',
  path: '/api/account/verify/resend',
  summary: 'Send the verification mail again',
  access: 'user',
  answers: { 200: DONE },
  errors: ['accounts.too_many_attempts', 'accounts.too_many_mails'],
});

export const changePassword = call({
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change or set the password',
  description:
    'currentPassword may be omitted by a user who has none. All other sessions end, and this one is replaced.',
  access: 'user',
  body: changePasswordRequestSchema,
  answers: { 200: DONE },
  errors: [...WEAK_PASSWORD, ...PASSWORD_ERRORS],
});

export const changeEmail = call({
  method: 'POST',
  path: '/api/account/email',
  summary: 'Change the email address',
  description: 'It takes effect when the link mailed to the new address is opened.',
  access: 'user',
  body: changeEmailRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.email_taken', 'accounts.too_many_mails', ...PASSWORD_ERRORS],
});

export const listSessions = call({
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'List the sessions of the user',
  access: 'user',
  answers: { 200: sessionsResponseSchema },
});

export const endSession = call({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  summary: 'End a session',
  access: 'user',
  params: z.object({ id: z.string().max(100) }),
  answers: { 200: DONE },
  errors: ['http.not_found'],
});

export const endOtherSessions = call({
  method: 'POST',
  path: '/api/account/sessions/end',
  summary: 'End all other sessions',
  access: 'user',
  answers: { 200: DONE },
});

export const takeAccountData = call({
  method: 'GET',
  path: '/api/account/data',
  summary: 'Export all data of the account',
  access: 'user',
  answers: {
    200: {
      kind: 'file',
      type: 'application/json',
      description: 'The account, and every saved text in full.',
    },
  },
});

export const deleteAccount = call({
  method: 'POST',
  path: '/api/account/delete',
  summary: 'Delete the account and all of its data',
  description: 'The username is repeated to prevent accidental deletion.',
  access: 'user',
  body: deleteAccountRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.wrong_username', 'billing.provider_failed', 'billing.unavailable', ...PASSWORD_ERRORS],
});

export const getSecondFactor = call({
  method: 'GET',
  path: '/api/account/second-factor',
  summary: 'Get the state of two-step sign-in',
  description: 'Null if it is off.',
  access: 'user',
  answers: { 200: secondFactorStatusSchema },
});

export const startSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor/start',
  summary: 'Set up two-step sign-in',
  description:
    'The answer has the secret for an authenticator app, which is shown only once. It takes effect when it is confirmed.',
  access: 'user',
  body: startSecondFactorRequestSchema,
  answers: { 200: startSecondFactorResponseSchema },
  errors: ['second_factor.already_on', ...PASSWORD_ERRORS],
});

export const confirmSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor',
  summary: 'Confirm two-step sign-in with a first code',
  description: 'The recovery codes are shown only once. All other sessions end.',
  access: 'user',
  body: confirmSecondFactorRequestSchema,
  answers: { 200: recoveryCodesResponseSchema },
  errors: ['second_factor.not_started', 'second_factor.already_on', ...CODE_ERRORS],
});

export const renewRecoveryCodes = call({
  method: 'POST',
  path: '/api/account/second-factor/recovery-codes',
  summary: 'Create new recovery codes',
  description: 'They replace the previous ones.',
  access: 'user',
  body: changeSecondFactorRequestSchema,
  answers: { 200: recoveryCodesResponseSchema },
  errors: ['second_factor.off', ...CODE_ERRORS, ...PASSWORD_ERRORS],
});

export const stopSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor/off',
  summary: 'Turn off two-step sign-in',
  access: 'user',
  body: changeSecondFactorRequestSchema,
  answers: { 200: DONE },
  errors: ['second_factor.off', ...CODE_ERRORS, ...PASSWORD_ERRORS],
});
