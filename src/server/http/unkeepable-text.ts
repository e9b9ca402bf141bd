import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

/**
 * Refuses what holds the character U+0000, in any field: no person types it, PostgreSQL cannot keep it, and programs
 * written in C take it for the end of a text.
 */
export function refuseUnkeepableText(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ params, query, body }) => {
    if ([params, query, body].some(holdsNul)) throw unkeepable();
  });
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || holdsNul(inner));
}

function unkeepable(): AppError {
  return new AppError('http.unkeepable_text', 'a field holds U+0000', {
    status: 400,
    userMessage: 'The request holds a character that cannot be kept (U+0000). Please remove it.',
  });
}
