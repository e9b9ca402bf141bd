import type { z } from 'zod';
import { AppError } from './errors.ts';

/**
 * What was sent, as the contract has it. The contract's schemas say in their own words what is wrong with a field that a
 * person fills in, so the first of these sentences is the answer.
 * @throws {AppError} 400.
 */
export function readBody<T>(schema: z.ZodType<T>, sent: unknown): T {
  const result = schema.safeParse(sent ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('http.invalid_body', `${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'invalid'}`, {
    status: 400,
    userMessage: issue?.message ?? 'The request could not be understood.',
  });
}
