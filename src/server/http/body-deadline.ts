import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createError } from './errors.ts';

/** Minimum rate of the body of an upload that was rejected before it was read. */
interface MinimumRate {
  bytesPerSecond: number;
}

interface BodyDeadlineOptions {
  /** Time from the end of the headers to the end of the body, except for uploads. */
  milliseconds: number;
  minimumRate: MinimumRate;
}

/** Requests whose handler enforces the minimum rate of the body. */
const exemptRequests = new WeakSet<IncomingMessage>();

/** From this call on, the handler enforces the minimum rate of the body. */
export function exemptFromBodyDeadline(request: IncomingMessage): void {
  exemptRequests.add(request);
}

/**
 * Ends requests whose body is too slow or never ends, because each of them occupies a connection. Uploads may take longer
 * than the deadline, but must keep a minimum rate.
 */
export function limitBodyTime(
  app: FastifyInstance,
  { milliseconds, minimumRate }: BodyDeadlineOptions,
): void {
  const uploads = new WeakSet<IncomingMessage>();
  /** Bodies that the framework is reading. Destroying one with an error answers its request. */
  const pendingBodies = new WeakMap<IncomingMessage, PassThrough>();

  function watch(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let bytesBefore = socket.bytesRead;
    const timer = setInterval(checkProgress, milliseconds).unref();
    request.once('end', () => clearInterval(timer));

    function checkProgress(): void {
      if (request.complete || socket.destroyed || exemptRequests.has(request)) {
        clearInterval(timer);
        return;
      }
      const arrived = socket.bytesRead - bytesBefore;
      bytesBefore = socket.bytesRead;
      if (uploads.has(request) && arrived >= (minimumRate.bytesPerSecond * milliseconds) / 1000) return;
      clearInterval(timer);
      refuse(request, response);
    }
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const body = pendingBodies.get(request);
    if (body && !response.headersSent) return void body.destroy(tooSlow());
    // A response that does not depend on the body is sent before the connection closes.
    if (response.headersSent || response.writableEnded) request.socket.destroy();
    else response.once('close', () => request.socket.destroy());
  }

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) watch(request, response);
  });
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.call?.form) uploads.add(raw);
  });
  app.addHook('preParsing', async ({ raw, routeOptions }, _reply, payload) => {
    // Most bodies arrive together with their headers; the route of an upload reads its form.
    if (raw.complete || routeOptions.config.call?.form || !hasBody(raw)) return payload;
    const body = new PassThrough();
    pendingBodies.set(raw, body);
    payload.once('error', (error) => body.destroy(error));
    return payload.pipe(body);
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = () =>
  createError('http.too_slow', 'The request took too long.', {
    closeConnection: true,
  });
