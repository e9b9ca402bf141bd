import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ApiError } from '#contract/errors';
import { type AppError, createError } from './errors.ts';
import type { SecurityHeaders } from './headers.ts';

const notUnderstood = () => createError('http.not_understood', 'The request could not be understood.');
const methodUnknown = () => createError('http.method_unknown', 'The request method is unknown.');
const ERRORS: Readonly<Record<string, () => AppError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => createError('http.too_slow', 'The request took too long.'),
  HPE_HEADER_OVERFLOW: () => createError('http.headers_too_large', 'The request’s headers are too large.'),
};

interface ParserError extends Error {
  code?: string;
  rawPacket?: unknown;
}

/** The parser reports the same error for another protocol as for an unknown method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

function errorOf({ code, rawPacket }: ParserError): AppError {
  const start = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 4096) : '';
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(start)) return methodUnknown();
  return (ERRORS[code ?? ''] ?? notUnderstood)();
}

/** For requests that cannot be parsed: invalid syntax, too large headers, timeouts. */
export function createClientErrorHandler(headers: SecurityHeaders) {
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, userMessage, code } = errorOf(error);
    const body = JSON.stringify({ error: userMessage, code } satisfies ApiError);
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/** Node itself would reject an unknown expectation, without our headers. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/**
 * Rejects the character U+0000 in any field: users do not type it, PostgreSQL cannot store it, and C programs treat it as
 * the end of a string.
 */
export function rejectNulCharacters(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ params, query, body }) => {
    if (containsNul({ params, query, body })) throw nulCharacter();
  });
}

/** Iterative, because a body may be nested thirty thousand levels deep. */
function containsNul(fields: unknown): boolean {
  const pending = [fields];
  for (let value = pending.pop(); pending.length > 0 || value !== undefined; value = pending.pop()) {
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) continue;
    for (const [name, inner] of Object.entries(value)) pending.push(name, inner);
  }
  return false;
}

const nulCharacter = () =>
  createError(
    'http.unkeepable_text',
    'The request contains a character that cannot be stored (U+0000). Please remove it.',
  );
