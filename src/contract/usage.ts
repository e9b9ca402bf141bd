import { z } from 'zod';

/**
 * `GET /api/usage`: the used quota. `resetsAt` is ISO 8601 in UTC. A server that returns only the two numbers counts by day.
 */
export const usageSchema = z.object({
  imageCount: z.int().nonnegative(),
  dailyLimit: z.int().nonnegative(),
  period: z.enum(['day', 'month']).prefault('day'),
  resetsAt: z.iso.datetime().prefault(() => nextDay(new Date()).toISOString()),
});

/** The next midnight in UTC. */
export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
export type Usage = z.infer<typeof usageSchema>;
