import { z } from 'zod';
import { emailSchema, newPasswordSchema, usernameSchema } from './account.ts';

export const paymentRequestSchema = z.object({
  email: emailSchema,
  amount: z.string().max(20),
  currency: z.string().max(10),
});

/**
 * The 200 of `POST /api/payment/paypal`. `approval`: the user pays at `approvalUrl`; `completed`: no payment is needed.
 */
export const paymentResponseSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), kind: z.enum(['registration', 'upgrade']) }),
  z.object({ status: z.literal('approval'), approvalUrl: z.url() }),
]);
export type PaymentResponse = z.infer<typeof paymentResponseSchema>;

/** `GET /api/payment`: data of the payment dialog. */
export const paymentContextSchema = z.object({
  /** `demo` must be marked on every screen; null without a payment provider. */
  provider: z.enum(['paypal', 'demo']).nullable(),
  /** The account that this browser would pay for; null without a registration or a user. */
  payingFor: z
    .object({
      kind: z.enum(['registration', 'upgrade']),
      username: z.string(),
      email: z.string(),
      /** End of the name's reservation without a payment; null for an upgrade, and during a payment. */
      keptUntil: z.iso.datetime().nullable(),
      /** Whether a payment is pending; paying again continues it. */
      underWay: z.boolean(),
      /** Whether the registration's name or address was taken by another account: it can no longer be paid. */
      lost: z.boolean(),
    })
    .nullable(),
  /**
   * The new account of this browser's registration, until the user has signed in; null otherwise.
   */
  finished: z.object({ username: z.string() }).nullable(),
  /** Whether this browser has paid, but the name or address was taken meanwhile: the payer has to choose another. */
  claim: z
    .object({ username: z.string(), email: z.string(), usernameTaken: z.boolean(), emailTaken: z.boolean() })
    .nullable(),
});
export type PaymentContext = z.infer<typeof paymentContextSchema>;

/**
 * `POST /api/payment/claim`: with the mailed link. Omitted fields keep their registered values. The browser that paid needs no
 * link: it registers again, and paying then charges nothing.
 */
export const claimRequestSchema = z.object({
  token: z.string().min(1).max(200),
  username: usernameSchema.optional(),
  email: emailSchema.optional(),
  password: newPasswordSchema.optional(),
});

/** `POST /api/payment/claim/preview`: the registration behind a mailed claim link. */
export const claimPreviewRequestSchema = z.object({ token: z.string().min(1).max(200) });
export const claimPreviewSchema = z.object({
  username: z.string(),
  email: z.string(),
  usernameTaken: z.boolean(),
  emailTaken: z.boolean(),
  needsPassword: z.boolean(),
});

/** `GET /api/subscription`: null without one. */
export const subscriptionSchema = z.object({
  status: z.enum(['active', 'cancelled', 'ended']),
  provider: z.enum(['paypal', 'demo', 'granted']),
  startedAt: z.iso.datetime(),
  /** End of the paid period, when the next payment is due or premium ends. Used by all pages and mails. */
  periodEnd: z.iso.datetime(),
  /** End of the grace period of a late payment; null while no payment is late. */
  graceUntil: z.iso.datetime().nullable(),
  /** Whether the person is premium now (a renewal has three days' grace). */
  premium: z.boolean(),
});
export const subscriptionResponseSchema = z.object({ subscription: subscriptionSchema.nullable() });
export type SubscriptionState = z.infer<typeof subscriptionSchema>;
