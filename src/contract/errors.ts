import { z } from 'zod';

/**
 * The body of every answer that is not a success: a sentence to show, and a code to decide by. Three flags come with 429
 * when a quota is used up: `requiresAuth` for an anonymous visitor, `requiresPayment` for a signed-in free user.
 * `requiresAuth` also comes with 401 when the session of the person whom the page shows has ended. `requiresSecondFactor`
 * comes with 401 from signing in: the password was right, and a code is wanted.
 */
export const apiErrorSchema = z.object({
  error: z.string(),
  /** One of `ERRORS`; a newer server may send others. Missing in answers of proxies. */
  code: z.string().optional(),
  limitExceeded: z.boolean().optional(),
  requiresPayment: z.boolean().optional(),
  requiresAuth: z.boolean().optional(),
  requiresSecondFactor: z.boolean().optional(),
});
export type ApiError = z.infer<typeof apiErrorSchema>;

/** The type of a failure's body where a program asks with a key, as RFC 9457 has it. */
export const PROBLEM_TYPE = 'application/problem+json';

/** The same as an `ApiError`, and what RFC 9457 asks for. `type`: where the code is explained; `detail`: the sentence again. */
export const problemSchema = apiErrorSchema.extend({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;
