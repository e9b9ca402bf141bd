import { z } from 'zod';
import { emailSchema, newPasswordSchema, usernameSchema } from './account.ts';

export const paymentRequestSchema = z.object({
  email: emailSchema,
  amount: z.string().max(20),
  currency: z.string().max(10),
});

/**
 * The 200 of `POST /api/payment/paypal`: with an `approvalUrl` the browser goes there to pay;
 * with `completed` everything is done.
 */
export const paymentResponseSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), kind: z.enum(['registration', 'upgrade']) }),
  z.object({ status: z.literal('approval'), approvalUrl: z.url() }),
]);
export type PaymentResponse = z.infer<typeof paymentResponseSchema>;

/** `GET /api/payment`: for the payment dialog, before money is asked for. */
export const paymentContextSchema = z.object({
  /** `demo` is marked on every screen; null: nothing can be paid here. */
  provider: z.enum(['paypal', 'demo']).nullable(),
  /** The account that this browser would pay for; null: register first. */
  payingFor: z
    .object({
      kind: z.enum(['registration', 'upgrade']),
      username: z.string(),
      email: z.string(),
      /** How long a registration keeps its name without a payment; null for an upgrade, and during a payment. */
      keptUntil: z.iso.datetime().nullable(),
      /** A payment was started and is not decided: paying continues it. */
      underWay: z.boolean(),
      /** The registration's name or address now belongs to another account: it can no longer be paid for. */
      lost: z.boolean(),
    })
    .nullable(),
  /**
   * This browser's registration became an account and the browser has not learned of it. Null once a user has signed in
   * to it.
   */
  finished: z.object({ username: z.string() }).nullable(),
  /** A payment of this browser was taken, but its name or address has been lost: choose another. */
  claim: z
    .object({ username: z.string(), email: z.string(), usernameTaken: z.boolean(), emailTaken: z.boolean() })
    .nullable(),
});
export type PaymentContext = z.infer<typeof paymentContextSchema>;

/**
 * `POST /api/payment/claim`: by the mailed link. Omitted fields stay as they were registered. The browser that paid
 * needs no link: it registers again, and paying then charges nothing.
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

/** `GET /api/subscription`: null when there never was one. */
export const subscriptionSchema = z.object({
  status: z.enum(['active', 'cancelled', 'ended']),
  provider: z.enum(['paypal', 'demo', 'granted']),
  startedAt: z.iso.datetime(),
  /** The one end of what is paid for: the next payment is due then, or premium ends. Every page and mail says this one. */
  periodEnd: z.iso.datetime(),
  /** A payment was due and has not arrived: premium goes on until then. Null while nothing is late. */
  graceUntil: z.iso.datetime().nullable(),
  /** Whether the person is premium now (a renewal has three days' grace). */
  premium: z.boolean(),
});
export const subscriptionResponseSchema = z.object({ subscription: subscriptionSchema.nullable() });
export type SubscriptionState = z.infer<typeof subscriptionSchema>;
