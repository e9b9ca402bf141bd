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

/** Requests whose handler enforces the rate of the body itself. */
const leftToPace = new WeakSet<IncomingMessage>();

/** From now on the caller enforces the rate of the body. */
export function leaveBodyToPace(request: IncomingMessage): void {
  leftToPace.add(request);
}

/**
 * Ends requests whose body trickles or never ends, because each holds a connection. Uploads may take long, but have to keep
 * a minimum rate.
 */
export function limitBodyTime(
  app: FastifyInstance,
  { milliseconds, minimumRate }: BodyDeadlineOptions,
): void {
  const uploads = new WeakSet<IncomingMessage>();
  /** Response for a body that has not arrived in time. */
  const awaited = new WeakMap<IncomingMessage, PassThrough>();

  function watch(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let seen = socket.bytesRead;
    const timer = setInterval(look, milliseconds).unref();
    request.once('end', () => clearInterval(timer));

    function look(): void {
      if (request.complete || socket.destroyed || leftToPace.has(request)) {
        clearInterval(timer);
        return;
      }
      const arrived = socket.bytesRead - seen;
      seen = socket.bytesRead;
      if (uploads.has(request) && arrived >= (minimumRate.bytesPerSecond * milliseconds) / 1000) return;
      clearInterval(timer);
      refuse(request, response);
    }
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const body = awaited.get(request);
    if (body && !response.headersSent) return void body.destroy(tooSlow());
    // If the answer does not depend on the body, it is sent, and then the connection closes.
    if (response.headersSent || response.writableEnded) request.socket.destroy();
    else response.once('close', () => request.socket.destroy());
  }

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (announcesBody(request)) watch(request, response);
  });
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.call?.form) uploads.add(raw);
  });
  app.addHook('preParsing', async ({ raw, routeOptions }, _reply, payload) => {
    // Most bodies arrive with their headers, and the form of an upload is read by its route.
    if (raw.complete || routeOptions.config.call?.form || !announcesBody(raw)) return payload;
    const body = new PassThrough();
    awaited.set(raw, body);
    payload.once('error', (error) => body.destroy(error));
    return payload.pipe(body);
  });
}

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = () =>
  createError('http.too_slow', 'The request took too long.', {
    closeConnection: true,
  });
