import { z } from 'zod';
import { currentPasswordSchema } from './account.ts';
import { PROOF_FORMS, PROOF_MAX_LENGTH, READ_PROOF, SECOND_FACTOR_MESSAGES } from './account-rules.ts';

export const RECOVERY_CODES = 10;

/** Six digits, with any grouping. */
export const codeSchema = proofSchema('code');

export const recoveryCodeSchema = proofSchema('recoveryCode');

function proofSchema(kind: keyof typeof PROOF_FORMS) {
  const error = SECOND_FACTOR_MESSAGES[kind];
  return z
    .string({ error })
    .max(PROOF_MAX_LENGTH, { error })
    .transform(READ_PROOF[kind])
    .pipe(z.string().regex(PROOF_FORMS[kind], { error }));
}

const proofFields = { code: codeSchema.optional(), recoveryCode: recoveryCodeSchema.optional() };
export type SecondFactorProof = z.output<z.ZodObject<typeof proofFields>>;

const isOne = ({ code, recoveryCode }: SecondFactorProof) =>
  (code === undefined) !== (recoveryCode === undefined);
const eitherOne = { error: SECOND_FACTOR_MESSAGES.code };

/**
 * `POST /api/login/second-factor` with either field, in the same browser, after a correct password (401 with `requiresSecondFactor`).
 */
export const loginSecondFactorRequestSchema = z.object(proofFields).refine(isOne, eitherOne);

export const secondFactorStatusSchema = z.object({
  secondFactor: z.object({ since: z.iso.datetime(), recoveryCodesLeft: z.int() }).nullable(),
});
export type SecondFactorResponse = z.infer<typeof secondFactorStatusSchema>;
export type SecondFactorStatus = SecondFactorResponse['secondFactor'];

export const startSecondFactorRequestSchema = z.object({
  currentPassword: currentPasswordSchema,
});

/** The secret for an authenticator app, as an `otpauth:` URL for a QR code and as text. Shown once. */
export const startSecondFactorResponseSchema = z.object({ uri: z.string(), secret: z.string() });
export type SecondFactorSecret = z.infer<typeof startSecondFactorResponseSchema>;

/** `POST /api/account/second-factor`: enables it with a first code. */
export const confirmSecondFactorRequestSchema = z.object({ code: codeSchema });

/** Shown once. */
export const recoveryCodesResponseSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** `POST /api/account/second-factor/off` and `POST /api/account/second-factor/recovery-codes`. */
export const changeSecondFactorRequestSchema = z
  .object({ currentPassword: currentPasswordSchema, ...proofFields })
  .refine(isOne, eitherOne);
