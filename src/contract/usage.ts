import { z } from 'zod';

/** `GET /api/usage`: how much of the quota this subject has used. `resetsAt` is ISO 8601 in UTC. */
export const usageSchema = z.object({
  imageCount: z.int().nonnegative(),
  dailyLimit: z.int().nonnegative(),
  period: z.enum(['day', 'month']),
  resetsAt: z.iso.datetime(),
});
export type Usage = z.infer<typeof usageSchema>;
