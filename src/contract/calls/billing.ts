import { z } from 'zod';
import {
  claimPreviewRequestSchema,
  claimPreviewSchema,
  claimRequestSchema,
  paymentContextSchema,
  paymentRequestSchema,
  paymentResponseSchema,
  subscriptionResponseSchema,
} from '../billing.ts';
import { call, DONE, redirectsHome } from '../call.ts';
import { ACCOUNT_CHOSEN } from '../error-codes.ts';
import { PAYMENT_OUTCOMES } from '../return-urls.ts';

/*
 * Payments and subscriptions.
 */

/** Enough for any event of the provider. */
const EVENT_BYTES = 256 * 1024;

export const getPayment = call({
  method: 'GET',
  path: '/api/payment',
  summary: 'Get what can be paid for in this browser, and the payment methods',
  access: 'visitor',
  answers: { 200: paymentContextSchema },
});

export const pay = call({
  method: 'POST',
  path: '/api/payment/paypal',
  summary: 'Pay for premium',
  description:
    'For the signed-in user, or for the pending registration of this browser. Send the browser to approvalUrl to pay; completed means that nothing is left to do. A repeated call charges once.',
  access: 'visitor',
  body: paymentRequestSchema,
  answers: { 200: paymentResponseSchema },
  errors: [
    'billing.email_required',
    'billing.wrong_price',
    'billing.nothing_to_pay_for',
    'billing.other_address',
    'billing.already_premium',
    'billing.already_paid_for',
    'billing.registration_lapsed',
    'billing.provider_failed',
    'billing.unavailable',
  ],
});

export const payReturn = call({
  method: 'GET',
  path: '/api/payment/paypal/return',
  summary: 'Return from the payment provider',
  access: 'visitor',
  query: z.object({ payment: z.string().max(100), cancelled: z.string().optional() }),
  answers: redirectsHome(
    Object.values(PAYMENT_OUTCOMES)
      .filter((outcome) => outcome !== PAYMENT_OUTCOMES.required)
      .map((outcome) => `payment=${outcome}`),
  ),
});

export const paypalWebhook = call({
  method: 'POST',
  path: '/api/payment/paypal/webhook',
  summary: 'Receive an event of the payment provider',
  description: 'The signature covers the bytes of the body. After 429 or 5xx the event is delivered again.',
  access: 'provider',
  limits: { bodyBytes: EVENT_BYTES },
  raw: ['application/json'],
  answers: { 200: DONE },
  errors: ['billing.forged_event', 'billing.too_many_events', 'billing.provider_failed'],
});

export const previewClaim = call({
  method: 'POST',
  path: '/api/payment/claim/preview',
  summary: 'Get the payment behind a mailed claim link',
  access: 'visitor',
  body: claimPreviewRequestSchema,
  answers: { 200: claimPreviewSchema },
  errors: ['billing.nothing_to_claim'],
});

export const claim = call({
  method: 'POST',
  path: '/api/payment/claim',
  summary: 'Claim a payment whose username or email address was taken meanwhile',
  description: 'Omitted fields stay as registered. Sign in afterwards.',
  access: 'visitor',
  body: claimRequestSchema,
  answers: { 200: DONE },
  errors: ['billing.nothing_to_claim', ...ACCOUNT_CHOSEN],
});

export const getSubscription = call({
  method: 'GET',
  path: '/api/subscription',
  summary: 'Get the subscription',
  description: 'Null if there never was one.',
  access: 'user',
  answers: { 200: subscriptionResponseSchema },
});

export const cancelSubscription = call({
  method: 'POST',
  path: '/api/subscription/cancel',
  summary: 'Cancel the subscription',
  description: 'Premium continues until the end of the paid period.',
  access: 'user',
  answers: { 200: subscriptionResponseSchema },
  errors: ['billing.no_subscription', 'billing.provider_failed', 'billing.unavailable'],
});
