import type { PaymentResponse } from '#contract/billing';
import { PREMIUM_PRICE } from '#contract/product';
import { paying } from '../../api/calls.ts';
import { UnreadableAnswer } from '../../api/client.ts';

/** Null when the answer was a success without a word about what it completed. */
export async function pay(email: string): Promise<PaymentResponse | null> {
  try {
    return await paying.ask('POST /api/payment/paypal', { body: { email, ...PREMIUM_PRICE } });
  } catch (error) {
    if (error instanceof UnreadableAnswer) return null;
    throw error;
  }
}
