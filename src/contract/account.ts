import { z } from 'zod';
import {
  ACCOUNT_MESSAGES,
  EMAIL_FORM,
  EMAIL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  USERNAME_FORM,
} from './account-rules.ts';

const required = z.string({ error: ACCOUNT_MESSAGES.fillAll });
const filled = required.min(1, { error: ACCOUNT_MESSAGES.fillAll, abort: true });

export const usernameSchema = required
  .trim()
  .min(1, { error: ACCOUNT_MESSAGES.fillAll, abort: true })
  .normalize('NFKC')
  .regex(USERNAME_FORM, { error: ACCOUNT_MESSAGES.usernameForm });

export const emailSchema = required
  .trim()
  .min(1, { error: ACCOUNT_MESSAGES.fillAll, abort: true })
  .max(EMAIL_MAX_LENGTH, { error: ACCOUNT_MESSAGES.emailForm, abort: true })
  .pipe(z.email({ pattern: EMAIL_FORM, error: ACCOUNT_MESSAGES.emailForm }));

/** Normalized by NFKC before counting and hashing. */
export const newPasswordSchema = filled
  .normalize('NFKC')
  .min(PASSWORD_MIN_LENGTH, { error: ACCOUNT_MESSAGES.passwordShort })
  .max(PASSWORD_MAX_LENGTH, { error: ACCOUNT_MESSAGES.passwordLong });

/** A current password, without a minimum length. */
export const presentedPasswordSchema = filled.max(PASSWORD_MAX_LENGTH * 4);

export const currentPasswordSchema = presentedPasswordSchema
  .optional()
  .describe('Required if the account has a password.');

export const registerRequestSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});

/** The 402 of `POST /api/register`: the registration is stored for this browser until it is paid. */
export const registrationPendingSchema = z.object({
  error: z.string(),
  code: z.literal('accounts.payment_required'),
  requiresPayment: z.literal(true),
  email: z.string(),
});

/** `POST /api/login`. The username may be the account's address. */
export const loginRequestSchema = z.object({
  username: required.trim().min(1, { error: ACCOUNT_MESSAGES.fillAll }).max(EMAIL_MAX_LENGTH),
  password: presentedPasswordSchema,
});

const tokenSchema = z.string().min(1).max(200);

/** `POST /api/password/forgot`: answers 200 whether or not the address is known. */
export const forgotPasswordRequestSchema = z.object({ email: emailSchema });

/** `POST /api/password/reset`: the mailed link works once and for an hour. */
export const resetPasswordRequestSchema = z.object({
  token: tokenSchema,
  password: newPasswordSchema,
  revokeKeys: z
    .boolean()
    .default(false)
    .describe('Whether all API keys are revoked too, in case the account was compromised.'),
});

/** `POST /api/account/verify`: requires the signed-in user of the address. */
export const verifyEmailRequestSchema = z.object({ token: tokenSchema });

export const changePasswordRequestSchema = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: newPasswordSchema,
});

/** `POST /api/account/email`: the new address takes effect when the link mailed to it is opened. */
export const changeEmailRequestSchema = z.object({
  email: emailSchema,
  currentPassword: currentPasswordSchema,
});

/** `POST /api/account/delete`: requires the username as a confirmation. */
export const deleteAccountRequestSchema = z.object({
  username: filled,
  currentPassword: currentPasswordSchema,
});

export const accountSchema = z.object({
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** A new address until its mailed link is opened. */
  pendingEmail: z.string().nullable(),
  hasPassword: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Names of linked sign-in providers. */
  identities: z.array(z.object({ provider: z.string(), email: z.string() })),
});
export type Account = z.infer<typeof accountSchema>;

export const sessionsResponseSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Whether it is the session of this request. */
      current: z.boolean(),
      /** Such as "Firefox on Linux". */
      device: z.string(),
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
    }),
  ),
});
export type SessionsResponse = z.infer<typeof sessionsResponseSchema>;

/** `POST /api/account/identities`: where to send the browser to link a sign-in provider. */
export const linkIdentityResponseSchema = z.object({ redirectUrl: z.string() });

/** `POST /api/demo-sign-in`: the identity chosen at the demo provider, and the parameters that its page was opened with. */
export const demoSignInRequestSchema = z.object({
  name: filled.trim().max(100),
  email: emailSchema,
  state: z.string().min(1).max(200),
  nonce: z.string().min(1).max(200),
  challenge: z.string().min(1).max(200),
});
export type DemoSignInRequest = z.infer<typeof demoSignInRequestSchema>;

/** Its answer: the callback URL. */
export const demoSignInResponseSchema = z.object({ redirectUrl: z.string() });

export const userSchema = z.object({
  username: z.string(),
  email: z.string(),
  isPremium: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

/** `GET /api/user`: 200 with the user, or 401, which means signed out and is no error. */
export const userResponseSchema = z.object({ user: userSchema });
