import { z } from 'zod';

/**
 * The body of every error: a user message and a stable code. A 429 of a used-up quota has flags: `limitExceeded`, and
 * `requiresAuth` for an anonymous visitor or `requiresPayment` for a signed-in free user. `requiresAuth` also comes with 401
 * if the session of the user whom the page shows has ended. `requiresSecondFactor` comes with 401 from signing in, after a
 * correct password.
 */
export const apiErrorSchema = z.object({
  error: z.string(),
  /** One of `ERRORS`, or another one of a newer server. Missing in responses of proxies. */
  code: z.string().optional(),
  limitExceeded: z.boolean().optional(),
  requiresPayment: z.boolean().optional(),
  requiresAuth: z.boolean().optional(),
  requiresSecondFactor: z.boolean().optional(),
});
export type ApiError = z.infer<typeof apiErrorSchema>;

/** The media type of errors for API keys (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** An `ApiError` with the fields of RFC 9457. `type`: URL of the code's documentation; `detail`: the same as `error`. */
export const problemSchema = apiErrorSchema.extend({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;
