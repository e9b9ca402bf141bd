import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { trustedBy } from './address.ts';

/** Header with the id of a request, which is in every log line about the request. The id reveals nothing about the sender. */

export const REQUEST_ID_HEADER = 'x-request-id';

/** Ids of proxies: 16 to 64 letters, digits and hyphens, such as a UUID or a hexadecimal number. */
const PLAUSIBLE = /^[\da-z-]{16,64}$/i;

/** Whether the request comes through a trusted proxy. */
export function createProxyCheck(
  trustProxy: false | number | string[],
): (request: IncomingMessage) => boolean {
  const trusted = trustedBy(trustProxy);
  return ({ socket }) => trusted !== false && trusted(socket.remoteAddress ?? '', 0);
}

/** The request id of a trusted proxy, so that both logs can be correlated; else a new one. */
export function createRequestIds(isFromProxy: (request: IncomingMessage) => boolean) {
  return (request: IncomingMessage): string => {
    const proxyId = request.headers[REQUEST_ID_HEADER];
    const isUsable = typeof proxyId === 'string' && PLAUSIBLE.test(proxyId) && isFromProxy(request);
    return isUsable ? proxyId : randomUUID();
  };
}

/** Sends every client the id of its request. */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
  });
}
