import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createNonce, type SecurityHeaders } from './headers.ts';

/** For requests that never become one: broken syntax, endless headers, bytes that trickle in. */
export function createBrokenRequestHandler(headers: SecurityHeaders) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, message] =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long.']
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? ['431 Request Header Fields Too Large', 'The request’s headers are too large.']
          : ['400 Bad Request', 'The request could not be understood.'];
    const body = JSON.stringify({ error: message });
    const lines = Object.entries({
      ...headers(createNonce()),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  };
}

/** An expectation that Node does not know it would refuse by itself, with an answer that has none of our headers. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}
