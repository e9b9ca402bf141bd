import type { FastifyInstance } from 'fastify';
import { createError } from './errors.ts';

/**
 * Refuses what holds the character U+0000, in any field: no person types it, PostgreSQL cannot keep it, and programs
 * written in C take it for the end of a text.
 */
export function refuseUnkeepableText(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ params, query, body }) => {
    if (holdsNul({ params, query, body })) throw unkeepable();
  });
}

/** Without recursion: a body may be nested thirty thousand levels deep. */
function holdsNul(fields: unknown): boolean {
  const left = [fields];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) continue;
    for (const [name, inner] of Object.entries(value)) left.push(name, inner);
  }
  return false;
}

const unkeepable = () =>
  createError(
    'http.unkeepable_text',
    'The request holds a character that cannot be kept (U+0000). Please remove it.',
  );
