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
const PASSWORD_ASKED = ['accounts.wrong_password', ...PASSWORD_CHECK] as const;

const CODE_ASKED = [
  'second_factor.wrong_code',
  'second_factor.wrong_recovery_code',
  'second_factor.unreadable_secret',
  'accounts.too_many_attempts',
] as const;

export const getUser = call({
  method: 'GET',
  path: '/api/user',
  summary: 'Who is signed in',
  description: '401 means that nobody is, and is no error.',
  access: 'visitor',
  answers: { 200: userResponseSchema },
  errors: ['accounts.sign_in_required'],
});

export const login = call({
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in with a username, or an address, and a password',
  description:
    'An account with two-step sign-in answers 401 with requiresSecondFactor to the right password: the browser then has ten minutes to send a code.',
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
  description: 'Either code, the six digits that the authenticator app shows, or recoveryCode.',
  access: 'visitor',
  body: loginSecondFactorRequestSchema,
  answers: { 200: userResponseSchema },
  errors: ['second_factor.sign_in_over', 'accounts.sign_in_required', ...CODE_ASKED],
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
  summary: 'Ask for a link to choose a new password',
  description:
    'The answer is the same whether or not the address is known. The link, mailed some seconds later, works once and for an hour.',
  access: 'visitor',
  body: forgotPasswordRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.too_many_attempts', 'accounts.too_many_mails'],
});

export const resetPassword = call({
  method: 'POST',
  path: '/api/password/reset',
  summary: 'Choose a new password by a mailed link',
  description: 'Signs out everywhere. API keys go on working unless they are revoked with it.',
  access: 'visitor',
  body: resetPasswordRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.link_spent', ...WEAK_PASSWORD, ...PASSWORD_CHECK],
});

export const getAccount = call({
  method: 'GET',
  path: '/api/account',
  summary: 'What the settings page shows',
  access: 'user',
  answers: { 200: accountSchema },
});

export const verifyEmail = call({
  method: 'POST',
  path: '/api/account/verify',
  summary: 'Confirm an address by a mailed link',
  description: 'By the person whose address it is, signed in.',
  access: 'user',
  body: verifyEmailRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.link_spent', 'accounts.email_taken'],
});

export const resendVerification = call({
  method: 'POST',
  path: '/api/account/verify/resend',
  summary: 'Ask for another link to confirm the address',
  access: 'user',
  answers: { 200: DONE },
  errors: ['accounts.too_many_attempts', 'accounts.too_many_mails'],
});

export const changePassword = call({
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change or set the password',
  description:
    'currentPassword may be left out by a person who has none. Other devices are signed out, and this one gets a new session.',
  access: 'user',
  body: changePasswordRequestSchema,
  answers: { 200: DONE },
  errors: [...WEAK_PASSWORD, ...PASSWORD_ASKED],
});

export const changeEmail = call({
  method: 'POST',
  path: '/api/account/email',
  summary: 'Change the address',
  description: 'It counts once the link that is mailed to it is opened.',
  access: 'user',
  body: changeEmailRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.email_taken', 'accounts.too_many_mails', ...PASSWORD_ASKED],
});

export const listSessions = call({
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'Where this person is signed in',
  access: 'user',
  answers: { 200: sessionsResponseSchema },
});

export const endSession = call({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  summary: 'End one session',
  access: 'user',
  params: z.object({ id: z.string().max(100) }),
  answers: { 200: DONE },
  errors: ['http.not_found'],
});

export const endOtherSessions = call({
  method: 'POST',
  path: '/api/account/sessions/end',
  summary: 'End every session but the one that asks',
  access: 'user',
  answers: { 200: DONE },
});

export const takeAccountData = call({
  method: 'GET',
  path: '/api/account/data',
  summary: 'Everything that is kept of a person, as a file',
  access: 'user',
  answers: {
    200: { kind: 'file', type: 'application/json', description: 'Facts, and every saved text whole.' },
  },
});

export const deleteAccount = call({
  method: 'POST',
  path: '/api/account/delete',
  summary: 'Delete the account and everything that is kept of it',
  description: 'The username is typed again, so that nobody deletes an account by a slip.',
  access: 'user',
  body: deleteAccountRequestSchema,
  answers: { 200: DONE },
  errors: ['accounts.wrong_username', 'billing.provider_failed', 'billing.unavailable', ...PASSWORD_ASKED],
});

export const getSecondFactor = call({
  method: 'GET',
  path: '/api/account/second-factor',
  summary: 'Whether two-step sign-in is on',
  description: 'Null: it is off.',
  access: 'user',
  answers: { 200: secondFactorStatusSchema },
});

export const startSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor/start',
  summary: 'Begin to set up two-step sign-in',
  description:
    'The answer is what an authenticator app needs, shown this once. It counts for nothing until it is confirmed.',
  access: 'user',
  body: startSecondFactorRequestSchema,
  answers: { 200: startSecondFactorResponseSchema },
  errors: ['second_factor.already_on', ...PASSWORD_ASKED],
});

export const confirmSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor',
  summary: 'Turn two-step sign-in on with a first code',
  description: 'The recovery codes are shown this once. Other devices are signed out.',
  access: 'user',
  body: confirmSecondFactorRequestSchema,
  answers: { 200: recoveryCodesResponseSchema },
  errors: ['second_factor.not_started', 'second_factor.already_on', ...CODE_ASKED],
});

export const renewRecoveryCodes = call({
  method: 'POST',
  path: '/api/account/second-factor/recovery-codes',
  summary: 'Get new recovery codes',
  description: 'The old ones end.',
  access: 'user',
  body: changeSecondFactorRequestSchema,
  answers: { 200: recoveryCodesResponseSchema },
  errors: ['second_factor.off', ...CODE_ASKED, ...PASSWORD_ASKED],
});

export const stopSecondFactor = call({
  method: 'POST',
  path: '/api/account/second-factor/off',
  summary: 'Turn two-step sign-in off',
  access: 'user',
  body: changeSecondFactorRequestSchema,
  answers: { 200: DONE },
  errors: ['second_factor.off', ...CODE_ASKED, ...PASSWORD_ASKED],
});
