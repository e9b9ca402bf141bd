import { z } from 'zod';

export const userSchema = z.object({
  username: z.string(),
  email: z.string(),
  isPremium: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

/** `GET /api/user`: 200 with the user, or 401, which means signed out and is no error. */
export const userResponseSchema = z.object({ user: userSchema });
