import { queryOptions } from '@tanstack/react-query';
import {
  type PaymentResponse,
  paymentContextSchema,
  paymentResponseSchema,
  subscriptionResponseSchema,
} from '#contract/billing';
import { PREMIUM_PRICE } from '#contract/limits';
import { API } from '#contract/paths';
import { postJson, request } from '../../api.ts';

/** Asked anew whenever the payment dialog opens: it may be another account's turn. */
export const paymentContextQuery = queryOptions({
  queryKey: ['api', 'payment'],
  queryFn: async ({ signal }) =>
    paymentContextSchema.parse(await (await request(API.payment, { signal })).json()),
  staleTime: 0,
  gcTime: 0,
});

export const subscriptionQuery = queryOptions({
  queryKey: ['api', 'subscription'],
  queryFn: async ({ signal }) => {
    const response = await request(API.subscription, { signal });
    return subscriptionResponseSchema.parse(await response.json()).subscription;
  },
});

/** Null when the answer was a success without a word about what it completed. */
export async function pay(email: string): Promise<PaymentResponse | null> {
  const response = await postJson(API.pay, { email, ...PREMIUM_PRICE });
  const body: unknown = await response.json().catch(() => null);
  return paymentResponseSchema.safeParse(body).data ?? null;
}
