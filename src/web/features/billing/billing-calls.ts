import { type PaymentResponse, paymentResponseSchema } from '#contract/billing';
import { PREMIUM_PRICE } from '#contract/limits';
import { API } from '#contract/paths';
import { postJson } from '../../api.ts';

/** Null when the answer was a success without a word about what it completed. */
export async function pay(email: string): Promise<PaymentResponse | null> {
  const response = await postJson(API.pay, { email, ...PREMIUM_PRICE });
  const body: unknown = await response.json().catch(() => null);
  return paymentResponseSchema.safeParse(body).data ?? null;
}
