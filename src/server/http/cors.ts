/**
 * Cross-origin requests (CORS) of web pages whose origin an API key names. Nothing is said of credentials, so browsers
 * send no cookie along, and all other calls stay closed to other sites.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyedMethodsAt } from './access.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { pathOf } from './target.ts';

/** Whether a page of this origin may use the key, or without a key, any key. */
export type OriginCheck = (origin: string, keyId?: string) => Promise<boolean>;

/** Headers of answers that a page may read. */
const READABLE = ['Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', REQUEST_ID_HEADER].join(', ');
/** Headers that a page may send. */
const SENDABLE = ['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key'].join(', ');
/** So long a browser remembers the answer: a revoked origin is refused by the call itself at once. */
const REMEMBERED_SECONDS = '600';

/** Lets a page read the answer to a call with a key, if the key names the page's origin. */
export async function shareAnswer(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  allows: (origin: string) => Promise<boolean>,
): Promise<void> {
  if (origin === undefined) return;
  reply.header('vary', 'Origin');
  if (!(await allows(origin))) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READABLE);
}

/**
 * Answers the question that browsers ask before a page's call. It comes without a key, so it is answered for the origins of
 * all keys, and for calls that keys open.
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
      'access-control-allow-headers': SENDABLE,
      'access-control-max-age': REMEMBERED_SECONDS,
    });
  });
}
