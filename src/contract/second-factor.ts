import { z } from 'zod';
import { presentedPasswordSchema } from './account.ts';

/** Sentences that page and server both show. */
export const SECOND_FACTOR_MESSAGES = {
  code: 'Please enter the six digits that your authenticator app shows',
  recoveryCode: 'A recovery code has 16 letters and digits',
} as const;

export const RECOVERY_CODES = 10;

const spaces = /\s/g;

/** Six digits, however an app groups them. */
export const codeSchema = z
  .string({ error: SECOND_FACTOR_MESSAGES.code })
  .max(50, { error: SECOND_FACTOR_MESSAGES.code })
  .transform((text) => text.replace(spaces, ''))
  .pipe(z.string().regex(/^\d{6}$/, { error: SECOND_FACTOR_MESSAGES.code }));

/** Letters that look like digits were never given out: whoever types them means the digit. */
export const recoveryCodeSchema = z
  .string({ error: SECOND_FACTOR_MESSAGES.recoveryCode })
  .max(50, { error: SECOND_FACTOR_MESSAGES.recoveryCode })
  .transform((text) =>
    text.toLowerCase().replace(spaces, '').replaceAll('-', '').replaceAll('o', '0').replace(/[il]/g, '1'),
  )
  .pipe(z.string().regex(/^[\da-hjkmnp-tv-z]{16}$/, { error: SECOND_FACTOR_MESSAGES.recoveryCode }));

const proofFields = { code: codeSchema.optional(), recoveryCode: recoveryCodeSchema.optional() };
export type SecondFactorProof = z.output<z.ZodObject<typeof proofFields>>;

const isOne = ({ code, recoveryCode }: SecondFactorProof) =>
  (code === undefined) !== (recoveryCode === undefined);
const eitherOne = { error: SECOND_FACTOR_MESSAGES.code };

/**
 * `POST /api/login/second-factor` with one of the two, in the browser that was answered 401 with `requiresSecondFactor` to its right password.
 */
export const loginSecondFactorRequestSchema = z.object(proofFields).refine(isOne, eitherOne);

/** `GET /api/account/second-factor`. Null: it is off. */
export const secondFactorStatusSchema = z.object({
  secondFactor: z.object({ since: z.iso.datetime(), recoveryCodesLeft: z.int() }).nullable(),
});
export type SecondFactorStatus = z.infer<typeof secondFactorStatusSchema>['secondFactor'];

/** `POST /api/account/second-factor/start`. `currentPassword` may be left out by a person who has none. */
export const startSecondFactorRequestSchema = z.object({
  currentPassword: presentedPasswordSchema.optional(),
});

/** What an authenticator app needs, as an address for a QR code and as text to type. Shown this once. */
export const startSecondFactorResponseSchema = z.object({ uri: z.string(), secret: z.string() });
export type SecondFactorSecret = z.infer<typeof startSecondFactorResponseSchema>;

/** `POST /api/account/second-factor`: turns it on with a first code. */
export const confirmSecondFactorRequestSchema = z.object({ code: codeSchema });

/** Shown this once. */
export const recoveryCodesResponseSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** `POST /api/account/second-factor/off` and `POST /api/account/second-factor/recovery-codes`. */
export const changeSecondFactorRequestSchema = z
  .object({ currentPassword: presentedPasswordSchema.optional(), ...proofFields })
  .refine(isOne, eitherOne);
