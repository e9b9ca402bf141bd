/**
 * CORS for web pages whose origin is listed in an API key. Credentials are not allowed, so browsers send no cookies.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyedMethodsAt } from './access.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { pathOf } from './target.ts';

/** Whether a page of this origin may use the key. `keyId`: if left out, whether it may use any key. */
export type OriginCheck = (origin: string, keyId?: string) => Promise<boolean>;

/** Response headers that a page may read. */
const EXPOSED_HEADERS = ['Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', REQUEST_ID_HEADER].join(
  ', ',
);
/** Request headers that a page may send. */
const ALLOWED_HEADERS = ['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key'].join(', ');
/** How long browsers cache a preflight. A revoked origin is still rejected at once by the call itself. */
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Adds CORS headers to a call with a key, if the key lists the page's origin. */
export async function addCorsHeaders(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  allows: (origin: string) => Promise<boolean>,
): Promise<void> {
  if (origin === undefined) return;
  reply.header('vary', 'Origin');
  if (!(await allows(origin))) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', EXPOSED_HEADERS);
}

/**
 * Answers preflight requests. They have no key, so the origins of all keys are allowed, for calls that accept keys.
 */
export function answerPreflights(app: FastifyInstance, allows: OriginCheck): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return;
    const methods = keyedMethodsAt(app.registeredRoutes, pathOf(request.url));
    if (methods.length === 0) return;
    reply.header('vary', 'Origin');
    if (!methods.includes(method) || !(await allows(origin))) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS,
    });
  });
}
