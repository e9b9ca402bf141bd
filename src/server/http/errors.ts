import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Call, errorsOf, keyScopeOf, statusesOf } from '#contract/call';
import { ERRORS, type ErrorCode } from '#contract/error-codes';
import { type ApiError, PROBLEM_TYPE, type Problem } from '#contract/errors';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { DatabaseUnavailable, OutcomeUnknown } from '../platform/database-errors.ts';
import { presentedKey } from './caller.ts';
import { errorDocument } from './document.ts';
import { isApiTarget } from './target.ts';

type Flags = Omit<ApiError, 'error' | 'code'>;

interface ErrorDetails {
  /** Log message, if it is more specific than `when` of the code. */
  reason?: string;
  /** Flags of the response, besides `error` and `code`. */
  flags?: Flags;
  /** Retry-After. Seconds. */
  retryAfter?: number;
  /** Value of `Allow` for 405. */
  allow?: readonly string[];
  /** Value of `WWW-Authenticate`. */
  challenge?: string;
  /** The connection cannot be reused. */
  closeConnection?: boolean;
  cause?: unknown;
}

/** An expected failure. `message` is for the log, `userMessage` for the user. */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    readonly userMessage: string,
    readonly status: number,
    readonly details: ErrorDetails = {},
  ) {
    super(details.reason ?? ERRORS[code].when, { cause: details.cause });
  }
}

type StatusOf<Code extends ErrorCode> = (typeof ERRORS)[Code]['status'];

/**
 * Slices declare their errors with it in `<slice>.errors.ts`. The contract defines the status; codes with several statuses
 * have to choose one.
 */
export function createError<Code extends ErrorCode>(
  code: Code,
  userMessage: string,
  ...[details]: StatusOf<Code> extends number
    ? [details?: ErrorDetails]
    : [details: ErrorDetails & { status: Extract<StatusOf<Code>, readonly number[]>[number] }]
): AppError {
  const status = details && 'status' in details ? details.status : statusesOf(code)[0];
  return new AppError(code, userMessage, status as number, details);
}

const CLIENT_GONE = 499;

const SOMETHING_WENT_WRONG = 'Something went wrong on our side. Please try again in a moment.';

const NOT_UNDERSTOOD = {
  code: 'http.not_understood',
  userMessage: 'The request could not be understood.',
} as const;
const NOT_FOUND = { code: 'http.not_found', userMessage: 'There is nothing at this address.' } as const;
const OTHER_METHOD = {
  code: 'http.method_not_allowed',
  userMessage: 'This address does not take that kind of request.',
} as const;

/** User messages for the framework's own errors, by status. */
const FRAMEWORK_REFUSALS: Readonly<Record<number, { code: ErrorCode; userMessage: string }>> = {
  404: NOT_FOUND,
  405: OTHER_METHOD,
  413: { code: 'http.body_too_large', userMessage: 'The request is too large.' },
  414: { code: 'http.address_too_long', userMessage: 'The address is too long.' },
  415: {
    code: 'http.unknown_type',
    userMessage: 'The request has a content type that is not understood here.',
  },
};

/** The framework's messages about invalid paths contain the path, which must not be logged. */
const ADDRESS_IN_MESSAGE = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

/** The only place that converts a failure to a response. */
export function sendError(
  error: FastifyError | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const known = error instanceof AppError ? error : (fromDatabase(error) ?? fromFramework(error));
  const { status } = known;
  reply.errorCode = known.code;
  const entry = { code: known.code, err: status >= 500 ? known : undefined, reason: known.message };
  if (status >= 500) request.log.error(entry, 'request failed');
  else request.log.info(entry, 'request refused');
  const { call } = request.routeOptions.config;
  if (call && !declares(call, known)) {
    request.log.error({ code: known.code, status }, 'the call does not declare how it failed');
  }

  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return reply;
  }
  const { retryAfter, allow, flags, closeConnection } = known.details;
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)));
  if (allow) reply.header('allow', allow.join(', '));
  const challenge = known.details.challenge ?? (status === 401 ? challengeOf(call) : undefined);
  if (challenge) reply.header('www-authenticate', challenge);
  if (closeConnection) reply.header('connection', 'close');
  reply.code(status).header('cache-control', 'no-store');
  if (answersJson(request)) {
    const body = { error: known.userMessage, code: known.code, ...flags } satisfies ApiError;
    const isProgram = presentedKey(request) !== undefined || asksForProblems(request);
    return reply
      .type(isProgram ? PROBLEM_TYPE : 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(isProgram ? asProblem(known, body) : body);
  }
  return reply.type('text/html; charset=utf-8').send(errorDocument(status, known.userMessage));
}

/** The challenge of a 401 (RFC 9110, 15.5.2): an API key if the call accepts keys, else signing in. */
const challengeOf = (call: Call | undefined): string =>
  `${call && keyScopeOf(call) ? 'Bearer' : 'Cookie'} realm="${BRAND.name}"`;

const asksForProblems = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([type, ...parameters]) => type === PROBLEM_TYPE && !parameters.some((one) => /^q=0(\.0*)?$/.test(one)),
    );

function asProblem({ code, status, userMessage }: AppError, body: ApiError): Problem {
  const type = `${PAGES.developers}#${code}`;
  return { type, title: ERRORS[code].when, status, detail: userMessage, ...body, code };
}

/** No client receives a 499, so calls need not declare it. */
function declares(call: Call, { code, status }: AppError): boolean {
  return status === CLIENT_GONE || (errorsOf(call).includes(code) && statusesOf(code).includes(status));
}

/** Without a route, the path decides between a page and JSON. */
function answersJson(request: FastifyRequest): boolean {
  const { kind } = request.routeOptions.config;
  return kind === 'call' || ((kind === undefined || kind === 'page') && isApiTarget(request.url));
}

export const notFound = () => createError(NOT_FOUND.code, NOT_FOUND.userMessage);

/** @param allow the allowed methods */
export const methodNotAllowed = (allow: readonly string[]) =>
  createError(OTHER_METHOD.code, OTHER_METHOD.userMessage, {
    allow,
  });

export const stopping = () =>
  createError('http.stopping', 'The service is restarting. Please try again in a few seconds.', {
    retryAfter: 5,
    closeConnection: true,
  });

function fromDatabase(error: Error): AppError | undefined {
  if (error instanceof DatabaseUnavailable) {
    return createError(
      'http.unavailable',
      'The service cannot reach its data at the moment. Please try again in a few seconds.',
      { reason: error.message, retryAfter: 5, cause: error },
    );
  }
  if (error instanceof OutcomeUnknown) {
    return createError(
      'http.outcome_unknown',
      'The connection to our data broke off, and it is not known whether this was done. Please look before you try again.',
      { reason: error.message, cause: error },
    );
  }
  return undefined;
}

/** For errors of the framework and of libraries. A 5xx reveals no details. */
function fromFramework(error: FastifyError | Error): AppError {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const code = 'code' in error ? error.code : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    const reason = code !== undefined && ADDRESS_IN_MESSAGE.has(code) ? code : error.message;
    const known = FRAMEWORK_REFUSALS[status] ?? NOT_UNDERSTOOD;
    return new AppError(known.code, known.userMessage, status, { reason, cause: error });
  }
  return createError('http.failed', SOMETHING_WENT_WRONG, { reason: error.message, cause: error });
}
