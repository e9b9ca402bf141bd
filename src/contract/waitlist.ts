import { z } from 'zod';

/** `POST /api/premium-interest`. Any 200 is a success and does not reveal whether the address was known. */
export const premiumInterestRequestSchema = z.object({
  email: z
    .string({ error: 'Please enter your email address.' })
    .trim()
    .min(1, { error: 'Please enter your email address.', abort: true })
    .max(254, { error: 'Please enter a valid email address', abort: true })
    .pipe(z.email({ error: 'Please enter a valid email address' })),
});

/** `POST /api/premium-interest/unsubscribe`: the token is in every mail of the waitlist. */
export const unsubscribeRequestSchema = z.object({ token: z.string().min(1).max(400) });
