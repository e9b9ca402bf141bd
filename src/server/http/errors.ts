import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod';
import type { ApiError } from '#contract/errors';
import { errorDocument } from './document.ts';
import { meansApi } from './target.ts';

interface AppErrorOptions {
  /** HTTP status. */
  status: number;
  /** What the person is told: a sentence they can act on. */
  userMessage: string;
  /** The answer's flags beside `error`. */
  flags?: Omit<ApiError, 'error'>;
  /** Seconds after which it is worth trying again. */
  retryAfter?: number;
  /** The methods that the address takes, where it does not take this one. */
  allow?: readonly string[];
  /** The connection is not fit for another request. */
  closeConnection?: boolean;
  cause?: unknown;
}

/** A failure that somebody foresaw. Features make theirs in their own `errors.ts`; `message` is for the log. */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly userMessage: string;
  readonly flags: Omit<ApiError, 'error'>;
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly closeConnection: boolean;

  constructor(
    /** Stable and namespaced by feature: `recognition.image_too_large`. */
    readonly code: string,
    message: string,
    options: AppErrorOptions,
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.userMessage = options.userMessage;
    this.flags = options.flags ?? {};
    this.retryAfter = options.retryAfter;
    this.allow = options.allow;
    this.closeConnection = options.closeConnection ?? false;
  }
}

const SOMETHING_WENT_WRONG = 'Something went wrong on our side. Please try again in a moment.';

/** What the framework's own refusals mean to a person; by its status, because its codes are many. */
const FRAMEWORK_MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request could not be understood.',
  404: 'There is nothing at this address.',
  405: 'This address does not take that kind of request.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'The request has a content type that is not understood here.',
};

/** What the framework says when an address cannot be read repeats the address, and those are not for the log. */
const ADDRESS_IN_MESSAGE = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

/** The one place where a failure becomes an answer. */
export function sendError(
  error: FastifyError | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const known = error instanceof AppError ? error : fromFramework(error);
  const { status } = known;
  const entry = { code: known.code, err: status >= 500 ? known : undefined, reason: known.message };
  if (status >= 500) request.log.error(entry, 'request failed');
  else request.log.info(entry, 'request refused');

  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return reply;
  }
  if (known.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(known.retryAfter)));
  if (known.allow) reply.header('allow', known.allow.join(', '));
  if (known.closeConnection) reply.header('connection', 'close');
  reply.code(status).header('cache-control', 'no-store');
  if (answersJson(request)) {
    const body: ApiError = { error: known.userMessage, ...known.flags };
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  }
  return reply.type('text/html; charset=utf-8').send(errorDocument(status, known.userMessage));
}

/** Where no route of its own was found, an address is answered as what it seems to have wanted. */
function answersJson(request: FastifyRequest): boolean {
  const { kind } = request.routeOptions.config;
  return kind === 'call' || ((kind === undefined || kind === 'page') && meansApi(request.url));
}

export function notFound(): AppError {
  return new AppError('http.not_found', 'no such address', {
    status: 404,
    userMessage: FRAMEWORK_MESSAGES[404] ?? SOMETHING_WENT_WRONG,
  });
}

/** @param allow the methods that the address takes */
export function methodNotAllowed(allow: readonly string[]): AppError {
  return new AppError('http.method_not_allowed', 'the address exists for another method', {
    status: 405,
    allow,
    userMessage: FRAMEWORK_MESSAGES[405] ?? SOMETHING_WENT_WRONG,
  });
}

export function stopping(): AppError {
  return new AppError('http.stopping', 'the server is stopping', {
    status: 503,
    userMessage: 'The service is restarting. Please try again in a few seconds.',
    retryAfter: 5,
    closeConnection: true,
  });
}

/** For what was thrown by anybody else: nothing of a failure on this side is told. */
function fromFramework(error: FastifyError | Error): AppError {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const field = error.validation[0]?.instancePath.replace(/^\//, '') || error.validationContext;
    return new AppError('http.invalid_request', error.message, {
      status: 400,
      userMessage: `The request could not be understood: please check ${field ?? 'what was sent'}.`,
      cause: error,
    });
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const code = 'code' in error ? error.code : undefined;
  if (status !== undefined && status >= 400 && status < 500 && !isResponseSerializationError(error)) {
    const reason = code !== undefined && ADDRESS_IN_MESSAGE.has(code) ? code : error.message;
    return new AppError(code ?? 'http.refused', reason, {
      status,
      userMessage: FRAMEWORK_MESSAGES[status] ?? 'The request could not be understood.',
      cause: error,
    });
  }
  return new AppError(code ?? 'http.unexpected', error.message, {
    status: 500,
    userMessage: SOMETHING_WENT_WRONG,
    cause: error,
  });
}
